// SPDX-License-Identifier: GPL-3.0-or-later
// How ranks are ended, and how the end is named, without ranks.

#include "launch/supervisor/ending.h"

#include <csignal>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using run::Status;
using State = SupervisorState;

class Endings : public testing::Test {
  protected:
    Message sentence(Status status, State lifecycle) {
        return ending_.sentence(status, state_, lifecycle, 90, run::RunPaths(folder_.path()));
    }

    test::TemporaryFolder folder_;
    SupervisorOptions options_;
    run::RunSpec spec_;
    run::RunState state_;
    Ending ending_{options_, spec_};
};

TEST_F(Endings, RanksGetSigtermThenSigkillOnceEach) {
    ending_.begin_failing(100);
    EXPECT_FALSE(ending_.due_signal(100.9));
    EXPECT_EQ(ending_.due_signal(101), SIGTERM);
    EXPECT_FALSE(ending_.due_signal(101.4));
    EXPECT_EQ(ending_.due_signal(101.5), SIGKILL);
    EXPECT_FALSE(ending_.due_signal(200));
    spec_.program.emplace();
    ending_.begin_generation();
    ending_.begin_failing(300);
    EXPECT_EQ(ending_.due_signal(301), SIGTERM);
    EXPECT_FALSE(ending_.due_signal(305.9)) << "a program may clean up";
    EXPECT_EQ(ending_.due_signal(306), SIGKILL);
    ending_.begin_generation();
    ending_.begin_failing(400);
    ending_.skip_grace();
    EXPECT_EQ(ending_.due_signal(407), SIGKILL);
}

TEST_F(Endings, TheFirstFailureHasWhatIsKnownOfItsRank) {
    run::RankState rank;
    rank.rank = 2;
    rank.host = "b";
    rank.step = 7;
    rank.phase = "forward";
    run::Failure seen;
    seen.exit_code = 3;
    ending_.suspect(rank, seen, {}, Weight::unclear, 100);
    EXPECT_EQ(ending_.verdict(100.5, false), nullptr) << "another may explain it";
    const run::Failure* first = ending_.verdict(100.5, true);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->rank, 2);
    EXPECT_EQ(first->message, "rank 2 on b exited with code 3 at step 7 (forward)");
    ending_.begin_generation();
    EXPECT_EQ(ending_.verdict(200, true), nullptr);
}

TEST_F(Endings, StatusAndExitCodeOfARecipe) {
    EXPECT_EQ(ending_.status(state_, State::running, false), Status::finished);
    EXPECT_EQ(ending_.status(state_, State::stopping, false), Status::finished) << "it was done before";
    EXPECT_EQ(ending_.status(state_, State::stopping, true), Status::stopped);
    EXPECT_EQ(ending_.status(state_, State::killing, false), Status::stopped);
    EXPECT_EQ(ending_.status(state_, State::cancelled, false), Status::stopped);
    EXPECT_EQ(ending_.exit_code(Status::finished, state_), kExitDone);
    EXPECT_EQ(ending_.exit_code(Status::stopped, state_), kExitResumable);
    state_.first_failure.emplace().signal = SIGSEGV;
    EXPECT_EQ(ending_.status(state_, State::killing, true), Status::failed);
    EXPECT_EQ(ending_.exit_code(Status::failed, state_), kExitFailed);
}

TEST_F(Endings, AProgramsOwnCodeIsPassedOn) {
    spec_.program.emplace();
    EXPECT_EQ(ending_.status(state_, State::stopping, false), Status::stopped);
    EXPECT_EQ(ending_.exit_code(Status::stopped, state_), kExitResumable);
    ending_.set_signal(SIGTERM);
    EXPECT_EQ(ending_.exit_code(Status::stopped, state_), 128 + SIGTERM);
    state_.first_failure.emplace().exit_code = 37;
    EXPECT_EQ(ending_.exit_code(Status::failed, state_), 37);
    state_.first_failure->signal = SIGSEGV;
    EXPECT_EQ(ending_.exit_code(Status::failed, state_), 128 + SIGSEGV);
    EXPECT_EQ(sentence(Status::stopped, State::stopping), "stopped after 1 min 30 s");
}

TEST_F(Endings, TheSentenceSaysWhatIsLeft) {
    state_.progress.step = 1200;
    state_.progress.of = 2000;
    EXPECT_THAT(sentence(Status::stopped, State::stopping),
                test::says_only("stopped at {} after a checkpoint", "step 1,200 of 2,000"));
    ending_.set_saves(false);
    EXPECT_EQ(sentence(Status::stopped, State::stopping), "stopped at step 1,200 of 2,000, no checkpoint");
    EXPECT_EQ(sentence(Status::stopped, State::killing), "killed at step 1,200 of 2,000, no checkpoint");
    ending_.stop_failed("too slow");
    EXPECT_EQ(sentence(Status::stopped, State::killing), "killed at step 1,200 of 2,000, no checkpoint: too slow");
    ending_.set_health_stop("the loss is not a number");
    EXPECT_EQ(sentence(Status::stopped, State::running),
              "stopped at step 1,200 of 2,000 because the loss is not a number; there is no good checkpoint");
    state_.progress.loss = 2.5;
    EXPECT_EQ(sentence(Status::finished, State::running), "finished 1,200 steps in 1 min 30 s, loss 2.5000");
    state_.first_failure.emplace().message = "why";
    EXPECT_EQ(sentence(Status::failed, State::failing), "why");
}

}  // namespace
}  // namespace trainyard::launch
