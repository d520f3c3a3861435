// SPDX-License-Identifier: GPL-3.0-or-later
// Broken, malicious and unusual weight files (tests/golden/checkpoints/hostile, created by generate/hostile.py),
// selected by kind: every entry that is a single safetensors file. The other kinds (pickles, archives, sharded and
// distributed checkpoints) are tested with their readers.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"
#include "support/process_limit.h"

namespace trainyard::weights {
namespace {

using nlohmann::json;

TEST(GoldenSafetensorsHostile, EachFileIsTakenOrRefused) {
#if !defined(__SANITIZE_ADDRESS__)
    // Sizes that a header only claims must not be allocated. (The sanitizer itself reserves terabytes.)
    const test::ProcessLimit memory(RLIMIT_AS, 1u << 30);
#endif
    std::filesystem::path folder = test::golden("checkpoints/hostile");
    int judged = 0;
    for (const json& entry : json::parse(std::ifstream(folder / "expected.json"))) {
        std::string name = entry.value("file", "");
        if (!name.ends_with(".safetensors"))
            continue;
        SCOPED_TRACE(name + ": " + entry.value("why", ""));
        std::string said;
        try {
            SafetensorsFile file(folder / name);
            // Every byte that is given can be read, and is one of the file.
            std::size_t given = 0, zeros = 0;
            for (const TensorInfo& tensor : file.tensors())
                for (std::byte byte : file.bytes(tensor)) {
                    ++given;
                    zeros += byte == std::byte{0} ? 1 : 0;
                }
            EXPECT_LE(zeros, given);
            EXPECT_LT(given, std::filesystem::file_size(folder / name));
        } catch (const UserError& error) {
            said = error.what();
        }
        if (entry["expect"] == "accepted") {
            EXPECT_EQ(said, "");
        } else if (entry["expect"] == "rejected") {
            EXPECT_NE(said.find(name), std::string::npos) << "must be refused with its name, said: " << said;
        } else {
            EXPECT_EQ(entry["expect"], "no_crash");
        }
        ++judged;
    }
    EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace trainyard::weights
