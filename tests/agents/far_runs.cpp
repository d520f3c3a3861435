// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs on machines of their own: curves, deaths, and what is left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;
using testing::_;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class FarRuns : public testing::Test {
  protected:
    static void SetUpTestSuite() { cluster_ = new Cluster(3); }
    static void TearDownTestSuite() {
        delete cluster_;
        cluster_ = nullptr;
    }
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    /// Rank 2 of 1 + 2, on the second host.
    int remote_pid(std::size_t host) { return cluster.agent_state(host).at("ranks").at(0).at("pid").get<int>(); }

    static Cluster* cluster_;
    Cluster& cluster = *cluster_;
};
Cluster* FarRuns::cluster_ = nullptr;

TEST_F(FarRuns, ThreeHostsWithUnevenRanksGiveTheCurveOfOne) {
    cluster.start({.ranks = {4}, .steps = 10});
    ASSERT_EQ(cluster.wait_until_over().status, run::Status::finished) << cluster.state().message;
    auto one = cluster.losses();
    ASSERT_EQ(one.size(), 10u);

    cluster.start({.ranks = {1, 2, 1}, .steps = 10});
    run::RunState state = cluster.wait_until_over();
    ASSERT_EQ(state.status, run::Status::finished) << state.message;
    auto three = cluster.losses();
    ASSERT_EQ(three.size(), one.size());
    for (const auto& [step, loss] : one)
        EXPECT_NEAR(three.at(step), loss, 1e-5) << step;
    ASSERT_EQ(state.ranks.size(), 4u);
    EXPECT_EQ(state.ranks[0].host, "host1");
    EXPECT_EQ(state.ranks[1].host, "host2");
    EXPECT_EQ(state.ranks[2].host, "host2");
    EXPECT_EQ(state.ranks[3].host, "host3");
    ASSERT_EQ(state.machines.size(), 3u);
    EXPECT_GT(state.machines[1].last_contact, 0);
    EXPECT_THAT(cluster.events("note"), Contains(says("{} ({}) joined as machine {} with {}", EndsWith("host2"),
                                                      cluster.hosts[1].address, StartsWith("1"), _)));
    // Each host keeps the logs of its own ranks, the first one those of all.
    EXPECT_TRUE(std::filesystem::exists(cluster.paths().rank_log(3)));
    EXPECT_TRUE(std::filesystem::exists(cluster.paths_on(2).rank_log(3)));
    EXPECT_FALSE(std::filesystem::exists(cluster.paths_on(2).rank_log(1)));
    EXPECT_TRUE(std::filesystem::exists(cluster.paths().checkpoints() / "checkpoint_10"));
    EXPECT_FALSE(std::filesystem::exists(cluster.paths_on(1).checkpoints() / "checkpoint_10"));
    EXPECT_EQ(cluster.leftovers(), "");
    // The secret is in no file of the run, on no host.
    for (std::size_t host = 0; host < 3; ++host)
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(cluster.home(cluster.hosts[host].name))) {
            if (!entry.is_regular_file() || entry.file_size() > (1u << 20))
                continue;
            EXPECT_EQ(read_file(entry.path()).find(cluster.secret.text()), std::string::npos) << entry.path();
        }
}

TEST_F(FarRuns, ADeadRankOfAnotherMachineIsInTheStateWithinASecond) {
    cluster.start({.ranks = {1, 1}, .steps = 100000});
    ASSERT_GE(cluster.wait_for_step(3).progress.step, 3) << cluster.state().message;
    int pid = remote_pid(1);
    double killed = monotonic_seconds();
    cluster.kill(1, pid, SIGKILL);
    run::RunState state = cluster.wait_for([](const run::RunState& now) { return now.first_failure.has_value(); });
    double known = monotonic_seconds() - killed;
    RecordProperty("seconds_until_known", std::to_string(known));
    std::printf("a killed rank of another machine was in state.json after %.3f s\n", known);
    ASSERT_TRUE(state.first_failure);
    EXPECT_LT(known, 2.0);
    state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::failed);
    EXPECT_EQ(state.first_failure->rank, 1);
    EXPECT_EQ(state.first_failure->host, "host2");
    EXPECT_EQ(state.first_failure->signal, SIGKILL);
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(FarRuns, AKilledAgentTakesItsRanksWithItAndIsNamed) {
    cluster.start({.ranks = {1, 1}, .steps = 100000});
    ASSERT_GE(cluster.wait_for_step(3).progress.step, 3) << cluster.state().message;
    cluster.kill(1, cluster.agent_state(1).at("pid").get<int>(), SIGKILL);
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::failed);
    EXPECT_THAT(state.message, says("{} was lost: {}", EndsWith("host2"), _));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(FarRuns, AKilledHeadLeavesNothingOnAnyMachine) {
    cluster.start({.ranks = {1, 1, 1}, .steps = 100000, .lease_s = 2});
    ASSERT_GE(cluster.wait_for_step(3).progress.step, 3) << cluster.state().message;
    cluster.kill(0, static_cast<int>(cluster.state().supervisor.pid), SIGKILL);
    EXPECT_EQ(cluster.leftovers(2 + 2 + 2), "") << "ranks at once, agents after the lease";
}

TEST_F(FarRuns, AskedToStopItSavesOnTheFirstMachineAndAllAgentsLeave) {
    cluster.start({.ranks = {1, 1}, .steps = 100000, .save_every = 0});
    ASSERT_GE(cluster.wait_for_step(3).progress.step, 3) << cluster.state().message;
    // SIGTERM to an agent: its machine is about to be taken away.
    cluster.kill(1, cluster.agent_state(1).at("pid").get<int>(), SIGTERM);
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::stopped) << state.message;
    EXPECT_THAT(state.message, says("stopped at {} after a checkpoint", _));
    EXPECT_TRUE(std::filesystem::exists(cluster.paths().checkpoints()));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(FarRuns, AgentsThatDoNotBelongAreToldWhyAndTheRunStartsWithoutThem) {
    nlohmann::json answer = cluster.supervise({.ranks = {1, 1}, .steps = 5});
    ASSERT_TRUE(answer.contains("run_id")) << answer.dump();
    launch::AgentOrder order = cluster.agent_order(1, 1);
    order.secret = launch::Secret("a guess");
    cluster.agent(1, order);
    order = cluster.agent_order(1, 1);
    order.machine_rank = 7;
    cluster.agent(2, order);
    double deadline = monotonic_seconds() + 20;
    while (monotonic_seconds() < deadline && (cluster.agent_logs(1).find("refuses") == std::string::npos ||
                                              cluster.agent_logs(2).find("refuses") == std::string::npos))
        ::usleep(20'000);
    EXPECT_THAT(cluster.agent_logs(1), says("this machine was given another secret than the head of the run: set the "
                                            "same TRAINYARD_RUN_SECRET (or --rdzv_conf key=) on all machines"));
    EXPECT_THAT(cluster.agent_logs(2),
                says("machine {} does not exist in a run on {} machines: give this machine a --machine_rank of 1 to {}",
                     7, 2, _));
    EXPECT_FALSE(run::is_over(cluster.state().status));
    EXPECT_THAT(cluster.state().message, says("waiting for {}", StartsWith("host2")));
    cluster.agent(1, cluster.agent_order(1, 1));
    EXPECT_EQ(cluster.wait_until_over().status, run::Status::finished) << cluster.state().message;
    EXPECT_THAT(cluster.events("note"), Contains(says("{} was turned away: it does not know the run's secret", _)));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(FarRuns, OrdersThatAreWrongAreAnsweredWithEverythingThatIs) {
    Cluster::Asked asked{.ranks = {1, 1}};
    launch::Secret good = cluster.secret;
    cluster.secret = {};
    nlohmann::json answer = cluster.supervise(asked);
    cluster.secret = good;
    ASSERT_TRUE(answer.contains("problems")) << answer.dump();
    EXPECT_THAT(answer.dump(), says("is missing: the run is on several machines").after("secret: "));
    launch::AgentOrder order = cluster.agent_order(1, 1);
    order.head_port = 0;
    order.rendezvous = "../up";
    answer = cluster.agent(1, order);
    ASSERT_TRUE(answer.contains("problems")) << answer.dump();
    EXPECT_THAT(answer.dump(), HasSubstr("head.port"));
    EXPECT_EQ(cluster.leftovers(), "");
}

}  // namespace
