// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the time of a run without pauses and restarts: as the supervisor follows it, and from the journal of a run of
// an older version.
#include "run/idle_time.h"

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace trainyard::run {
namespace {

Event event(double time, const char* kind, const Message& text) {
    Event made;
    made.time = time;
    made.kind = kind;
    made.text = text;
    return made;
}

const Event kPaused = event(110, "phase", paused_message(5));
const Event kResumed = event(150, "phase", continued_message(5));

RunState running() {
    RunState state;
    state.status = Status::running;
    state.started = 100;
    state.idle_s = 0;
    return state;
}

TEST(IdleTime, PausesAndRestartsAreLeftOut) {
    RunState state = running();
    EXPECT_FALSE(follow_idle_time(state, event(105, "checkpoint", "saved")));
    EXPECT_FALSE(follow_idle_time(state, event(106, "phase", "building the model and reading the data")));
    EXPECT_TRUE(follow_idle_time(state, kPaused));
    EXPECT_FALSE(follow_idle_time(state, kPaused)) << "paused already";
    EXPECT_DOUBLE_EQ(active_seconds(state, 130).value(), 10) << "it stands still";
    EXPECT_DOUBLE_EQ(idle_seconds(state, 130), 20);
    EXPECT_TRUE(follow_idle_time(state, kResumed));
    EXPECT_DOUBLE_EQ(active_seconds(state, 160).value(), 20);
    EXPECT_TRUE(follow_idle_time(state, event(170, "restart", "restart 1 of 1")));
    EXPECT_FALSE(follow_idle_time(state, event(175, "phase", "started 2 ranks on here")));
    EXPECT_TRUE(end_idle_time(state, 190));  // the first step
    EXPECT_FALSE(end_idle_time(state, 195));
    state.ended = 200;
    EXPECT_DOUBLE_EQ(active_seconds(state, 1e9).value(), 40);
    EXPECT_DOUBLE_EQ(idle_seconds(state, 1e9), 60);
}

/// By the form of the message, which comes through the journal, and by the text in journals of earlier versions.
TEST(IdleTime, EventsOfPausesAreKnownByTheirMessage) {
    const auto read_back = [](const Event& event) { return parse_event(to_json(event), "journal"); };
    EXPECT_TRUE(begins_pause(read_back(kPaused)));
    EXPECT_TRUE(ends_pause(read_back(kResumed)));
    EXPECT_FALSE(ends_pause(kPaused));
    EXPECT_FALSE(begins_pause(kResumed));
    EXPECT_FALSE(ends_pause(event(1, "note", continued_message(5)))) << "a person wrote it";
    EXPECT_FALSE(ends_pause(event(1, "phase", "building the model and reading the data")));
    EXPECT_TRUE(begins_pause(event(1, "phase", Message::verbatim("paused after step 100: ask for resume, or stop"))));
    EXPECT_TRUE(ends_pause(event(1, "phase", Message::verbatim("training goes on after step 100"))));
}

TEST(IdleTime, ARunThatEndsWhileItIsPausedIsIdleUntilItsEnd) {
    RunState state = running();
    follow_idle_time(state, kPaused);
    state.ended = 140;
    EXPECT_DOUBLE_EQ(active_seconds(state, 1e9).value(), 10);
    EXPECT_DOUBLE_EQ(active_seconds(parse_state(to_json(state)), 1e9).value(), 10) << "the file has both values";
    EXPECT_FALSE(active_seconds(RunState(), 10)) << "it has not started";
}

TEST(IdleTime, OfARunOfAnOlderVersionIsInItsJournal) {
    test::TemporaryFolder folder;
    const RunPaths run(folder.path());
    RunState state = running();
    state.idle_s.reset();
    state.status = Status::finished;
    state.ended = 200;
    append_event(run, event(50, "phase", paused_message(1)));  // of an earlier supervisor of the folder
    append_event(run, kPaused);
    append_event(run, kResumed);
    append_event(run, event(170, "restart", "restart 1 of 1"));
    append_event(run, event(185, "phase", Message("{}: {} parameters on {}", "from step 3", "1 M", "2 ranks")));
    write_state(run, state, false);
    EXPECT_DOUBLE_EQ(active_seconds(read_state(run).value(), 1e9).value(), 45);
    // The value of the file counts where it is.
    state.idle_s = 7;
    write_state(run, state, false);
    EXPECT_DOUBLE_EQ(active_seconds(read_state(run).value(), 1e9).value(), 93);
}

}  // namespace
}  // namespace trainyard::run
