// SPDX-License-Identifier: GPL-3.0-or-later
// Schedules: their actions, refused schedules, results of the simulator. Without tensors.

#include <algorithm>
#include <functional>
#include <optional>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/pipeline/check_schedule.h"
#include "distributed/pipeline/pipeline_schedule.h"
#include "distributed/pipeline/simulator.h"
#include "distributed/pipeline/stage_blocks.h"
#include "support/says.h"

namespace trainyard::pipeline {
namespace {

using enum ActionKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::size_t> last_backwards(const RankActions& actions) {
    std::vector<std::size_t> last;
    for (std::size_t i = 0; i < actions.size(); ++i)
        if (is_last_backward(actions, i))
            last.push_back(i);
    return last;
}

TEST(Schedule, AccumulationIsATable) {
    Schedule schedule = plain_schedule(3);
    EXPECT_EQ(to_text(schedule), "0F0 0B0 0F1 0B1 0F2 0B2 0REDUCE_GRAD\n");
    EXPECT_THAT(last_backwards(schedule.ranks[0]), ElementsAre(5u));
}

// GPipe and 1F1B, and the tables of several stages per rank: golden_schedules.cpp.

TEST(Schedule, ZeroBubbleSendsInputGradientsBeforeWeightsAreDone) {
    Schedule schedule = make_schedule("ZBH1", 2, 3);
    EXPECT_EQ(
        to_text(schedule),
        "0F0 0SEND_F0 0F1 0SEND_F1 0RECV_B0 0I0 0W0 0F2 0SEND_F2 0RECV_B1 0I1 0W1 0RECV_B2 0I2 0W2 0REDUCE_GRAD\n"
        "1RECV_F0 1F0 1I0 1SEND_B0 1RECV_F1 1F1 1I1 1SEND_B1 1W0 1RECV_F2 1F2 1I2 1SEND_B2 1W1 1W2 1REDUCE_GRAD\n");
    EXPECT_THAT(last_backwards(schedule.ranks[0]), IsEmpty()) << "gradients are whole when the last weights are";
}

TEST(Schedule, TheLastBackwardOfARankIsOfOneOfItsStages) {
    const Schedule schedule = make_schedule("Interleaved1F1B", 2, 2);
    for (const RankActions& row : schedule.ranks) {
        const std::vector<std::size_t> last = last_backwards(row);
        ASSERT_EQ(last.size(), 1u);
        EXPECT_THAT(to_text(row[last[0]]), ::testing::AnyOf("0B1", "1B1"));
    }
}

TEST(Schedule, MessagesAreReceivedWhenTheyAreNeeded) {
    // Rank 0 gets the outputs of stage 1 for both micro-batches before it uses the first.
    EXPECT_EQ(
        to_text(make_schedule("Interleaved1F1B", 2, 2).ranks[0]),
        "0F0 0SEND_F0 0F1 0SEND_F1 2RECV_F0 2F0 2SEND_F0 2RECV_F1 2F1 2SEND_F1 2RECV_B0 2B0 2SEND_B0 2RECV_B1 2B1 "
        "2SEND_B1 2REDUCE_GRAD 0RECV_B0 0B0 0RECV_B1 0B1 0REDUCE_GRAD");
    // The turn of the V is on one rank.
    EXPECT_THAT(to_text(make_schedule("ZBVZeroBubble", 2, 2).ranks[1]),
                ::testing::AllOf(HasSubstr("1F0 2F0"), ::testing::Not(HasSubstr("2RECV_F")),
                                 ::testing::Not(HasSubstr("1RECV_B"))));
}

TEST(Schedule, WhatAScheduleCannotTakeIsSaid) {
    const auto refusal = [](const char* name, PipelineSize size) {
        const std::optional<Message> refused = schedule_refusal(name, size);
        return refused ? refused->text() : std::string();
    };
    EXPECT_EQ(refusal("Interleaved1F1B", {2, 0, 5}),
              "Interleaved1F1B over 2 ranks takes 5 micro-batches in 2 rounds: give a multiple of 2");
    EXPECT_EQ(refusal("Interleaved1F1B", {2, 3, 4}), "");
    EXPECT_EQ(refusal("1F1B", {2, 2, 4}), "1F1B has one stage on each rank, not 2");
    EXPECT_EQ(refusal("ZBVZeroBubble", {2, 1, 4}), "ZBVZeroBubble has two stages on each rank, not 1");
    EXPECT_EQ(refusal("DualPipeV", {2, 0, 3}),
              "DualPipeV needs as many micro-batches as stages at least: 4 stages and 3 micro-batches");
    EXPECT_EQ(refusal("LoopedBFS", {3, 0, 7}), "");
    EXPECT_THROW(make_schedule("ZBVZeroBubble", 2, 4, 1), std::invalid_argument);
}

TEST(Schedule, EveryTableOfEverySizeCanBeExecuted) {
    for (const std::string& name : schedule_names())
        for (int ranks = 1; ranks <= 4; ++ranks)
            for (int stages_per_rank : {1, 2, 3})
                for (int micro_batches = 1; micro_batches <= 9; ++micro_batches)
                    if (const PipelineSize size{ranks, stages_per_rank, micro_batches}; !schedule_refusal(name, size)) {
                        const Schedule schedule = make_schedule(name, ranks, micro_batches, stages_per_rank);
                        EXPECT_THAT(schedule_problems(schedule), IsEmpty())
                            << name << " " << ranks << " x " << stages_per_rank << ", " << micro_batches;
                        EXPECT_THAT(schedule_problems(forward_schedule(schedule.rank_of_stage, micro_batches)),
                                    IsEmpty());
                    }
    for (int micro_batches = 1; micro_batches <= 9; ++micro_batches)
        EXPECT_THAT(schedule_problems(make_schedule("GPipe", 4, micro_batches), Sends::rendezvous), IsEmpty());
    EXPECT_THROW(make_schedule("2F1B", 2, 2), std::invalid_argument);
    EXPECT_THROW(make_schedule("GPipe", 0, 2), std::invalid_argument);
    EXPECT_THROW(forward_schedule({}, 2), std::invalid_argument);
}

/// A schedule with 2 stages and 3 micro-batches, modified to be invalid.
std::string problem_of(const std::function<void(Schedule&)>& spoil, Sends sends = Sends::buffered) {
    Schedule schedule = make_schedule("1F1B", 2, 3);
    spoil(schedule);
    std::string text;
    for (const std::string& problem : schedule_problems(schedule, sends))
        text += problem + "\n";
    return text;
}

void remove(RankActions& actions, const Action& action) {
    actions.erase(std::find(actions.begin(), actions.end(), action));
}

void swap(RankActions& actions, const Action& a, const Action& b) {
    std::iter_swap(std::find(actions.begin(), actions.end(), a), std::find(actions.begin(), actions.end(), b));
}

TEST(ScheduleCheck, SendsThatWaitForEachOtherBlock) {
    // With sends that block until they are received (not the default), both ranks wait in their sends.
    EXPECT_THAT(problem_of([](Schedule&) {}, Sends::rendezvous),
                HasSubstr("the table blocks: rank 0 waits in 0SEND_F1 for 1RECV_F1, rank 1 waits in 1SEND_B0 for "
                          "0RECV_B0"));
    EXPECT_EQ(problem_of([](Schedule&) {}), "");
}

TEST(ScheduleCheck, WaitingInACircleIsFound) {
    // Stage 0 needs a gradient before it has sent the activation that it depends on.
    std::string text = problem_of([](Schedule& schedule) {
        RankActions& first = schedule.ranks[0];
        remove(first, {receive_backward, 0, 0});
        first.insert(first.begin(), {receive_backward, 0, 0});
    });
    EXPECT_EQ(text, "the table blocks: rank 0 waits in 0RECV_B0 for 1SEND_B0, rank 1 waits in 1RECV_F0 for 0SEND_F0\n");
}

TEST(ScheduleCheck, WhatIsMissingOrTwiceIsNamed) {
    EXPECT_THAT(problem_of([](Schedule& s) { remove(s.ranks[0], {forward, 0, 1}); }), HasSubstr("0F1 is missing"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    remove(s.ranks[1], {backward, 1, 2});
                }),
                HasSubstr("stage 1 has no whole backward of micro-batch 2"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    remove(s.ranks[1], {receive_forward, 1, 2});
                }),
                HasSubstr("1RECV_F2 is missing"));
    EXPECT_THAT(problem_of([](Schedule& s) { remove(s.ranks[1], {reduce, 1}); }), HasSubstr("1REDUCE_GRAD is missing"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    s.ranks[0].push_back({forward, 0, 1});
                }),
                HasSubstr("0F1 is there twice on rank 0"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    s.ranks[0].push_back({backward_weight, 0, 1});
                }),
                HasSubstr("stage 0 has no whole backward of micro-batch 1"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    s.ranks[0].push_back({forward, 0, 3});
                }),
                HasSubstr("0F3 on rank 0 is of a stage or micro-batch that the table does not have"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    s.ranks[1].push_back({forward, 0, 1});
                }),
                HasSubstr("0F1 on rank 1 is of a stage that is on rank 0"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    s.ranks[1].push_back({send_forward, 1, 1});
                }),
                HasSubstr("1SEND_F1 on rank 1 has no stage at its other end"));
    EXPECT_THAT(problem_of([](Schedule& s) { s.rank_of_stage = {0}; }),
                test::says("the table does not say on which rank each of its stages is"));
}

TEST(ScheduleCheck, TheOrderWithinARankIsChecked) {
    EXPECT_THAT(problem_of([](Schedule& s) {
                    swap(s.ranks[1], {forward, 1, 0}, {backward, 1, 0});
                }),
                HasSubstr("1B0 comes before 1F0 on rank 1"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    swap(s.ranks[0], {forward, 0, 0}, {send_forward, 0, 0});
                }),
                HasSubstr("0SEND_F0 comes before 0F0 on rank 0"));
    EXPECT_THAT(problem_of([](Schedule& s) {
                    swap(s.ranks[0], {reduce, 0}, {backward, 0, 2});
                }),
                HasSubstr("0REDUCE_GRAD comes before 0B2 on rank 0"));
}

TEST(ScheduleCheck, MessagesThatWouldBeMixedUpAreFound) {
    // Two messages of equal size that are sent in one order and received in the other would be confused.
    std::string text = problem_of([](Schedule& schedule) {
        RankActions& first = schedule.ranks[0];
        swap(first, {send_forward, 0, 0}, {send_forward, 0, 1});
        remove(first, {forward, 0, 1});
        first.insert(first.begin(), {forward, 0, 1});
    });
    EXPECT_THAT(text, HasSubstr("message 1 from rank 0 to rank 1 is for 1RECV_F1 and is taken by 1RECV_F0"));
}

TEST(ScheduleCheck, StagesOfOneRankNeedNoMessages) {
    Schedule schedule{
        "two stages on one rank",
        2,
        1,
        {0, 0},
        {{{forward, 0, 0}, {forward, 1, 0}, {backward, 1, 0}, {backward, 0, 0}, {reduce, 0}, {reduce, 1}}}};
    EXPECT_THAT(schedule_problems(schedule), IsEmpty());
    std::swap(schedule.ranks[0][2], schedule.ranks[0][3]);
    EXPECT_THAT(schedule_problems(schedule), ElementsAre(HasSubstr("0B0 comes before 1B0")));
}

TEST(ScheduleSimulator, TheBubbleIsThatOfThePapers) {
    for (int stages : {1, 2, 4, 8})
        for (int micro_batches : {8, 16}) {
            std::vector<StageTimes> times(static_cast<std::size_t>(stages), StageTimes{1, 1, 1});
            double expected = static_cast<double>(stages - 1) / (micro_batches + stages - 1);
            for (const char* name : {"GPipe", "1F1B"}) {
                Simulation simulation = simulate(make_schedule(name, stages, micro_batches), times);
                EXPECT_NEAR(simulation.bubble, expected, 1e-12) << name << " " << stages << " x " << micro_batches;
                EXPECT_NEAR(simulation.seconds, 3.0 * (micro_batches + stages - 1), 1e-9);
            }
            // ZB-H1: (p-1)(F+B-W) remain of (p-1)(F+B+W), a third.
            Simulation zero = simulate(make_schedule("ZBH1", stages, micro_batches), times);
            EXPECT_NEAR(zero.seconds, 3.0 * micro_batches + (stages - 1), 1e-9) << stages << " x " << micro_batches;
        }
}

TEST(ScheduleSimulator, SeveralStagesPerRankShrinkTheBubble) {
    for (int ranks : {2, 4})
        for (int stages_per_rank : {1, 2, 4}) {
            // Stages of a rank share its work. Narayanan et al., 2021: (p - 1) / (v m) of the ideal time.
            const double part = 1.0 / stages_per_rank;
            const std::vector<StageTimes> times(static_cast<std::size_t>(ranks * stages_per_rank), {part, part, part});
            const int micro_batches = 4 * ranks;
            const Simulation simulation =
                simulate(make_schedule("Interleaved1F1B", ranks, micro_batches, stages_per_rank), times);
            EXPECT_NEAR(simulation.seconds, 3.0 * micro_batches + 3.0 * (ranks - 1) / stages_per_rank, 1e-9)
                << ranks << " x " << stages_per_rank;
        }
    // ZB-V: no bubble but the way of the first micro-batch to the last rank, where F, I and W take the same time.
    for (int ranks : {2, 4}) {
        const std::vector<StageTimes> times(static_cast<std::size_t>(2 * ranks), {0.5, 0.5, 0.5});
        const Simulation simulation = simulate(make_schedule("ZBVZeroBubble", ranks, 4 * ranks), times);
        EXPECT_NEAR(simulation.seconds, 3.0 * 4 * ranks + 0.5 * (ranks - 1), 1e-9) << ranks;
    }
}

TEST(ScheduleSimulator, OneForwardOneBackwardKeepsAsManyMicroBatchesAsThereAreStages) {
    std::vector<StageTimes> times(4);
    Simulation gpipe = simulate(make_schedule("GPipe", 4, 10), times),
               alternating = simulate(make_schedule("1F1B", 4, 10), times),
               zero = simulate(make_schedule("ZBH1", 4, 10), times);
    for (int rank = 0; rank < 4; ++rank) {
        auto place = static_cast<std::size_t>(rank);
        EXPECT_EQ(gpipe.ranks[place].peak_activations, 10);
        EXPECT_EQ(alternating.ranks[place].peak_activations, 4 - rank);
        EXPECT_LE(zero.ranks[place].peak_activations, 4 + 1) << rank;
    }
    EXPECT_EQ(simulate(forward_schedule({0, 1, 2, 3}, 10), times).ranks[0].peak_activations, 0);
}

TEST(ScheduleSimulator, ASlowStageAndSlowMessagesCost) {
    Schedule schedule = make_schedule("1F1B", 2, 4);
    double even = simulate(schedule, {{1, 1, 1}, {1, 1, 1}}).seconds;
    EXPECT_NEAR(simulate(schedule, {{1, 1, 1}, {2, 2, 2}}).seconds, 1 + 4 * 6 + 2, 1e-9) << "the slow one never waits";
    EXPECT_NEAR(even, 3.0 * (4 + 1), 1e-9);
    // With messages of 0.5 s, by hand: stage 1 has F0 1.5-2.5, B0 2.5-4.5, F1 4.5-5.5, B1 5.5-7.5, F2 8.5-9.5, B2
    // 9.5-11.5, F3 11.5-12.5, B3 12.5-14.5; stage 0 has F0 0-1, F1 1-2, B0 5-7, F2 7-8, B1 8-10, F3 10-11, B2 12-14, B3
    // 15-17.
    EXPECT_NEAR(simulate(schedule, {{1, 1, 1}, {1, 1, 1}}, 0.5).seconds, 17, 1e-9);
    EXPECT_THROW(simulate(schedule, {{1, 1, 1}}), std::invalid_argument);
    Schedule broken = schedule;
    broken.ranks[0].clear();
    EXPECT_THROW(simulate(broken, {{}, {}}), std::invalid_argument);
}

TEST(PipelineSplit, TheLargestStageIsAsSmallAsItCanBe) {
    std::vector<double> costs{3, 1, 1, 1, 1, 4, 1, 2};
    for (int stages = 1; stages <= 8; ++stages) {
        std::vector<StageBlocks> split = split_into_stages(costs, stages);
        double largest = 0;
        int next = 0;
        for (StageBlocks blocks : split) {
            EXPECT_EQ(blocks.begin, next);
            EXPECT_GT(blocks.end, blocks.begin);
            next = blocks.end;
            double sum = 0;
            for (int i = blocks.begin; i < blocks.end; ++i)
                sum += costs[static_cast<std::size_t>(i)];
            largest = std::max(largest, sum);
        }
        EXPECT_EQ(next, 8);
        // All divisions: bit i of `cuts` divides after block i.
        double best = 1e9;
        for (unsigned cuts = 0; cuts < 128; ++cuts) {
            if (__builtin_popcount(cuts) != stages - 1)
                continue;
            double most = 0, sum = 0;
            for (unsigned i = 0; i < 8; ++i) {
                sum += costs[i];
                most = std::max(most, sum);
                if ((cuts >> i & 1) != 0)
                    sum = 0;
            }
            best = std::min(best, most);
        }
        EXPECT_EQ(largest, best) << stages;
    }
    try {
        split_into_stages({1, 1}, 3);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_STREQ(error.what(), "3 pipeline stages cannot be cut from a model of 2 blocks: give from 1 to 2");
    }
}

}  // namespace
}  // namespace trainyard::pipeline
