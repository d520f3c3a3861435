// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the status that a mirror of a run on another machine shows.

#include "run/mirror.h"

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "run/state.h"
#include "support/temporary_folder.h"

namespace trainyard::run {

namespace {

RunPaths mirrored_run(const test::TemporaryFolder& folder, const MirrorState& mirror, Status status) {
    RunPaths run(folder.path() / "run");
    fs::create_directories(run.root());
    RunState state;
    state.status = status;
    state.supervisor_host = "somewhere-else";
    write_state(run, state, false);
    write_mirror(run, mirror);
    return run;
}

TEST(Mirror, KeepsWhatWasWritten) {
    test::TemporaryFolder folder;
    MirrorState mirror{"gpu-b", "/data/runs/x", 1.5e9, true, true, false, "why", -2.5, {12, 34}};
    RunPaths run = mirrored_run(folder, mirror, Status::running);
    auto read = read_mirror(run);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->host, "gpu-b");
    EXPECT_EQ(read->path, "/data/runs/x");
    EXPECT_DOUBLE_EQ(read->contact, 1.5e9);
    EXPECT_TRUE(read->connected);
    EXPECT_TRUE(read->lost);
    EXPECT_EQ(read->message, "why");
    EXPECT_DOUBLE_EQ(read->clock_offset, -2.5);
    EXPECT_EQ(read->process, (ProcessId{12, 34}));
}

TEST(Mirror, RunOfThisMachineHasNone) {
    test::TemporaryFolder folder;
    EXPECT_FALSE(read_mirror(RunPaths(folder.path())));
    write_file_atomically(folder.path() / "mirror.json", "[]", false);
    EXPECT_FALSE(read_mirror(RunPaths(folder.path())));
}

TEST(Mirror, StatusIsTheHostsWhileItIsHeard) {
    test::TemporaryFolder folder;
    double now = wall_seconds();
    MirrorState mirror;
    mirror.connected = true;
    mirror.contact = now;
    RunPaths run = mirrored_run(folder, mirror, Status::running);
    // A day later by this machine's clock: the heartbeat is of another clock and does not count.
    EXPECT_EQ(shown_status(*read_state(run), now), "running");
    EXPECT_EQ(shown_status(*read_state(run), now + 60), "unreachable");
    EXPECT_FALSE(is_lost(*read_state(run), now + 60));

    mirror.lost = true;
    write_mirror(run, mirror);
    EXPECT_EQ(shown_status(*read_state(run), now), "lost");
    mirror.connected = false;
    write_mirror(run, mirror);
    EXPECT_EQ(shown_status(*read_state(run), now), "unreachable");
}

TEST(Mirror, EndedRunIsNeverUnreachable) {
    test::TemporaryFolder folder;
    RunPaths run = mirrored_run(folder, {}, Status::finished);
    EXPECT_EQ(shown_status(*read_state(run), wall_seconds()), "finished");
    EXPECT_FALSE(is_lost(*read_state(run), wall_seconds()));
}

}  // namespace

}  // namespace trainyard::run
