// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the traces of several ranks: aligning their clocks, matching their collectives, and finding the rank that
// the others waited for.

#include <filesystem>

#include <gmock/gmock.h>

#include "base/error.h"
#include "base/file.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/tables.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

namespace fs = std::filesystem;
constexpr std::int64_t kMs = 1'000'000;

/// Ten collectives, one each 10 ms: a rank comes `late` after the begin of its slot; all end 8 ms after it. Its clock is wrong by `wrong`.
std::shared_ptr<const Trace> rank_trace(const fs::path& folder, int rank, std::int64_t late, std::int64_t wrong) {
    WrittenTrace text(
        fmt::format(R"("baseTimeNanoseconds":{},"distributedInfo":{{"backend":"gloo","rank":{},"world_size":3}})",
                    1'790'000'000'000'000'000 + wrong, rank));
    for (int i = 0; i < 10; ++i) {
        const std::int64_t slot = i * 10 * kMs;
        text.step(i, slot, 9 * kMs);
        text.slice("collective", "all_reduce", slot + late, 8 * kMs - late, 2, R"({"group":"data","bytes":4096})");
    }
    return text.read(folder / fmt::format("trace-rank-{}.json", rank));
}

TEST(RankSet, FindsTheRankThatWasWaitedForAndTheClockThatIsWrong) {
    test::TemporaryFolder folder;
    const RankSet set = join_ranks({rank_trace(folder.path(), 2, 1 * kMs, 3000 * kMs),
                                    rank_trace(folder.path(), 0, 0, 0), rank_trace(folder.path(), 1, 5 * kMs, 0)});
    ASSERT_EQ(set.ranks.size(), 3U);
    EXPECT_EQ(set.ranks[2].rank, 2);
    EXPECT_EQ(set.ranks[2].correction, -3000 * kMs);
    EXPECT_EQ(set.ranks[2].offset, 0);
    EXPECT_EQ(set.ranks[1].correction, 0);
    EXPECT_THAT(set.alignment, test::says("aligned by collectives: {} of {} clocks corrected, by at most {}",
                                          testing::EndsWith("1"), 3, testing::_));

    const std::vector<Wait> waits = set.waits(kWhole);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_EQ(waits[0].rank, 1);
    EXPECT_EQ(waits[0].collectives, 10U);
    EXPECT_EQ(waits[0].waited, 10 * (5 + 4) * kMs);
    EXPECT_EQ(waits[0].longest, 5 * kMs);
    EXPECT_EQ(set.last_to_come(0, 3), 1U);
    EXPECT_EQ(set.partners(0, 3).size(), 2U);
    EXPECT_EQ(set.waits(set.step(4)).at(0).collectives, 1U);
    EXPECT_EQ(set.step(4), (Span{40 * kMs, 49 * kMs}));
    EXPECT_EQ(set.step_numbers().size(), 10U);
}

TEST(RankSet, CountsOnlyTheTimeThatARankStoodStill) {
    test::TemporaryFolder folder;
    // Rank 0 starts the collective early and continues with other work; rank 1 joins 5 ms later. Both then wait for its
    // end.
    const auto trace = [&](int rank, std::int64_t begin, double waited_us) {
        WrittenTrace text(fmt::format(R"("baseTimeNanoseconds":1790000000000000000,"otherData":{{"rank":{}}})", rank));
        text.slice("collective", "all_reduce gradients", begin, 8 * kMs - begin, 2,
                   fmt::format(R"({{"Collective name":"all_reduce","number":1,"waited_us":{}}})", waited_us));
        return text.read(folder.path() / fmt::format("trace-rank-{}.json", rank));
    };
    const RankSet patient = join_ranks({trace(0, 0, 1000), trace(1, 5 * kMs, 3000)});
    EXPECT_EQ(patient.ranks[0].collectives[0].waited, 1 * kMs);
    EXPECT_EQ(patient.waits(kWhole).at(0).waited, 0);
    const RankSet blocked = join_ranks({trace(0, 0, 7000), trace(1, 5 * kMs, 3000)});
    EXPECT_EQ(blocked.waits(kWhole).at(0).rank, 1);
    EXPECT_EQ(blocked.waits(kWhole).at(0).waited, 4 * kMs);
}

TEST(RankSet, DoesNotTrustClocksThatAreDecadesApart) {
    test::TemporaryFolder folder;
    const RankSet set =
        join_ranks({rank_trace(folder.path(), 0, 0, 0), rank_trace(folder.path(), 1, 0, 2'000'000'000'000'000'000)});
    EXPECT_EQ(set.ranks[1].offset, 0);
}

TEST(RankFiles, AreThoseOfTheNewestProfileInTheOrderOfTheirRanks) {
    test::TemporaryFolder folder;
    const fs::path traces = folder.path() / "traces";
    fs::create_directory(traces);
    EXPECT_THROW(rank_files(folder.path()), UserError);
    for (const char* name : {"step-000010-rank-0.trace.json", "step-000010-rank-1.trace.json"}) {
        write_file_atomically(traces / name, "[]", false);
        fs::last_write_time(traces / name, fs::file_time_type::clock::now() - std::chrono::hours(1));
    }
    for (int rank : {10, 0, 2})
        write_file_atomically(traces / fmt::format("step-000020-rank-{}.trace.json.gz", rank), "[]", false);
    write_file_atomically(traces / "notes.txt", "no trace", false);
    std::vector<std::string> names;
    for (const fs::path& file : rank_files(folder.path()))
        names.push_back(file.filename());
    EXPECT_THAT(names, testing::ElementsAre("step-000020-rank-0.trace.json.gz", "step-000020-rank-2.trace.json.gz",
                                            "step-000020-rank-10.trace.json.gz"));
    EXPECT_EQ(profiles_in(folder.path()).size(), 2U);
    EXPECT_EQ(rank_files(traces / "notes.txt").size(), 1U) << "a file given by name must be used";
}

}  // namespace
}  // namespace trainyard::traces
