// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard launch --hosts` on test hosts with real sshd: losses equal those on one machine, all data is
// mirrored once, and a launch that fails leaves no files or processes.

#include <csignal>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote_runs/remote_launch.h"
#include "run/request.h"
#include "support/says.h"

namespace trainyard {

namespace {

namespace fs = std::filesystem;
using test::RemoteLaunchTest;

TEST_F(RemoteLaunchTest, ThreeHostsTrainAsOneMachineDoes) {
    make_hosts(3);
    if (IsSkipped())
        return;
    run::RunPaths far = launch({"--hosts", "host1:1,host2:2,host3:1"});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    expect_mirrored(far, "host1");
    EXPECT_EQ(state(far).ranks.size(), 4u);

    // The same recipe on the data as this machine sees it.
    write_recipe((hosts_->home_of("host1") / "text.txt").string(), 12);
    run::RunPaths near = launch({"--num_processes", "4"});
    std::vector<double> here = losses(near), there = losses(far);
    ASSERT_EQ(here.size(), 12u);
    ASSERT_EQ(there.size(), here.size());
    for (std::size_t i = 0; i < here.size(); ++i)
        EXPECT_NEAR(there[i], here[i], 1e-5) << "step " << i + 1;
    for (const test::TestHost& host : hosts_->all())
        EXPECT_TRUE(wait_for([&] { return programs_on(host.name).empty(); }, 15)) << programs_on(host.name);
}

TEST_F(RemoteLaunchTest, ACheckpointOfThisMachineIsBroughtToTheHosts) {
    make_hosts(2);
    if (IsSkipped())
        return;
    // The data file of host1, by its path on this machine.
    write_recipe((hosts_->home_of("host1") / "text.txt").string(), 6);
    const run::RunPaths begun = launch({"--num_processes", "2", "--set", "training.steps=12", "--set",
                                        "checkpoint.every=6", "--set", "checkpoint.keep_last=0"});
    ASSERT_EQ(state(begun).status, run::Status::finished) << state(begun).message;
    const std::vector<double> whole = losses(begun);
    ASSERT_EQ(whole.size(), 12u);
    const fs::path checkpoint = begun.checkpoints() / "checkpoint_6";
    ASSERT_TRUE(fs::exists(checkpoint / "manifest.json"));

    write_recipe(hosts_->all().front().home + "/text.txt", 12);
    const run::RunPaths far =
        launch({"--hosts", "host1:1,host2:1", "--set", "checkpoint.resume_from=" + checkpoint.string()});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    const std::vector<double> rest = losses(far);
    ASSERT_EQ(rest.size(), 6u);
    for (std::size_t i = 0; i < rest.size(); ++i)
        EXPECT_NEAR(rest[i], whole[6 + i], 1e-5) << "step " << 7 + i;
    for (const char* host : {"host1", "host2"})
        EXPECT_NE(hosts_->run(host, {"ls", checkpoint.string()}).find("manifest.json"), std::string::npos) << host;

    // A place that the hosts' accounts cannot make.
    const fs::path closed = "/proc/trainyard-checkpoint";
    ProgramResult refused = trainyard({"launch", "--cpu", "--hosts", "host1:1", "--set",
                                       "checkpoint.resume_from=" + closed.string(), recipe().string()});
    EXPECT_EQ(WEXITSTATUS(refused.status), 2);
    EXPECT_NE(refused.error.find(closed.string()), std::string::npos) << refused.error;
}

TEST_F(RemoteLaunchTest, CutConnectionAndKilledMirrorLoseAndDoubleNothing) {
    make_hosts(1);
    if (IsSkipped())
        return;
    write_recipe(hosts_->all().front().home + "/text.txt", 100000);
    run::RunPaths far = launch({"--hosts", "host1:1"}, true);
    ASSERT_TRUE(wait_for([&] { return state(far).progress.step > 5; }));

    hosts_->stop_sshd("host1");
    auto kill_mirror = [&](int number) {
        auto mirror = run::read_mirror(far);
        ASSERT_TRUE(mirror && mirror->process.pid > 1);
        ::kill(mirror->process.pid, number);
        EXPECT_TRUE(wait_for([&] { return !is_alive(mirror->process); }, 10));
    };
    kill_mirror(SIGKILL);
    EXPECT_TRUE(trainyard({"runs", "show", far.id()}).ok());  // starts the mirror again; the host does not answer
    ASSERT_TRUE(wait_for([&] { return run::shown_status(state(far), wall_seconds()) == "unreachable"; }, 15));
    hosts_->start_sshd("host1");
    std::int64_t step = state(far).progress.step;
    ASSERT_TRUE(wait_for([&] { return state(far).progress.step > step; }, 40));
    kill_mirror(SIGTERM);
    // Attached from the host's list, into the same folder.
    ProgramResult attached = trainyard({"runs", "attach", "host1:" + far.id()});
    EXPECT_TRUE(attached.ok()) << attached.error;

    // A request goes up and its answer comes down.
    ProgramResult saved = trainyard({"runs", "checkpoint", far.id()});
    EXPECT_TRUE(saved.ok()) << saved.error << saved.output;
    ProgramResult stopped = trainyard({"runs", "stop", far.id()});
    EXPECT_TRUE(stopped.ok()) << stopped.error;
    EXPECT_EQ(state(far).status, run::Status::stopped) << state(far).message;
    ASSERT_TRUE(wait_for([&] { return complete(far); }));
    expect_mirrored(far, "host1");
    EXPECT_FALSE(fs::exists(far.checkpoints() / "checkpoint_0" / "model.safetensors"));
    ProgramResult fetched = trainyard({"runs", "fetch", far.id()});
    ASSERT_TRUE(fetched.ok()) << fetched.error;
    fs::path folder = fetched.output.substr(0, fetched.output.find('\n'));
    EXPECT_TRUE(fs::exists(folder / "manifest.json") && fs::exists(folder / "model.safetensors")) << folder;
    EXPECT_TRUE(wait_for([&] { return programs_on("host1").empty(); }, 15)) << programs_on("host1");
}

TEST_F(RemoteLaunchTest, WhatIsWrongOnAnyHostIsSaidAtOnceAndLeavesNothing) {
    make_hosts(2);
    if (IsSkipped())
        return;
    fs::remove(hosts_->home_of("host2") / "text.txt");
    ProgramResult result = trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1,host9:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2) << result.output;
    EXPECT_NE(result.error.find("host2: data.path"), std::string::npos) << result.error;
    EXPECT_NE(result.error.find("host9"), std::string::npos) << result.error;
    EXPECT_EQ(result.error.find("host1:"), std::string::npos) << result.error;
    expect_nothing_left();

    // An agent's port that is not open: the hosts do not reach each other.
    std::ofstream(hosts_->home_of("host2") / "text.txt") << text();
    hosts_->cut("host2");
    result = trainyard({"launch", "--cpu", "--hosts", "host1:1,host2:1", recipe().string()});
    EXPECT_EQ(WEXITSTATUS(result.status), 2);
    EXPECT_NE(result.error.find("host2"), std::string::npos) << result.error;
    hosts_->mend("host2");
    expect_nothing_left();
}

TEST_F(RemoteLaunchTest, BareHostTrainsWithTheEngineThatIsBroughtAlong) {
    make_hosts(1, 1);
    if (IsSkipped())
        return;
    const ProgramResult checked = trainyard({"launch", "--cpu", "--check", "--hosts", "host1:2", recipe().string()});
    EXPECT_TRUE(checked.ok()) << checked.output << checked.error;
    EXPECT_NE(checked.error.find("trainyard: copying the engine to host1, "), std::string::npos) << checked.error;
    run::RunPaths far = launch({"--hosts", "host1:2"});
    EXPECT_EQ(state(far).status, run::Status::finished) << state(far).message;
    EXPECT_EQ(losses(far).size(), 12u);
    EXPECT_EQ(state(far).ranks.at(0).host, "host1") << "as the user names it";
    const fs::path bundles = hosts_->home_of("host1") / ".cache" / "trainyard" / "bundles";
    ASSERT_TRUE(fs::exists(bundles));
    // A part of it that was deleted is put back.
    fs::remove(fs::directory_iterator(bundles)->path() / "bin" / "trainyard-worker");
    // The second time nothing is copied.
    double begun = monotonic_seconds();
    EXPECT_EQ(state(launch({"--hosts", "host1:1"})).status, run::Status::finished);
    EXPECT_LT(monotonic_seconds() - begun, 30);
    EXPECT_TRUE(wait_for([&] { return programs_on("host1").empty(); }, 15)) << programs_on("host1");
}

TEST_F(RemoteLaunchTest, CancelledAtAnyMomentLeavesNothing) {
    make_hosts(2);
    if (IsSkipped())
        return;
    write_recipe(hosts_->all().front().home + "/text.txt", 100000);
    int cancelled = 0;
    for (int milliseconds : {60, 200, 300, 400, 500, 700}) {
        std::vector<std::string> words{std::string(TRAINYARD_BIN_DIR) + "/trainyard",
                                       "launch",
                                       "--cpu",
                                       "--detach",
                                       "--hosts",
                                       "host1:1,host2:1",
                                       recipe().string()};
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        pid_t pid = ::fork();
        if (pid == 0) {
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::usleep(static_cast<useconds_t>(milliseconds) * 1000);
        ::kill(pid, SIGINT);
        int status = -1;
        ASSERT_EQ(::waitpid(pid, &status, 0), pid);
        // It was through already: then Ctrl-C leaves the run alone, whether it still waited for the first word of it or not.
        bool started = !WIFEXITED(status) && fs::exists(runs()) && !fs::is_empty(runs());
        if (started || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
            for (const auto& entry : fs::directory_iterator(runs())) {
                EXPECT_TRUE(wait_for([&] { return fs::exists(entry.path() / "state.json"); }));
                EXPECT_TRUE(trainyard({"runs", "stop", "--now", entry.path().filename().string()}).ok());
                EXPECT_TRUE(wait_for([&] { return complete(run::RunPaths(entry.path())); }));
            }
            fs::remove_all(runs());
            for (const test::TestHost& host : hosts_->all())
                hosts_->run(host.name, {"rm", "-rf", host.home + "/runs"});
        } else {
            ++cancelled;
            EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 130) << milliseconds << " ms: " << status;
            expect_nothing_left();
        }
    }
    EXPECT_GE(cancelled, 1);
}

TEST_F(RemoteLaunchTest, AHostThatLiesAboutItsRunDeletesNothingElsewhere) {
    make_hosts(2);
    if (IsSkipped())
        return;
    // The first host answers with the id and folder of something else; the second one and this machine have a folder at
    // that place.
    const fs::path wrapper = hosts_->home_of("host1") / "liar";
    std::ofstream(wrapper) << "#!/bin/sh\n"
                              "[ \"$1\" = supervise ] || exec "
                           << TRAINYARD_BIN_DIR << "/trainyard \"$@\"\n"
                           << TRAINYARD_BIN_DIR
                           << "/trainyard \"$@\" | sed 's|\"run_id\":\"[^\"]*\"|\"run_id\":\"../Documents\"|; "
                              "s|\"run_dir\":\"[^\"]*\"|\"run_dir\":\"'$HOME'/Documents\"|'\n";
    fs::permissions(wrapper, fs::perms::owner_all | fs::perms::group_all | fs::perms::others_all);
    for (const char* host : {"host1", "host2"}) {
        fs::create_directories(hosts_->home_of(host) / "Documents");
        std::ofstream(hosts_->home_of(host) / "Documents" / "thesis.txt") << "mine";
    }
    fs::create_directories(folder_.path() / "Documents");
    std::ofstream(folder_.path() / "Documents" / "thesis.txt") << "mine";
    const fs::path config = folder_.path() / "config" / "trainyard" / "hosts.yaml";
    std::ofstream(config) << "hosts:\n  - name: host1\n    engine: " << hosts_->all().front().home
                          << "/liar\n  - name: host2\n    engine: " << TRAINYARD_BIN_DIR << "/trainyard\n";

    const ProgramResult result =
        trainyard({"launch", "--cpu", "--detach", "--hosts", "host1:1,host2:1", recipe().string()});
    EXPECT_NE(WEXITSTATUS(result.status), 0) << result.output;
    EXPECT_THAT(result.error, test::says("{} was asked to start the run {} and answered with another one, in {}: the "
                                         "host does not run this version of Trainyard, or is not to be trusted",
                                         testing::_, testing::_, testing::_))
        << result.error;
    for (const char* host : {"host1", "host2"})
        EXPECT_EQ(read_file(hosts_->home_of(host) / "Documents" / "thesis.txt"), "mine") << host;
    EXPECT_EQ(read_file(folder_.path() / "Documents" / "thesis.txt"), "mine");
    expect_nothing_left();
}

}  // namespace

}  // namespace trainyard
