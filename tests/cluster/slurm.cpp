// SPDX-License-Identifier: GPL-3.0-or-later
// Runs in a real SLURM cluster of two nodes on this machine: submitted, followed, cancelled, put back after a warning, started with srun.

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "cluster/cluster.h"
#include "support/says.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;
using test::Said;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

class Slurm : public test::ClusterTest {
  protected:
    static void SetUpTestSuite() {
        cluster_ = new test::TemporaryFolder;
        ::chmod(cluster_->path().c_str(), 0711);
        test::Program start({TRAINYARD_TESTS_DIR "/cluster/slurm", "start", cluster_->path() / "slurm"});
        Said said = start.wait();
        ASSERT_EQ(said.code, 0) << said.err;
        ::setenv("SLURM_CONF", (cluster_->path() / "slurm/slurm.conf").c_str(), 1);
    }
    static void TearDownTestSuite() {
        test::Program stop({TRAINYARD_TESTS_DIR "/cluster/slurm", "stop", cluster_->path() / "slurm"});
        stop.wait();
        delete cluster_;
    }
    static Said launch(std::vector<std::string> words) {
        words.insert(words.begin(), {"launch", "--slurm"});
        return test::trainyard(words);
    }
    static Said run_program(std::vector<std::string> words) {
        words.insert(words.begin(), "/usr/bin/env");
        return test::Program(words).wait();
    }
    run::RunState state() const { return run::read_state(runs().at(0)).value(); }
    std::string logs() const {
        std::string all;
        for (const auto& entry : fs::directory_iterator(runs().at(0).logs()))
            all += entry.path().filename().string() + ":\n" + read_file(entry.path());
        return all;
    }

  private:
    static test::TemporaryFolder* cluster_;
};
test::TemporaryFolder* Slurm::cluster_ = nullptr;

TEST_F(Slurm, ARecipeIsSubmittedAndFollowed) {
    Said said = launch({"--cpu", "--ntasks-per-node", "2", "--time", "5", recipe(20)});
    EXPECT_EQ(said.code, 0) << said.out << said.err << logs();
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_EQ(state().status, run::Status::finished);
    EXPECT_EQ(state().ranks.size(), 2u);
    EXPECT_EQ(state().progress.step, 20);
    EXPECT_THAT(said.out, AllOf(HasSubstr("job "), HasSubstr("finished 20 steps")));
}

TEST_F(Slurm, AProgramOnTwoNodes) {
    Said said = launch({"--cpu", "--nodes", "2", "--main_process_ip", "127.0.0.1", "--no_python",
                        script("echo rank $RANK of $WORLD_SIZE on $SLURMD_NODENAME")});
    EXPECT_EQ(said.code, 0) << said.out << said.err << logs();
    EXPECT_EQ(state().ranks.size(), 2u);
    EXPECT_THAT(logs(), AllOf(HasSubstr("rank 0 of 2 on n1"), HasSubstr("rank 1 of 2 on n2")));
}

TEST_F(Slurm, ARecipeOnTwoNodes) {
    Said said = launch({"--cpu", "--nodes", "2", "--main_process_ip", "127.0.0.1", recipe(20)});
    EXPECT_EQ(said.code, 0) << said.out << said.err << logs();
    EXPECT_EQ(state().progress.step, 20);
    EXPECT_EQ(state().machines.size(), 2u);
}

TEST_F(Slurm, AFailureIsTheJobs) {
    Said said = launch({"--cpu", "--no_python", script("exit 3")});
    EXPECT_EQ(said.code, 1) << said.out << said.err << logs();
    EXPECT_EQ(state().status, run::Status::failed);
    EXPECT_THAT(said.err, HasSubstr("code 3"));
}

TEST_F(Slurm, WhatWaitsIsCancelled) {
    Said first = run_program({"sbatch", "--parsable", "--nodes=2", "--exclusive", "--wrap", "sleep 600"});
    ASSERT_EQ(first.code, 0) << first.err;
    Said said = launch({"--cpu", "--json", "--detach", recipe(20)});
    ASSERT_EQ(said.code, 0) << said.err;
    Json answer = Json::parse(said.out);
    Said listed = test::trainyard({"runs", "list"});
    EXPECT_THAT(listed.out, HasSubstr("queued"));
    Said stopped = test::trainyard({"runs", "stop", answer["run_id"]});
    EXPECT_EQ(stopped.code, 0) << stopped.err;
    EXPECT_THAT(stopped.out, says("SLURM job {} was removed from the queue", _));
    EXPECT_EQ(state().status, run::Status::stopped);
    Said queue = run_program({"squeue", "--noheader", "--jobs", answer["job"], "--states", "all", "--format", "%T"});
    EXPECT_THAT(queue.out, HasSubstr("CANCELLED"));
    run_program({"scancel", first.out.substr(0, first.out.find('\n'))});
}

TEST_F(Slurm, AWarningPutsTheRunBackAndItGoesOn) {
    Said said = launch({"--cpu", "--json", "--detach", recipe(1500)});
    ASSERT_EQ(said.code, 0) << said.err;
    std::string job = Json::parse(said.out)["job"];
    ASSERT_TRUE(eventually([&] { return state().progress.step > 5; })) << logs();
    EXPECT_EQ(run_program({"scancel", "--batch", "--signal=USR1", job}).code, 0);
    ASSERT_TRUE(eventually([&] { return state().status == run::Status::stopped || state().generation == 2; }))
        << logs();
    std::int64_t stopped_at = state().progress.step;
    ASSERT_TRUE(eventually([&] {
        Said queue = run_program({"squeue", "--noheader", "--jobs", job, "--format", "%T"});
        return queue.out.find("PENDING") != std::string::npos || state().generation == 2;
    })) << logs();
    // SLURM makes a job that was put back wait for two minutes; nobody has to in a test.
    run_program({"scontrol", "update", "JobId=" + job, "StartTime=now"});
    ASSERT_TRUE(eventually([&] { return state().status == run::Status::finished; }, 300)) << logs();
    EXPECT_EQ(state().generation, 2);
    EXPECT_EQ(state().progress.step, 1500);
    EXPECT_GT(stopped_at, 5);
    EXPECT_LT(stopped_at, 1500);
    EXPECT_THAT(logs(), HasSubstr("resumed from "));
}

TEST_F(Slurm, LaunchersUnderSrunFindEachOther) {
    Said said = run_program({"srun", "-N2", "-n2", TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--num_processes",
                             "3", "--main_process_ip", "127.0.0.1", recipe(10)});
    EXPECT_EQ(said.code, 0) << said.out << said.err;
    ASSERT_EQ(runs().size(), 1u);
    EXPECT_EQ(state().ranks.size(), 3u);
    EXPECT_EQ(state().progress.step, 10);
}

TEST_F(Slurm, WhatSlurmRefusesLeavesNothing) {
    Said said = launch({"--cpu", "--partition", "nowhere", recipe(20)});
    EXPECT_EQ(said.code, 2) << said.out;
    EXPECT_THAT(said.err, says("SLURM rejected the job: {}", _));
    EXPECT_TRUE(runs().empty());
}

}  // namespace
}  // namespace trainyard
