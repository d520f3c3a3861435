// SPDX-License-Identifier: GPL-3.0-or-later
// Packs numbers as the Python package gguf and ggml do, bit for bit (golden/gguf_packing.json, by
// generate/gguf_packing.py).

#include <cstring>
#include <fstream>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/gguf_file.h"
#include "formats/weights/pack_blocks.h"
#include "support/golden.h"

namespace trainyard::weights {
namespace {

std::string hex_of(const std::uint8_t* bytes, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i)
        text += fmt::format("{:02x}", bytes[i]);
    return text;
}

TEST(GgufPacking, BlocksAreThoseOfThePackageAndOfGgml) {
    std::ifstream file(test::golden("gguf_packing.json"));
    const nlohmann::json cases = nlohmann::json::parse(file);
    EXPECT_GE(cases.size(), 8u);
    for (const auto& [name, one] : cases.items()) {
        SCOPED_TRACE(name);
        const PackBlock pack = packer_of(name);
        ASSERT_NE(pack, nullptr);
        const auto [elements, bytes] = gguf_block(name);
        const std::string values = one.at("values"), blocks = one.at("blocks");
        std::vector<float> block(static_cast<std::size_t>(elements));
        std::vector<std::uint8_t> packed(static_cast<std::size_t>(bytes));
        const std::size_t value_text = block.size() * 8, block_text = packed.size() * 2;
        ASSERT_EQ(values.size() / value_text, blocks.size() / block_text);
        for (std::size_t number = 0; number < blocks.size() / block_text; ++number) {
            for (std::size_t i = 0; i < block.size(); ++i) {
                const std::string digits = values.substr(number * value_text + i * 8, 8);
                const auto bits = __builtin_bswap32(static_cast<std::uint32_t>(std::stoul(digits, nullptr, 16)));
                std::memcpy(&block[i], &bits, sizeof bits);
            }
            pack(block.data(), packed.data());
            EXPECT_EQ(hex_of(packed.data(), packed.size()), blocks.substr(number * block_text, block_text))
                << "block " << number;
        }
    }
}

}  // namespace
}  // namespace trainyard::weights
