// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of `trainyard launch --slurm` with fake SLURM programs; tests/cluster uses the real ones.

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/program.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SlurmCommand : public testing::Test {
  protected:
    SlurmCommand() {
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        for (const char* name : {"TRAINYARD_CONFIG", "OMP_NUM_THREADS", "SLURM_JOB_ID"})
            ::unsetenv(name);
        fs::create_directories(folder_.path() / "bin");
        const char* before = std::getenv("PATH");
        path_ = before == nullptr ? "" : before;
        ::setenv("PATH", (bin().string() + ":" + path_).c_str(), 1);
    }
    ~SlurmCommand() override { ::setenv("PATH", path_.c_str(), 1); }
    fs::path bin() const { return folder_.path() / "bin"; }
    std::string program(const fs::path& file, const std::string& text) {
        std::ofstream(file) << "#!/bin/bash\n" << text << "\n";
        ::chmod(file.c_str(), 0755);
        return file;
    }
    /// A cluster that starts a job at once, or never.
    void cluster(bool starts) {
        std::string said = (folder_.path() / "said").string();
        program(bin() / "sbatch",
                "echo \"sbatch $*\" >> " + said +
                    (starts ? "; SLURM_JOB_ID=42 setsid \"$2\" > " + said + ".job 2>&1 < /dev/null &" : "") +
                    "\necho '42;test'");
        program(bin() / "squeue", std::string("echo '") + (starts ? "RUNNING|None'" : "PENDING|Resources'"));
        program(bin() / "scancel", "echo \"scancel $*\" >> " + said);
        program(bin() / "sacct", "exit 1");
    }
    std::string script(const std::string& text) { return program(folder_.path() / "program", text); }
    std::string asked() const { return read_file(folder_.path() / "said"); }
    test::TemporaryFolder folder_;

  private:
    std::string path_;
};

TEST_F(SlurmCommand, ADryRunShowsTheScript) {
    Said said = test::trainyard({"launch", "--slurm", "--dry-run", "--cpu", "--nodes", "2", "--ntasks-per-node", "4",
                                 "--partition", "gpu", "--sbatch_arg=--exclusive", "--no_requeue", "--no_python",
                                 script("exit 0")});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, AllOf(HasSubstr("#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=4\n#SBATCH --partition=gpu\n"),
                                HasSubstr("#SBATCH --no-requeue\n"), HasSubstr("#SBATCH --exclusive\n"),
                                HasSubstr(" launch --num_processes 8 --run_dir "), Not(HasSubstr("scontrol"))));
    EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
}

TEST_F(SlurmCommand, AJobTakesItsRunOver) {
    cluster(true);
    Said said = test::trainyard({"launch", "--slurm", "--cpu", "--ntasks-per-node", "2", "--no_python",
                                 script("echo rank $RANK of $WORLD_SIZE")});
    EXPECT_EQ(said.code, 0) << said.out << said.err << read_file(folder_.path() / "said.job");
    EXPECT_THAT(said.out, HasSubstr("job 42\n"));
    run::RunPaths run(fs::directory_iterator(folder_.path() / "runs")->path());
    run::RunState state = run::read_state(run).value();
    EXPECT_EQ(state.status, run::Status::finished);
    EXPECT_EQ(state.generation, 1);
    EXPECT_EQ(read_file(run.rank_log(1)), "rank 1 of 2\n");
    EXPECT_THAT(read_file(run.root() / "slurm.json"), HasSubstr("\"42\""));
    EXPECT_THAT(asked(), HasSubstr("sbatch --parsable " + (run.root() / "slurm.sh").string()));
    // A job that SLURM puts back continues its run, whose duration leaves out the time between.
    const std::string again =
        "SLURM_JOB_ID=42 " + text::shell_word((run.root() / "slurm.sh").string()) + " > /dev/null 2>&1 < /dev/null";
    ASSERT_EQ(WEXITSTATUS(std::system(again.c_str())), 0);
    const run::RunState second = run::read_state(run).value();
    EXPECT_EQ(second.generation, 2);
    EXPECT_EQ(second.started, state.started);
    const double first_s = run::active_seconds(state, 0).value(), both_s = run::active_seconds(second, 0).value();
    EXPECT_GT(both_s, first_s);
    EXPECT_LT(both_s, *second.ended - second.started);
    EXPECT_GT(second.idle_s.value_or(0), 0);
}

TEST_F(SlurmCommand, WhatIsInTheQueueCanBeTakenOut) {
    cluster(false);
    Said said = test::trainyard({"launch", "--slurm", "--cpu", "--detach", "--json", "--no_python", script("exit 0")});
    ASSERT_EQ(said.code, 0) << said.err;
    nlohmann::json answer = nlohmann::json::parse(said.out);
    EXPECT_EQ(answer["job"], "42");
    EXPECT_THAT(test::trainyard({"runs", "list"}).out, HasSubstr("queued"));
    Said stopped = test::trainyard({"runs", "stop", answer["run_id"]});
    EXPECT_EQ(stopped.code, 0) << stopped.err;
    EXPECT_THAT(asked(), HasSubstr("scancel 42"));
    EXPECT_EQ(run::read_state(run::RunPaths(answer["path"].get<std::string>()))->status, run::Status::stopped);
}

TEST_F(SlurmCommand, WhatCannotBeHandedOverLeavesNothing) {
    program(bin() / "sbatch", "echo 'sbatch: error: invalid partition specified: nowhere' >&2; exit 1");
    Said said =
        test::trainyard({"launch", "--slurm", "--cpu", "--partition", "nowhere", "--no_python", script("exit 0")});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("SLURM rejected the job: sbatch: error: invalid partition"));
    EXPECT_TRUE(!fs::exists(folder_.path() / "runs") || fs::is_empty(folder_.path() / "runs"));
    said = test::trainyard({"launch", "--slurm", "--cpu", "--account", "a b", "--no_python", script("exit 0")});
    EXPECT_EQ(said.code, 2);
    EXPECT_THAT(said.err, HasSubstr("--account"));
    ::setenv("SLURM_JOB_ID", "7", 1);
    said = test::trainyard({"launch", "--slurm", "--cpu", "--no_python", script("exit 0")});
    ::unsetenv("SLURM_JOB_ID");
    EXPECT_THAT(said.err, says("this is inside of job {} already: leave --slurm out", 7));
}

TEST_F(SlurmCommand, AJobThatAReceivedFolderNamesIsNotCancelled) {
    cluster(false);
    const fs::path folder = folder_.path() / "received";
    fs::create_directories(folder);
    std::ofstream(folder / "run.yaml") << "recipe: {}\nlaunch: {}\n";
    std::ofstream(folder / "slurm.json") << R"({"job":"4711"})";
    run::RunState state;
    state.run_id = "received";
    state.status = run::Status::queued;
    run::write_state(run::RunPaths(folder), state);
    const Said stopped = test::trainyard({"runs", "stop", folder.string()});
    EXPECT_EQ(stopped.code, 2) << stopped.out;
    EXPECT_THAT(stopped.err, AllOf(says("run {} claims to be SLURM job {}, but this account did not queue it here: if "
                                        "the job belongs to this run, `scancel {}` removes it from the queue",
                                        _, _, _),
                                   says("run {} claims to be SLURM job {}, but this account did not queue it here: if "
                                        "the job belongs to this run, `scancel {}` removes it from the queue",
                                        _, _, StartsWith("4711"))));
    EXPECT_FALSE(fs::exists(folder_.path() / "said"));
    EXPECT_EQ(run::read_state(run::RunPaths(folder))->status, run::Status::queued);
}

}  // namespace
}  // namespace trainyard
