// SPDX-License-Identifier: GPL-3.0-or-later
// Silent, idle and hanging ranks, from messages and times that are made up.

#include "launch/supervisor/rank_watch.h"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/says.h"

namespace trainyard::launch {
namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class Watching : public testing::Test {
  protected:
    /// Ranks 0 on host a and 1 on host b, which start at 0 s.
    Watching() : watch_(options_, spec_, [this](int rank) { return conditions_[rank]; }) {
        std::vector<run::RankState> ranks(2);
        ranks[0].host = "a";
        ranks[1].rank = 1;
        ranks[1].host = "b";
        watch_.begin(ranks, 0);
    }

    void beat(int rank, double now, std::int64_t step, const std::string& phase = "forward",
              const std::string& waits_for = {}) {
        watch_.heard(rank, now);
        watch_.heartbeat(rank, {.step = step, .phase = phase, .collective = {}, .waits_for = waits_for}, now);
    }
    void beat_both(double now, std::int64_t step, const std::string& phase = "forward") {
        for (int rank : {0, 1})
            beat(rank, now, step, phase);
    }
    void report_step(std::int64_t step, double seconds, double now) {
        ProgressReport report;
        report.progress.step = step;
        report.step_s = seconds;
        watch_.progress(0, report, now);
    }
    RankWatch::Findings look(double now) {
        std::optional<RankWatch::Findings> found = watch_.look(now);
        EXPECT_TRUE(found) << "it is too early for a look";
        return found.value_or(RankWatch::Findings());
    }

    SupervisorOptions options_;
    run::RunSpec spec_;
    std::map<int, Message> conditions_;
    RankWatch watch_;
};

TEST_F(Watching, RanksThatMoveAreNotReported) {
    for (int second = 1; second < 100; ++second) {
        beat_both(second, second);
        const RankWatch::Findings found = look(second);
        EXPECT_THAT(found.warnings, IsEmpty());
        EXPECT_FALSE(found.hang);
    }
    EXPECT_EQ(watch_.newest_step(), 99);
}

TEST_F(Watching, LooksAreSpaced) {
    EXPECT_TRUE(watch_.look(1));
    EXPECT_FALSE(watch_.look(1.1));
    EXPECT_TRUE(watch_.look(1.25));
}

TEST_F(Watching, ASilentRankIsReportedOnceWithThoseThatWaitForIt) {
    beat_both(1, 1);
    for (int second = 2; second <= 12; ++second)
        beat(0, second, 2, "reduce", "all_reduce #2 grads");
    EXPECT_THAT(look(10.9).warnings, IsEmpty());
    const RankWatch::Findings found = look(11.2);
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_EQ(found.warnings[0].rank, 1);
    EXPECT_THAT(found.warnings[0].text.text(),
                says("rank {} on {} has been silent for {}", 1, "b", StartsWith("10")).at_start());
    EXPECT_THAT(found.warnings[0].text.text(),
                test::says("rank {} waits in {}", "0",
                           testing::StartsWith("all_reduce #2 grads; rank 1 on b is in forward at step 1")));
    EXPECT_THAT(found.ranks, SizeIs(2)) << "for the record";
    EXPECT_THAT(look(12.2).warnings, IsEmpty());
    EXPECT_EQ(watch_.heard(1, 13), 12);
    EXPECT_FALSE(watch_.heard(1, 30)) << "this silence was not reported";
}

TEST_F(Watching, ARankThatIsSeenStoppedIsReportedAfterTwoHeartbeats) {
    beat_both(1, 1);
    conditions_[1] = "is stopped (SIGSTOP)";
    beat(0, 2.8, 1);
    EXPECT_THAT(look(2.9).warnings, IsEmpty());
    const RankWatch::Findings found = look(3.1);
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_THAT(found.warnings[0].text.text(),
                says("rank {} on {} is in {} and {}", 1, "b", says_only("{} at step {}", "forward", 1),
                     says_only("is stopped (SIGSTOP)"))
                    .at_end());
    watch_.ended(1);
    beat(0, 5, 1);
    EXPECT_THAT(look(5).ranks, IsEmpty()) << "ranks that have ended are not awaited";
}

TEST_F(Watching, NoProgressIsReportedOnceUntilSomethingMoves) {
    beat_both(1, 1);
    for (int second = 2; second <= 11; ++second)
        beat_both(second, 1);
    const RankWatch::Findings found = look(11);
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_EQ(found.warnings[0].rank, std::nullopt) << "all are at the same place";
    EXPECT_THAT(found.warnings[0].text.text(), says("no progress for {}", 10).at_start());
    beat_both(12, 1);
    EXPECT_THAT(look(12).warnings, IsEmpty());
    beat_both(13, 2);
    for (int second = 14; second <= 23; ++second)
        beat_both(second, 2);
    EXPECT_THAT(look(23).warnings, SizeIs(1));
}

TEST_F(Watching, LongPhasesAndLongStepsHaveMoreTime) {
    const auto warns_after = [&](double seconds, double start) {
        beat_both(start + seconds - 1, watch_.newest_step(), "forward");
        return !look(start + seconds).warnings.empty();
    };
    watch_.started(0, 0);
    for (double now : {30.0, 59.0}) {
        beat_both(now, 0, "");
        EXPECT_THAT(look(now).warnings, IsEmpty()) << "before the first step";
    }
    beat_both(60.5, 0, "");
    EXPECT_THAT(look(60.5).warnings, SizeIs(1));
    report_step(1, 3, 100);
    beat_both(100, 1);
    EXPECT_FALSE(warns_after(29, 100)) << "ten steps of 3 s";
    EXPECT_TRUE(warns_after(31, 100));
    beat_both(200, 2, "evaluate");
    beat_both(240, 2, "evaluate");
    EXPECT_THAT(look(241).warnings, IsEmpty());
}

TEST_F(Watching, AHangIsFoundAfterItsTimeOut) {
    spec_.launch.hang_timeout_s = 20;
    beat_both(1, 1);
    beat(0, 20, 1, "reduce", "all_reduce #1");
    const auto hear_both = [&](double now) {
        beat(0, now, 1, "reduce", "all_reduce #1");
        beat(1, now, 1);
    };
    hear_both(39);
    EXPECT_FALSE(look(39).hang);
    hear_both(40.2);
    const RankWatch::Findings found = look(40.2);
    ASSERT_TRUE(found.hang);
    EXPECT_EQ(found.hang->rank, 1) << "rank 0 waits for it";
    EXPECT_THAT(found.hang->text.text(),
                says("it hangs, nothing has moved for {}: {}", StartsWith("20"), _).at_start());
    spec_.launch.hang_timeout_s = 0;
    hear_both(10'000);
    EXPECT_FALSE(look(10'000).hang) << "no limit";
}

TEST_F(Watching, AHangInALongPhaseIsCertainOnlyWhereARankIsHeld) {
    spec_.launch.hang_timeout_s = 20;
    beat_both(1, 1, "save");
    beat_both(30, 1, "save");
    EXPECT_FALSE(look(30).hang);
    conditions_[0] = "is stopped (SIGSTOP)";
    beat(1, 33, 1, "save");
    const RankWatch::Findings found = look(33);
    ASSERT_TRUE(found.hang);
    EXPECT_EQ(found.hang->rank, 0);
}

TEST_F(Watching, BeforeTheFirstStepOnlySilenceIsAHang) {
    spec_.launch.hang_timeout_s = 20;
    beat_both(100, 0, "data");
    beat_both(199, 0, "data");
    EXPECT_FALSE(look(200).hang);
    EXPECT_TRUE(look(260).hang);
}

TEST_F(Watching, APausedRunIsWatchedForSilenceAlone) {
    spec_.launch.hang_timeout_s = 20;
    beat_both(1, 1, "paused");
    beat_both(99, 1, "paused");
    RankWatch::Findings found = look(100);
    EXPECT_THAT(found.warnings, IsEmpty());
    EXPECT_FALSE(found.hang);
    beat(0, 119, 1, "paused");
    found = look(120);
    EXPECT_THAT(found.warnings, SizeIs(1));
    ASSERT_TRUE(found.hang);
    EXPECT_EQ(found.hang->rank, 1);
}

TEST_F(Watching, StopsMayTakeTenStepsAndAnEvaluation) {
    EXPECT_EQ(watch_.stop_deadline(100, 101), 130) << "no step was done";
    report_step(1, 5, 100);
    beat_both(130, 1);
    EXPECT_EQ(watch_.stop_deadline(100, 131), 150) << "ten steps of 5 s";
    conditions_[1] = "is stopped (SIGSTOP)";
    EXPECT_EQ(watch_.stop_deadline(100, 133), 130) << "a rank is held";
    conditions_.clear();
    beat_both(140, 1, "evaluate");
    EXPECT_EQ(watch_.stop_deadline(100, 141), 140 + spec_.launch.hang_timeout_s);
    beat_both(160, 1, "forward");
    EXPECT_EQ(watch_.stop_deadline(100, 161), 141 + 50) << "ten steps after the evaluation was last seen";
    spec_.program.emplace();
    EXPECT_EQ(watch_.stop_deadline(100, 161), 130);
}

TEST_F(Watching, RanksThatDidNotStopAreNamed) {
    beat_both(10, 3);
    conditions_[1] = "is stopped (SIGSTOP)";
    beat(0, 20, 3);
    const RankWatch::Findings found = watch_.overdue("they are killed", 20);
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_EQ(found.warnings[0].rank, 1);
    EXPECT_THAT(found.warnings[0].text.text(),
                StartsWith("they are killed: rank 0 is in forward at step 3; rank 1 on b"));
}

TEST_F(Watching, AnIdleProgramIsReportedOnceUntilItWrites) {
    spec_.program.emplace();
    conditions_[0] = "used no CPU for 60 s";
    watch_.printed(0, 0, -1, 10);
    EXPECT_THAT(look(69).warnings, IsEmpty());
    const RankWatch::Findings found = look(75);
    ASSERT_THAT(found.warnings, SizeIs(1));
    EXPECT_EQ(found.warnings[0].rank, 0);
    EXPECT_THAT(found.warnings[0].text.text(),
                says("rank {} on {} may hang: it has written nothing for {} and {}", 0, "a", _, _));
    EXPECT_THAT(look(80).warnings, IsEmpty());
    EXPECT_FALSE(watch_.look(84)) << "programs are looked at every 5 s";
    watch_.printed(0, 0, -1, 90);
    EXPECT_THAT(look(90).warnings, IsEmpty());
    EXPECT_THAT(look(151).warnings, SizeIs(1));
}

TEST_F(Watching, StepsAreThoseOfThisGeneration) {
    EXPECT_EQ(watch_.newest_step(), -1);
    beat(1, 1, 7);
    report_step(6, 0.1, 1);
    EXPECT_EQ(watch_.newest_step(), 7);
    EXPECT_EQ(watch_.reported_step(), 6);
    watch_.begin(std::vector<run::RankState>(1), 2);
    EXPECT_EQ(watch_.newest_step(), -1);
    EXPECT_EQ(watch_.reported_step(), -1);
    watch_.printed(0, 3, 5, 3);
    EXPECT_EQ(watch_.newest_step(), 5) << "the program's progress";
}

}  // namespace
}  // namespace trainyard::launch
