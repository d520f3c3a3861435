// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard launch` with programs instead of recipes: their ranks, environment variables, output, failures
// and signals.

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/listen_socket.h"
#include "base/process.h"
#include "cli/at_terminal.h"
#include "cli/program.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Program;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Programs : public testing::Test {
  protected:
    Programs() {
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID"})
            ::unsetenv(name);
    }
    fs::path runs() const { return folder_.path() / "runs"; }
    /// The run that is there.
    run::RunPaths only_run() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(runs()))
            found.push_back(entry.path());
        EXPECT_EQ(found.size(), 1u);
        return run::RunPaths(found.empty() ? runs() / "none" : found.front());
    }
    std::string script(const std::string& text) {
        fs::path file = folder_.path() / "program";
        std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
        ::chmod(file.c_str(), 0755);
        return file;
    }
    /// Launches two ranks on the CPU with a free port.
    Said two(const std::string& text, std::vector<std::string> more = {}) {
        std::vector<std::string> words{"launch", "--cpu",      "--num_processes", "2", "--main_process_port",
                                       "0",      "--no_python"};
        words.insert(words.end(), more.begin(), more.end());
        words.push_back(script(text));
        return test::trainyard(words);
    }
    test::TemporaryFolder folder_;
};

TEST_F(Programs, EveryRankHasItsVariables) {
    Said said = two("echo $RANK/$WORLD_SIZE/$LOCAL_RANK/$MASTER_ADDR/$ACCELERATE_USE_CPU/$TORCHELASTIC_RESTART_COUNT");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("0/2/0/127.0.0.1/True/0\n"), HasSubstr("1/2/1/127.0.0.1/True/0\n")));
}

TEST_F(Programs, OneProcessIsTheProgramItself) {
    Said said = test::trainyard({"launch", "--cpu", "--no_python", script("echo \"$1 $RANK\"; exit 7"), "--my-arg_x"});
    EXPECT_EQ(said.code, 7);
    EXPECT_EQ(said.out, "--my-arg_x \n");
}

TEST_F(Programs, OutputNamesTheRankWhereAsked) {
    Said said =
        two("echo out; echo err >&2", {"--tee", "0:1,1:2", "--role", "w", "--log_dir", folder_.path() / "logs"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("[w0]:out\n"), Not(HasSubstr("[w1]:out"))));
    EXPECT_THAT(said.err, AllOf(HasSubstr("[w1]:err\n"), Not(HasSubstr("[w0]:err"))));
    std::ifstream log(folder_.path() / "logs/0/stdout.log");
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(log), {}), "out\n");
}

TEST_F(Programs, AFlagWithoutEffectIsNamed) {
    Said said = two("true", {"--monitor_interval", "5"});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.err, says("trainyard: note: --monitor_interval has no effect: the end of a process is seen at "
                               "once, not at the next look\n"));
    EXPECT_THAT(two("true").err, Not(HasSubstr("monitor_interval")));
}

TEST_F(Programs, TheFirstFailureEndsTheOthersAndIsNamed) {
    Said said = two("[ $RANK = 1 ] && exit 3; exec sleep 600");
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.err, HasSubstr("trainyard: rank 1 on " + host_name() + " exited with code 3\n"));
    Said killed = two("[ $RANK = 0 ] && kill -9 $$; exec sleep 600");
    EXPECT_EQ(killed.code, 137);
    EXPECT_THAT(killed.err, says("rank {} on {} was killed by {}", _, _, StartsWith("signal 9")));
}

TEST_F(Programs, TwoLaunchesNeverMeetAtOnePort) {
    const std::string fixed = std::to_string(free_port("127.0.0.1")), go = folder_.path() / "go";
    // Ranks of real scripts bind the port seconds after their start; these never do.
    const std::string waits = script("echo port $MASTER_PORT.; while [ ! -e " + go + " ]; do sleep 0.02; done");
    const std::string usual = "29500";
    for (const std::string& value : {fixed, std::string("null"), std::string("0")}) {
        const std::string settings = folder_.path() / (value + ".yaml");
        std::ofstream(settings) << "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_CPU\nuse_cpu: true\n"
                                << "num_machines: 1\nnum_processes: 2\nmain_process_port: " << value << "\n";
        fs::remove(go);
        Program first({TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", settings, "--no_python", waits});
        first.read_until([](const Said& said) { return std::ranges::count(said.out, '.') == 2; });
        const std::string& out = first.said().out;
        const std::string port = out.substr(out.find("port "), out.find('.') - out.find("port ") + 1);
        Program second({TRAINYARD_BIN_DIR "/trainyard", "launch", "--config_file", settings, "--no_python", waits});
        second.read_until([](const Said& said) { return std::ranges::count(said.out, '.') == 2; });
        EXPECT_THAT(second.said().out, Not(HasSubstr(port))) << value;
        if (value != "0") {
            const std::string asked = value == "null" ? usual : value;
            EXPECT_THAT(
                second.said().err,
                AllOf(says("port {} ({}) is in use by another program or launch: port {} is taken instead; give "
                           "another one with --main_process_port, or 0 for a free one",
                           asked, _, _),
                      says("port {} ({}) is in use by another program or launch: port {} is taken instead; give "
                           "another one with --main_process_port, or 0 for a free one",
                           _, _, _),
                      HasSubstr(value == "null" ? "main_process_port is not set" : "main_process_port of " + settings),
                      says("port {} ({}) is in use by another program or launch: port {} is taken instead; give "
                           "another one with --main_process_port, or 0 for a free one",
                           _, _, _)));
        }
        std::ofstream(go) << "";
        EXPECT_EQ(first.wait().code, 0) << first.said().err;
        EXPECT_EQ(second.wait().code, 0) << second.said().err;
    }
}

TEST_F(Programs, RestartsGiveTheRanksAnotherTry) {
    Said said = two("[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exit 4", {"--max_restarts", "2"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err, says("restart {} of {}: {}", 1, 2, says("all ranks start again").at_start()));
}

TEST_F(Programs, AnInterruptReachesTheRanks) {
    Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--num_processes", "2", "--main_process_port",
                     "0", "--no_python",
                     script("trap 'echo told; exit 0' INT; echo up; while :; do sleep 0.05; done")});
    program.read_until([](const Said& said) {
        return said.out.find("up\n") != said.out.rfind("up\n") && said.out.find("up\n") != std::string::npos;
    });
    ::kill(program.pid(), SIGINT);
    Said said = program.wait();
    EXPECT_EQ(said.code, 130);
    EXPECT_THAT(said.out, HasSubstr("told\n"));
}

TEST_F(Programs, NothingStartsThatCannot) {
    EXPECT_EQ(test::trainyard({"launch", "--cpu", "--no_python", "/nowhere/program"}).code, 2);
    Said two_ranks = test::trainyard({"launch", "--cpu", "--num_processes", "2", "--no_python", "/nowhere/program"});
    EXPECT_EQ(two_ranks.code, 2);
    EXPECT_THAT(two_ranks.err, says("{} cannot be run: {}", EndsWith("/nowhere/program"), _));
    EXPECT_THAT(two("exit 0", {"--tee", "7"}).err, HasSubstr("--tee 7"));
    EXPECT_THAT(two("exit 0", {"--local_ranks_filter", "0,x"}).err,
                says("--local_ranks_filter {}: give the numbers of processes as in 0,2", StartsWith("0,x")));
    EXPECT_THAT(two("exit 0", {"--no_run_dir", "--detach"}).err,
                says("--no_run_dir contradicts --run_dir and --detach: leave one of them out"));
    EXPECT_FALSE(fs::exists(runs())) << "a refused launch must not leave files";
    EXPECT_EQ(test::trainyard({"launch", "--config_file", "/nowhere.yaml", "train.py"}).code, 2);
}

TEST_F(Programs, ARunFolderKeepsWhatHappened) {
    Said said =
        two("cd " + folder_.path().string() +
            " && mkdir -p tb && : > tb/events.out.tfevents.1.host.$$.0; echo \"step 3/10: loss 2.5\"; sleep 1.5");
    ASSERT_EQ(said.code, 0) << said.err;
    run::RunPaths run = only_run();
    EXPECT_THAT(said.err, HasSubstr("trainyard: run folder: " + run.root().string()));
    auto state = run::read_state(run);
    ASSERT_TRUE(state);
    EXPECT_EQ(state->status, run::Status::finished);
    EXPECT_EQ(state->name, "program");
    EXPECT_EQ(state->progress.step, 3);
    EXPECT_EQ(state->progress.of, 10);
    EXPECT_EQ(state->progress.loss, 2.5);
    EXPECT_EQ(state->ranks.size(), 2u);
    EXPECT_EQ(read_file(run.rank_log(1)), "step 3/10: loss 2.5\n");
    // Links to the event files of both ranks, and what the supervisor writes: printed figures, memory of each rank.
    int links = 0, printed = 0, memory = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(run.metrics())) {
        const std::string name = entry.path().filename().string();
        links += entry.is_symlink() ? 1 : 0;
        printed += name.ends_with(".printed") ? 1 : 0;
        memory += name.starts_with("rank-") && entry.is_directory() ? 1 : 0;
    }
    EXPECT_EQ(links, 2);
    EXPECT_EQ(printed, 1);
    EXPECT_EQ(memory, 2);
}

TEST_F(Programs, NothingIsKeptWhereThatIsWanted) {
    Said said = two("[ -d $TRAINYARD_RUN_DIR ] && echo there", {"--no_run_dir"});
    EXPECT_THAT(said.out, HasSubstr("there\n"));
    EXPECT_THAT(said.err, Not(HasSubstr("run folder")));
    EXPECT_FALSE(fs::exists(runs()));
}

TEST_F(Programs, DetachedOnesGoOnAlone) {
    Said said = two("sleep 0.3; echo done", {"--detach", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    run::RunPaths run(Json::parse(said.out)["path"].get<std::string>());
    double deadline = monotonic_seconds() + 60;
    while (!(run::read_state(run) && run::is_over(run::read_state(run)->status)) && monotonic_seconds() < deadline)
        ::usleep(20'000);
    EXPECT_EQ(run::read_state(run)->status, run::Status::finished);
    EXPECT_EQ(read_file(run.rank_log(0)), "done\n");
}

TEST_F(Programs, OneProcessReadsWhatWeAreGiven) {
    std::string line = "echo question | " TRAINYARD_BIN_DIR "/trainyard launch -q --cpu --no_python " +
                       script("read answer; echo \"$answer!\"");
    Program program({"/bin/sh", "-c", line});
    EXPECT_EQ(program.wait().out, "question!\n");
}

TEST_F(Programs, OneProcessHasTheTerminal) {
    test::AtTerminal terminal({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--no_python",
                               script("test -t 0 && test -t 1 && test -t 2 && echo tty $(stty size); read answer; "
                                      "echo \"got $answer\"; trap 'echo told; exit 9' INT; echo ready; "
                                      "while :; do sleep 0.05; done")});
    ASSERT_TRUE(terminal.see("tty 24 100\r\n")) << terminal.screen();
    terminal.type("blue\r");
    ASSERT_TRUE(terminal.see("got blue\r\n")) << terminal.screen();
    ASSERT_TRUE(terminal.see("ready"));
    terminal.type("\x03");
    EXPECT_TRUE(terminal.see("told")) << terminal.screen();
    EXPECT_EQ(terminal.wait(), 130);
    EXPECT_TRUE(terminal.is_as_before());
    EXPECT_THAT(read_file(only_run().rank_log(0)), HasSubstr("got blue"));
}

TEST_F(Programs, TwoLaunchersMeet) {
    auto words = [&](const char* rank, const std::string& port) {
        return std::vector<std::string>{TRAINYARD_BIN_DIR "/trainyard",
                                        "launch",
                                        "--cpu",
                                        "--num_machines",
                                        "2",
                                        "--num_processes",
                                        "3",
                                        "--machine_rank",
                                        rank,
                                        "--main_process_ip",
                                        "127.0.0.1",
                                        "--main_process_port",
                                        port,
                                        "--no_python",
                                        script("echo $RANK/$WORLD_SIZE/$LOCAL_RANK/$GROUP_RANK/$MASTER_PORT "
                                               "[${TRAINYARD_RUN_SECRET+set}]; exit $CODE")};
    };
    std::string port = std::to_string(free_port("127.0.0.1"));
    ::setenv("CODE", "0", 1);
    ::setenv("TRAINYARD_RUN_SECRET", "of these launchers alone", 1);
    Program second(words("1", port)), first(words("0", port));
    Said said_first = first.wait(), said_second = second.wait();
    ::unsetenv("TRAINYARD_RUN_SECRET");
    EXPECT_THAT(said_first.err + said_second.err,
                Not(says("the machines do not share a secret: any host that reaches {}:{} and knows the name '{}' can "
                         "join; set the same {} on all machines",
                         _, _, _, _)));
    EXPECT_EQ(said_first.code, 0) << said_first.err;
    EXPECT_EQ(said_second.code, 0) << said_second.err;
    EXPECT_THAT(said_first.out, AllOf(HasSubstr("0/3/0/0/" + port + " []"), HasSubstr("1/3/1/0/" + port + " []")));
    EXPECT_THAT(said_second.out, HasSubstr("2/3/0/1/" + port + " []"));
    ::unsetenv("CODE");
}

TEST_F(Programs, TheDefaultFileCounts) {
    fs::create_directories(folder_.path() / "home/accelerate");
    std::ofstream(folder_.path() / "home/accelerate/default_config.yaml")
        << "distributed_type: MULTI_CPU\nuse_cpu: true\nnum_processes: 3\n";
    Said said = test::trainyard({"launch", "--dry-run", "--json", "train.py", "--epochs", "2"});
    ASSERT_EQ(said.code, 0) << said.err;
    Json plan = Json::parse(said.out);
    EXPECT_EQ(plan["world_size"], 3);
    EXPECT_EQ(plan["ranks"].size(), 3u);
    EXPECT_EQ(plan["settings"]["num_processes"]["origin"], "file");
    EXPECT_EQ(plan["command"], Json({"python3", "-u", "train.py", "--epochs", "2"}));
    Said text = test::trainyard({"launch", "--dry-run", "--num_processes", "2", "train.py"});
    EXPECT_THAT(text.out, AllOf(HasSubstr("python3 -u train.py"), HasSubstr("Rank 1"), HasSubstr("WORLD_SIZE=2")));
}

}  // namespace
}  // namespace trainyard
