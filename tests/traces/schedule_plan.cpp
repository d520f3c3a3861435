// SPDX-License-Identifier: GPL-3.0-or-later
// The schedule of a pipeline without waits: what each action needs, how long it takes, what is left of the bubble.

#include "observe/traces/schedule_plan.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "traces/written_trace.h"

namespace trainyard::traces {
namespace {

class Schedules : public testing::Test {
  protected:
    /// Rank `rank` of `ranks` with these actions: name, begin and duration in us.
    using Actions = std::vector<std::tuple<const char*, int, int>>;
    std::shared_ptr<const Trace> rank_of(int rank, int ranks, const Actions& actions) {
        WrittenTrace text(
            fmt::format(R"("distributedInfo":{{"backend":"gloo","rank":{},"world_size":{}}})", rank, ranks));
        text.step(1, 0, 1'000'000);
        for (const auto& [name, begin, duration] : actions)
            text.slice("action", name, begin * 1'000, duration * 1'000, 5);
        return text.read(folder_.path() / fmt::format("trace-rank-{}.json", rank));
    }
    static std::vector<std::pair<std::int64_t, std::int64_t>> planned(const SchedulePlan& plan, std::size_t rank) {
        std::vector<std::pair<std::int64_t, std::int64_t>> times;
        for (const PlannedAction& action : plan.ranks[rank])
            times.emplace_back(action.planned.begin / 1'000, action.planned.end / 1'000);
        return times;
    }
    test::TemporaryFolder folder_;
};

using Times = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST_F(Schedules, OfGPipeOnTwoStagesHaveTheBubbleOfTheBook) {
    // Forward takes 10, backward 20, on both stages; rank 0 was held up by 50 before its second forward.
    const RankSet set = join_ranks(
        {rank_of(0, 2, {{"0F0", 0, 10}, {"0SEND_F0", 10, 1}, {"0F1", 60, 10}, {"0B0", 120, 20}, {"0B1", 140, 25}}),
         rank_of(1, 2,
                 {{"1RECV_F0", 0, 10},
                  {"1F0", 10, 10},
                  {"1F1", 70, 15},
                  {"1B0", 90, 20},
                  {"1B1", 110, 20},
                  {"REDUCE", 200, 5}})});
    const SchedulePlan plan = plan_of(set);
    ASSERT_EQ(plan.steps.size(), 1U);
    EXPECT_EQ(planned(plan, 0), (Times{{0, 10}, {10, 20}, {50, 70}, {70, 90}}));
    EXPECT_EQ(planned(plan, 1), (Times{{10, 20}, {20, 30}, {30, 50}, {50, 70}}));
    const PlannedStep& step = plan.steps[0];
    EXPECT_EQ(step.number, 1);
    EXPECT_EQ(step.measured.end - step.measured.begin, 165'000);
    EXPECT_EQ(step.planned.end - step.planned.begin, 90'000);
    // (stages - 1) / (micro-batches + stages - 1)
    EXPECT_NEAR(step.planned_bubble, 1.0 / 3, 1e-9);
    EXPECT_NEAR(step.measured_bubble, 1 - (65.0 + 65.0) / 330, 1e-9);
}

TEST_F(Schedules, WithSeparateBackwardsWaitForWhatTheyNeedOnly) {
    // W of stage 1 fills the time in which stage 0 computes; I of stage 0 waits for I of stage 1, not for its W.
    const RankSet set = join_ranks({rank_of(0, 2, {{"0F0", 0, 10}, {"0I0", 300, 10}, {"0W0", 400, 10}}),
                                    rank_of(1, 2, {{"1F0", 100, 10}, {"1I0", 200, 10}, {"1W0", 250, 10}})});
    const SchedulePlan plan = plan_of(set);
    EXPECT_EQ(planned(plan, 0), (Times{{0, 10}, {30, 40}, {40, 50}}));
    EXPECT_EQ(planned(plan, 1), (Times{{10, 20}, {20, 30}, {30, 40}}));
}

TEST_F(Schedules, OfCopiesOfThePipelineDoNotWaitForEachOther) {
    // Ranks 0 and 1 have stage 0, ranks 2 and 3 stage 1; the second copy began later.
    const RankSet set = join_ranks({rank_of(0, 4, {{"0F0", 0, 10}}), rank_of(1, 4, {{"0F0", 100, 30}}),
                                    rank_of(2, 4, {{"1F0", 20, 10}}), rank_of(3, 4, {{"1F0", 200, 10}})});
    const SchedulePlan plan = plan_of(set);
    for (const std::size_t rank : {2U, 3U})
        EXPECT_EQ(planned(plan, rank), (Times{{10, 20}})) << rank;
}

TEST_F(Schedules, OfOneRankAloneAreWhatItDid) {
    const RankSet set = join_ranks({rank_of(1, 2, {{"1F0", 30, 10}, {"1B0", 50, 20}})});
    EXPECT_EQ(planned(plan_of(set), 0), (Times{{30, 40}, {40, 60}}));
    EXPECT_TRUE(plan_of(join_ranks({rank_of(0, 1, {})})).empty());
}

TEST_F(Schedules, OfAModelWithoutStagesAreNone) {
    // Two copies of a whole model, each with two micro-batches: there is no bubble, whatever lies between them.
    const RankSet copies =
        join_ranks({rank_of(0, 2, {{"0F0", 0, 10}, {"0B0", 10, 20}, {"0F1", 40, 10}, {"0B1", 50, 20}}),
                    rank_of(1, 2, {{"0F0", 0, 10}, {"0B0", 15, 20}, {"REDUCE", 40, 5}})});
    const SchedulePlan plan = plan_of(copies);
    EXPECT_TRUE(plan.empty());
    for (const auto& rank : plan.ranks)
        EXPECT_TRUE(rank.empty());
    // The first stage of a pipeline alone is one: it sends to the next.
    EXPECT_EQ(planned(plan_of(join_ranks({rank_of(0, 2, {{"0F0", 0, 10}, {"0SEND_F0", 10, 5}})})), 0),
              (Times{{0, 10}}));
}

}  // namespace
}  // namespace trainyard::traces
