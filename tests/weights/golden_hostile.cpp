// SPDX-License-Identifier: GPL-3.0-or-later
// Broken and malicious torch files, distributed checkpoints and weight indexes (tests/golden/checkpoints/hostile,
// created by generate/hostile.py), selected by kind: everything except single safetensors files, which
// golden.safetensors_hostile uses. The expected result is in the entry, so new entries are tested, too.

#include <fstream>
#include <optional>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "formats/weights/torch_file.h"
#include "formats/weights/weight_source.h"
#include "support/golden.h"
#include "support/process_limit.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class GoldenHostile : public testing::Test {
  protected:
    void SetUp() override {
        // Pickles that manage to execute code create a file in the working folder.
        fs::current_path(folder_.path());
        // Sizes that a file only claims must be neither allocated nor computed with.
#if !defined(__SANITIZE_ADDRESS__)
        memory_.emplace(RLIMIT_AS, 1u << 30);
#endif
    }
    void TearDown() override {
        EXPECT_FALSE(fs::exists(folder_.path() / "PICKLE_WAS_RUN"));
        EXPECT_FALSE(fs::exists(hostile_ / "PICKLE_WAS_RUN"));
        fs::current_path("/");
    }

    /// The error; empty if the file was accepted.
    static std::string open_and_read(const fs::path& path) {
        std::size_t touched = 0;
        auto sink = [&](std::span<const std::byte> piece) {
            for (std::byte byte : piece)
                touched += static_cast<std::size_t>(byte);
        };
        try {
            if (fs::is_directory(path)) {
                auto source = open_weights(path);
                for (std::size_t i = 0; i < source->tensors().size(); ++i)
                    source->stream(i, sink);
            } else {
                TorchFile file(path);
                for (const Object* tensor : file.pickle().tensors())
                    file.stream(*tensor->tensor, sink);
            }
        } catch (const UserError& error) {
            return error.what();
        }
        return touched == 1 ? " " : "";
    }

    // Only for this suite: with the limits, other suites of the program would lack memory for threads.
    std::optional<test::ProcessLimit> memory_;
    test::ProcessLimit seconds_{RLIMIT_CPU, test::ProcessLimit::processor_seconds(60)};
    test::TemporaryFolder folder_;
    fs::path hostile_ = test::golden("checkpoints/hostile");
};

TEST_F(GoldenHostile, EachIsTakenOrRefused) {
    int taken = 0, refused = 0, survived = 0;
    for (const json& entry : json::parse(std::ifstream(hostile_ / "expected.json"))) {
        std::string name = entry.contains("file") ? entry["file"] : entry["folder"];
        if (name.ends_with(".safetensors"))
            continue;
        auto expect = entry["expect"].get<std::string>();
        SCOPED_TRACE(name + ": " + entry.value("why", ""));
        std::string said = open_and_read(hostile_ / name);
        if (expect == "accepted") {
            ++taken;
            EXPECT_EQ(said, "");
        } else if (expect == "rejected") {
            ++refused;
            EXPECT_NE(said.find(name), std::string::npos) << "must be refused with its name, said: " << said;
        } else if (expect == "accepted_swapped_or_rejected") {
            ++refused;
            EXPECT_THAT(said, test::says("{} holds its numbers with the highest byte first: save it again on a machine "
                                         "of the usual byte order",
                                         testing::_))
                << said;
        } else {
            EXPECT_EQ(expect, "no_crash");
            ++survived;
        }
    }
    EXPECT_GT(taken + refused + survived, 0) << "nothing was judged";
}

TEST_F(GoldenHostile, TheRefusalSaysWhatWasWanted) {
    const fs::path own = test::own_golden("checkpoints/hostile");
    EXPECT_THAT(open_and_read(own / "call_0_os_system_zip.bin"),
                test::says("it asks for {}.{}, which checkpoints of tensors do not need", "posix",
                           testing::StartsWith("system")));
    EXPECT_THAT(open_and_read(own / "text.bin"),
                test::says("{} is only a pointer of Git LFS: fetch the file itself with `git lfs pull`", testing::_));
    EXPECT_THAT(open_and_read(own / "zip_bomb_side_entry.bin"),
                test::says("{}: its entry '{}' is compressed, which torch.save never does", testing::_, testing::_));
}

}  // namespace
}  // namespace trainyard::weights
