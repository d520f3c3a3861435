// SPDX-License-Identifier: GPL-3.0-or-later
// The simulator beside stages that really take time: a thread per rank executes its row, sleeps or computes for every
// action and waits for real messages. The simulation gets the seconds that each action took alone, and must predict
// the whole step within 10 %.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

#include "distributed/pipeline/pipeline_schedule.h"
#include "distributed/pipeline/simulator.h"

namespace trainyard::pipeline {
namespace {

using enum ActionKind;
using Clock = std::chrono::steady_clock;
using ActionKey = std::tuple<ActionKind, int, int>;

ActionKey key_of(const Action& action) {
    return {action.kind, action.stage, action.micro_batch};
}

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// A step that was executed: its seconds, and those of every computation.
struct ExecutedStep {
    double seconds = 0;
    std::map<ActionKey, double> of_action;
};

template <class Work>
ExecutedStep execute(const Schedule& schedule, Work&& work) {
    ExecutedStep step;
    std::mutex mutex;
    std::condition_variable arrived;
    std::map<ActionKey, bool> messages;
    const auto post = [&](ActionKey message) {
        {
            const std::lock_guard lock(mutex);
            messages[message] = true;
        }
        arrived.notify_all();
    };
    const Clock::time_point begin = Clock::now();
    std::vector<std::thread> ranks;
    for (const RankActions& row : schedule.ranks)
        ranks.emplace_back([&, row] {
            for (const Action& action : row)
                for (const Action& part : parts_of(action)) {
                    if (part.micro_batch < 0)
                        continue;
                    if (part.kind == send_forward) {
                        post({receive_forward, part.stage + 1, part.micro_batch});
                    } else if (part.kind == send_backward) {
                        post({receive_backward, part.stage - 1, part.micro_batch});
                    } else if (part.kind == receive_forward || part.kind == receive_backward) {
                        std::unique_lock lock(mutex);
                        arrived.wait(lock, [&] { return messages[key_of(part)]; });
                    } else {
                        const Clock::time_point start = Clock::now();
                        work(part);
                        const double seconds = since(start);
                        const std::lock_guard lock(mutex);
                        step.of_action[key_of(part)] = seconds;
                    }
                }
        });
    for (std::thread& rank : ranks)
        rank.join();
    step.seconds = since(begin);
    return step;
}

double simulated(const Schedule& schedule, const ExecutedStep& step) {
    return simulate(schedule,
                    [&](const Action& action) {
                        const auto found = step.of_action.find(key_of(action));
                        return found == step.of_action.end() ? 0 : found->second;
                    })
        .seconds;
}

/// Milliseconds of an action: stages differ, a backward takes twice as long as a forward.
double milliseconds_of(const Action& action) {
    const double forward_ms = 4 + 2 * (action.stage % 3);
    return forward_ms * (action.kind == backward ? 2 : 1);
}

struct SleepingCase {
    const char* name;
    int ranks, stages_per_rank, micro_batches;
};

class SleepingStages : public ::testing::TestWithParam<SleepingCase> {};

TEST_P(SleepingStages, TakeTheSimulatedTime) {
    const SleepingCase& one = GetParam();
    const Schedule schedule = make_schedule(one.name, one.ranks, one.micro_batches, one.stages_per_rank);
    const ExecutedStep step = execute(schedule, [](const Action& action) {
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds_of(action)));
    });
    EXPECT_NEAR(simulated(schedule, step), step.seconds, 0.1 * step.seconds);
    // The tolerance tells schedules apart: without waiting for messages, or one action after the other, it fails.
    double longest = 0, sum = 0;
    for (std::size_t rank = 0; rank < schedule.ranks.size(); ++rank) {
        double busy = 0;
        for (const auto& [key, seconds] : step.of_action)
            if (schedule.rank_of_stage[static_cast<std::size_t>(std::get<1>(key))] == static_cast<int>(rank))
                busy += seconds;
        longest = std::max(longest, busy);
        sum += busy;
    }
    EXPECT_GT(std::fabs(sum - step.seconds), 0.1 * step.seconds);
    if (std::string(one.name) == "GPipe" || std::string(one.name) == "1F1B") {
        EXPECT_GT(std::fabs(longest - step.seconds), 0.1 * step.seconds);
    }
}

INSTANTIATE_TEST_SUITE_P(Schedules, SleepingStages,
                         ::testing::Values(SleepingCase{"GPipe", 4, 0, 6}, SleepingCase{"1F1B", 4, 0, 6},
                                           SleepingCase{"ZBH1", 4, 0, 8}, SleepingCase{"Interleaved1F1B", 2, 2, 4},
                                           SleepingCase{"InterleavedZeroBubble", 2, 2, 4},
                                           SleepingCase{"ZBVZeroBubble", 2, 0, 4}, SleepingCase{"LoopedBFS", 2, 2, 4}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ComputingStages, TakeTheSimulatedTime) {
    const Schedule schedule = make_schedule("1F1B", 2, 8);
    const ExecutedStep step = execute(schedule, [](const Action& action) {
        volatile double value = 1;
        for (int i = 0; i < 400'000 * static_cast<int>(milliseconds_of(action)); ++i)
            value = value * 1.0000001 + 1e-9;
    });
    EXPECT_NEAR(simulated(schedule, step), step.seconds, 0.1 * step.seconds);
}

TEST(SharedProcessors, WaitingRanksLeaveTheirPartToTheOthers) {
    using Computing = std::vector<bool>;
    const auto seconds = [](const Action& action) {
        return action.kind == backward ? 2.0 : action.kind == forward ? 1.0 : 0.0;
    };
    for (const char* name : {"GPipe", "1F1B"}) {
        const Schedule schedule = make_schedule(name, 4, 8);
        const Simulation alone = simulate(schedule, seconds, 0);
        const Simulation same = simulate(schedule, seconds, 0, [](const Computing&, std::size_t) { return 1.0; });
        EXPECT_NEAR(same.seconds, alone.seconds, 1e-9);
        EXPECT_NEAR(same.bubble, alone.bubble, 1e-9);
        // One processor: the work of all ranks one after the other, and nothing is idle but by waiting for it.
        const Simulation one = simulate(schedule, seconds, 0, [](const Computing& computing, std::size_t) {
            return 1.0 / static_cast<double>(std::ranges::count(computing, true));
        });
        EXPECT_NEAR(one.seconds, 4 * 8 * 3.0, 1e-6);
        // Two: at least half of the work, at most the step with a processor each.
        const Simulation two = simulate(schedule, seconds, 0, [](const Computing& computing, std::size_t) {
            return std::min(1.0, 2.0 / static_cast<double>(std::ranges::count(computing, true)));
        });
        EXPECT_GE(two.seconds, 4 * 8 * 3.0 / 2 - 1e-9);
        EXPECT_LE(two.seconds, one.seconds);
        EXPECT_GE(two.seconds, alone.seconds);
    }
}

}  // namespace
}  // namespace trainyard::pipeline
