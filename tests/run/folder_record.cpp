// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that records about folders of runs come from the state of this program and not from the folders.

#include "run/folder_record.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/process.h"
#include "run/mirror.h"
#include "run/run_health.h"
#include "support/temporary_folder.h"

namespace trainyard::run {

namespace {

RunPaths folder_with_spec(const fs::path& folder, const std::string& spec) {
    fs::create_directories(folder);
    RunPaths run(folder);
    write_file_atomically(run.spec(), spec, false);
    return run;
}

TEST(FolderRecord, OwnRunsAreTrustedUntilTheirRunYamlChanges) {
    test::TemporaryFolder folder;
    const RunPaths run = folder_with_spec(folder.path() / "x", "program: {command: [true]}\n");
    EXPECT_EQ(origin_of(run), RunOrigin::foreign);
    EXPECT_FALSE(is_trusted(run));
    record_own_run(run);
    EXPECT_EQ(origin_of(run), RunOrigin::own);
    EXPECT_TRUE(is_trusted(run));
    write_file_atomically(run.spec(), "program: {command: [rm, -rf, /]}\n", false);
    EXPECT_FALSE(is_trusted(run));
    EXPECT_EQ(origin_of(run), RunOrigin::own);
}

TEST(FolderRecord, OnlyTheSupervisorOfAnOwnRunIsNamedAsOneToEnd) {
    test::TemporaryFolder folder;
    const RunPaths run = folder_with_spec(folder.path() / "x", "a: 1\n");
    // A run folder received from another user may name any live process of this machine as a supervisor with an old
    // heartbeat.
    RunState state;
    state.run_id = "x";
    state.status = Status::running;
    state.supervisor_host = host_name();
    state.supervisor = this_process();
    state.created = state.started = state.heartbeat = 1000;
    const RunHealth received = run_health(run, state, 2000);
    EXPECT_EQ(received.status, "silent");
    EXPECT_EQ(received.way_out, "");
    record_own_run(run);
    EXPECT_EQ(run_health(run, state, 2000).way_out, "kill -KILL " + std::to_string(this_process().pid));
    // Another process has the number by now, or the run is supervised on another machine.
    state.supervisor.start_time += 1;
    EXPECT_EQ(run_health(run, state, 2000).status, "lost");
    state.supervisor = this_process();
    state.supervisor_host = "other";
    EXPECT_EQ(run_health(run, state, 2000).way_out.find("kill"), std::string::npos);
    // A copy of a run on another machine.
    state.supervisor_host = host_name();
    state.mirror.emplace();
    state.mirror->host = "gpu-a";
    state.mirror->path = "/x";
    EXPECT_EQ(run_health(run, state, 2000).way_out.find("kill"), std::string::npos);
}

TEST(FolderRecord, TrustIsOfOneFolderAndOneContent) {
    test::TemporaryFolder folder;
    const RunPaths run = folder_with_spec(folder.path() / "x", "a: 1\n");
    const RunPaths other = folder_with_spec(folder.path() / "y", "a: 1\n");
    trust(run, "a: 1\n");
    EXPECT_TRUE(is_trusted(run));
    EXPECT_FALSE(is_trusted(other));
    EXPECT_EQ(origin_of(run), RunOrigin::foreign);
    // The content that was shown counts, not the present content of the file.
    trust(other, "a: 2\n");
    EXPECT_FALSE(is_trusted(other));
    // A link to the folder is the same folder.
    fs::create_directory_symlink(run.root(), folder.path() / "link");
    EXPECT_TRUE(is_trusted(RunPaths(folder.path() / "link")));
}

TEST(FolderRecord, AMirrorHasItsSourceFromTheRecordOnly) {
    test::TemporaryFolder folder;
    const RunPaths run = folder_with_spec(folder.path() / "x", "a: 1\n");
    record_own_run(run);
    write_file_atomically(mirror_file(run), R"({"host":"gpu-a","path":"/x","program":"/bin/evil"})", false);
    EXPECT_EQ(origin_of(run), RunOrigin::mirror);
    EXPECT_FALSE(mirror_source(run));
    const MirrorSource source{"gpu-a", "/data/runs/x", "/opt/trainyard"};
    record_mirror_source(run, source);
    EXPECT_EQ(mirror_source(run), source);
    EXPECT_FALSE(is_trusted(run));
    fs::remove(mirror_file(run));
    EXPECT_EQ(origin_of(run), RunOrigin::mirror);
}

}  // namespace

}  // namespace trainyard::run
