// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the output in a terminal, on a pseudo-terminal: the progress bar, Ctrl-C, and the question that it asks.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/at_terminal.h"
#include "cli/program.h"
#include "launch/fake_run.h"
#include "run/listing.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::AtTerminal;
using test::FakeRun;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Terminal : public testing::Test {
  protected:
    Terminal() {
        ::setenv("FAKE_DO", "", 1);
        ::setenv("FAKE_STEPS", "100000", 1);
        ::setenv("FAKE_STEP_MS", "10", 1);
    }
    FakeRun fake_;
};

TEST_F(Terminal, TheBarIsRedrawnInPlace) {
    ::setenv("FAKE_STEPS", "50", 1);
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    EXPECT_EQ(person.wait(), 0) << person.screen();
    EXPECT_THAT(person.screen(), AllOf(HasSubstr("\r\033[Kstep "), HasSubstr("step 50/50 [######"),
                                       says("finished {} in {}", "50 steps", _)));
}

TEST_F(Terminal, CtrlCThenAnyKeyLeavesTheRunRunning) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("leave it running.")) << person.screen();
    EXPECT_THAT(person.screen(), says("The run continues: trainyard runs follow {0}, trainyard runs stop {0}",
                                      StartsWith(fake_.paths->id())));
    person.type("x");
    EXPECT_EQ(person.wait(), 130);
    std::int64_t step = fake_.state()->progress.step;
    EXPECT_GT(fake_.wait_for_step(step + 5).progress.step, step);
}

TEST_F(Terminal, CtrlCThenSStopsIt) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("Press s"));
    person.type("s");
    EXPECT_EQ(person.wait(), 130) << "stopped, and the fake worker saves nothing to resume from";
    EXPECT_EQ(fake_.state()->status, run::Status::stopped);
    EXPECT_THAT(person.screen(), HasSubstr("stopped at step "));
}

TEST_F(Terminal, CtrlCTwiceStopsIt) {
    AtTerminal person({TRAINYARD_BIN_DIR "/trainyard", "launch", fake_.recipe()});
    ASSERT_TRUE(person.see("step ")) << person.screen();
    fake_.paths = run::list_runs(fake_.runs()).at(0).paths;
    person.type("\x03");
    ASSERT_TRUE(person.see("Press s"));
    person.type("\x03");
    person.wait();
    EXPECT_EQ(fake_.state()->status, run::Status::stopped);
}

}  // namespace
}  // namespace trainyard
