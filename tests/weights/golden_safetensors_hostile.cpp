// Broken, malicious and unusual weight files (tests/golden/checkpoints/hostile, created by generate/hostile.py),
// selected by kind: every entry that is a single safetensors file. The other kinds (pickles, archives, sharded and
// distributed checkpoints) are tested with their readers.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "support/golden.h"
#include "support/process_limit.h"
#include "weights/safetensors.h"

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
            std::size_t touched = 0;
            for (const TensorInfo& tensor : file.tensors())
                for (std::byte byte : file.bytes(tensor))
                    touched += static_cast<std::size_t>(byte);
            EXPECT_GE(touched, 0u);
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
