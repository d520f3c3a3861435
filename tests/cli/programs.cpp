// `trainyard launch` of a program that is no recipe: its ranks, their variables, output, failures and signals.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "cli/program.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using test::Program;
using test::Said;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Programs : public testing::Test {
  protected:
    Programs() {
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID"})
            ::unsetenv(name);
    }
    std::string script(const std::string& text) {
        fs::path file = folder_.path() / "program";
        std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
        ::chmod(file.c_str(), 0755);
        return file;
    }
    /// On the CPU, on a free port, with two ranks.
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

TEST_F(Programs, TheFirstFailureEndsTheOthersAndIsNamed) {
    Said said = two("[ $RANK = 1 ] && exit 3; exec sleep 600");
    EXPECT_EQ(said.code, 3);
    EXPECT_THAT(said.err, HasSubstr("rank 1 failed with exit code 3; the other ranks were ended"));
    Said killed = two("[ $RANK = 0 ] && kill -9 $$; exec sleep 600");
    EXPECT_EQ(killed.code, 137);
    EXPECT_THAT(killed.err, HasSubstr("rank 0 was killed by signal 9"));
}

TEST_F(Programs, RestartsGiveTheRanksAnotherTry) {
    Said said = two("[ $TORCHELASTIC_RESTART_COUNT = 1 ] || exit 4", {"--max_restarts", "2"});
    EXPECT_EQ(said.code, 0);
    EXPECT_THAT(said.err, HasSubstr("exit code 4; all ranks are started again (1 of 2)"));
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
    EXPECT_THAT(two_ranks.err, HasSubstr("/nowhere/program cannot be started"));
    EXPECT_THAT(two("exit 0", {"--tee", "7"}).err, HasSubstr("--tee 7"));
    EXPECT_THAT(two("exit 0", {"--detach"}).err, HasSubstr("--detach is for recipes"));
    EXPECT_EQ(test::trainyard({"launch", "--config_file", "/nowhere.yaml", "train.py"}).code, 2);
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
