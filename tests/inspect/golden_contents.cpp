// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with checkpoints of Accelerate and torch (tests/golden/checkpoints): reading tensors by ranges must give the
// same bytes as reading the whole file. Broken and hostile checkpoints must be refused with a message, without a crash,
// a read outside the file, or execution of their content.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/filesystem.h"
#include "formats/weights/weight_source.h"
#include "observe/inspect/statistics.h"
#include "observe/inspect/verify.h"
#include "support/golden.h"
#include "support/process_limit.h"
#include "support/temporary_folder.h"

namespace trainyard::inspect {
namespace {

using nlohmann::json;

TEST(GoldenContents, RangesGiveTheSameBytesAsAWholeRead) {
    int cases = 0;
    for (const auto& entry : fs::directory_iterator(test::golden("checkpoints"))) {
        const fs::path folder = entry.path() / "ckpt";
        if (!fs::exists(folder))
            continue;
        SCOPED_TRACE(folder.string());
        const Contents contents = read_contents(folder);
        EXPECT_THAT(contents.problems, testing::IsEmpty());
        EXPECT_EQ(contents.state, CheckpointState::whole);
        const Reader reader(contents);
        std::unique_ptr<weights::WeightSource> source;
        try {
            source = weights::open_first_model(folder);
        } catch (const UserError&) {
            continue;  // several weight files that do not form one model
        }
        ++cases;
        for (std::size_t i = 0; i < source->tensors().size(); ++i) {
            const auto& wanted = source->tensors()[i];
            const auto found = std::ranges::find_if(contents.tensors, [&](const Tensor& tensor) {
                return tensor.name == wanted.name && tensor.section == Section::weights;
            });
            ASSERT_NE(found, contents.tensors.end()) << wanted.name;
            EXPECT_EQ(found->shape, wanted.shape);
            EXPECT_EQ(found->dtype, wanted.dtype);
            std::vector<std::byte> bytes;
            source->stream(
                i, [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
            EXPECT_EQ(reader.elements(*found, 0, element_count(*found)), bytes) << wanted.name;
            if (element_count(*found) > 3) {
                const std::size_t size = element_bytes(*found);
                EXPECT_TRUE(std::ranges::equal(reader.elements(*found, 2, 1), std::span(bytes).subspan(2 * size, size)))
                    << wanted.name;
            }
        }
        Progress progress;
        std::size_t told = 0;
        EXPECT_THAT(statistics_pass(
                        reader, {}, [&](std::size_t, const Statistics&) { ++told; }, progress)
                        .problems,
                    testing::IsEmpty());
        EXPECT_GT(told, 0u);
        EXPECT_TRUE(verify(folder, false, progress).problems.empty());
    }
    EXPECT_GT(cases, 0);
}

class HostileContents : public testing::Test {
  protected:
    void SetUp() override {
        fs::current_path(folder_.path());
#if !defined(__SANITIZE_ADDRESS__)
        memory_.emplace(RLIMIT_AS, 1u << 30);
#endif
    }
    void TearDown() override {
        EXPECT_FALSE(fs::exists(folder_.path() / "PICKLE_WAS_RUN"));
        EXPECT_FALSE(fs::exists(hostile_ / "PICKLE_WAS_RUN"));
        fs::current_path("/");
    }
    std::optional<test::ProcessLimit> memory_;
    test::ProcessLimit seconds_{RLIMIT_CPU, test::ProcessLimit::processor_seconds(60)};
    test::TemporaryFolder folder_;
    fs::path hostile_ = test::golden("checkpoints/hostile");
};

TEST_F(HostileContents, AreTakenOrToldInASentence) {
    int judged = 0;
    for (const json& entry : json::parse(std::ifstream(hostile_ / "expected.json"))) {
        const std::string name = entry.contains("file") ? entry["file"] : entry["folder"];
        SCOPED_TRACE(name + ": " + entry.value("why", ""));
        std::string said;
        try {
            const Contents contents = read_contents(hostile_ / name);
            const Reader reader(contents);
            Progress progress;
            const auto pass = statistics_pass(
                reader, {}, [](std::size_t, const Statistics&) {}, progress, 1);
            const Verdict verdict = verify(hostile_ / name, false, progress);
            for (const auto* problems : {&contents.problems, &pass.problems, &verdict.problems})
                for (const Message& problem : *problems)
                    said += problem.text() + "\n";
        } catch (const UserError& error) {
            said = error.what();
        }
        ++judged;
        const auto expect = entry["expect"].get<std::string>();
        if (expect == "accepted") {
            EXPECT_EQ(said, "");
        } else if (expect == "rejected") {
            EXPECT_NE(said.find(name), std::string::npos) << "the message must contain the name: " << said;
        }
    }
    EXPECT_GT(judged, 0);
}

}  // namespace
}  // namespace trainyard::inspect
