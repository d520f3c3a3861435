// SPDX-License-Identifier: GPL-3.0-or-later
// Packed types of GGUF against the values that the Python package gguf gives for the same blocks, bit for bit
// (golden/gguf_blocks.json, by generate/gguf_blocks.py).

#include <cstring>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/packed_blocks.h"
#include "support/golden.h"

namespace trainyard::weights {
namespace {

std::vector<std::byte> from_hex(const std::string& text) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    return bytes;
}

TEST(GgufBlocks, AreDecodedAsByThePackage) {
    std::ifstream file(test::golden("gguf_blocks.json"));
    const nlohmann::json cases = nlohmann::json::parse(file);
    EXPECT_GE(cases.size(), 9u);
    for (const auto& [name, one] : cases.items()) {
        SCOPED_TRACE(name);
        const PackedType* type = packed_type(name);
        ASSERT_NE(type, nullptr);
        EXPECT_EQ(type->elements, one.at("elements").get<std::uint32_t>());
        const std::vector<std::byte> blocks = from_hex(one.at("blocks")), bytes = from_hex(one.at("values"));
        ASSERT_EQ(blocks.size() % type->bytes, 0u);
        std::vector<float> expected(bytes.size() / sizeof(float)), values(expected.size());
        std::memcpy(expected.data(), bytes.data(), bytes.size());
        ASSERT_EQ(blocks.size() / type->bytes * type->elements, expected.size());
        unpack_blocks(*type, blocks, values);
        for (std::size_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(values[i], expected[i]) << i;
    }
}

}  // namespace
}  // namespace trainyard::weights
