// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that lose each other, and slow links: exactly one generation continues.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/lossy_link.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;
using testing::_;
using testing::Contains;
using testing::HasSubstr;

namespace {

class Partitions : public testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    /// When the first line with `words` in it was written.
    static std::string time_of(const std::string& log, const std::string& words) {
        std::size_t at = log.find(words);
        if (at == std::string::npos)
            return {};
        std::size_t begin = log.rfind('\n', at);
        return log.substr(begin == std::string::npos ? 0 : begin + 1, 24);
    }
    Cluster cluster{2};
};

TEST_F(Partitions, TheCutOffMachineEndsItsRanksFirstTheOthersGoOnAndItIsTakenInAgain) {
    cluster.start(
        {.ranks = {1, 1}, .steps = 1000000, .save_every = 50, .max_restarts = 1, .min_machines = 1, .last_call_s = 2});
    auto runs_on = [](const run::RunState& now, std::size_t ranks, int generation) {
        return run::is_over(now.status) ||
               (now.ranks.size() == ranks && now.generation >= generation && now.status == run::Status::running);
    };
    auto has_saved = [&](const run::RunState& now) {
        return run::is_over(now.status) || (now.ranks.size() == 2 && now.progress.step >= 60);
    };
    int first = cluster.wait_for(has_saved).generation;
    ASSERT_EQ(cluster.state().ranks.size(), 2u) << cluster.state().message;
    cluster.cut(1);
    run::RunState state = cluster.wait_for([&](const run::RunState& now) { return runs_on(now, 1, first + 1); }, 30);
    ASSERT_EQ(state.generation, first + 1) << state.message;
    ASSERT_EQ(state.ranks.size(), 1u) << "the remaining machine continues alone";
    EXPECT_EQ(state.restarts, 1);
    EXPECT_THAT(cluster.events("restart"), Contains(HasSubstr("from the newest checkpoint")));
    EXPECT_EQ(read_file(cluster.paths().generation()), std::to_string(first + 1) + "\n");
    if (cluster.hosts.namespaces()) {
        // The machine that is cut off has decided on its own, and before the other one.
        EXPECT_EQ(cluster.programs(1), "trainyard\ntrainyard-guard\n") << "the agent has no ranks";
        EXPECT_EQ(read_file(cluster.paths_on(1).generation()), std::to_string(first + 1) + "\n")
            << "its ranks could write no checkpoint any more";
        std::string ended = time_of(cluster.agent_logs(1), "ranks are ended");
        std::string lost;
        for (const run::Event& event : run::JournalReader(cluster.paths().journal()).poll())
            if (event.kind == "restart")
                lost = iso_time(event.time);
        EXPECT_NE(ended, "");
        EXPECT_LT(ended, lost);
    }
    cluster.mend(1);
    state = cluster.wait_for([&](const run::RunState& now) { return runs_on(now, 2, first + 2); }, 30);
    ASSERT_EQ(state.generation, first + 2) << state.message;
    ASSERT_EQ(state.ranks.size(), 2u) << "the machine that came back takes part again";
    EXPECT_EQ(state.restarts, 1) << "a partition is not a failure";
    std::int64_t step = state.progress.step;
    cluster.wait_for([&](const run::RunState& now) { return run::is_over(now.status) || now.progress.step > step + 3; },
                     20);
    cluster.kill(0, static_cast<int>(state.supervisor.pid), SIGTERM);
    state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::stopped) << state.message;
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Partitions, ClocksThatDifferByDaysMakeNoDifference) {
    cluster.supervise({.ranks = {1, 1}, .steps = 60, .save_every = 0});
    launch::AgentOrder order = cluster.agent_order(1, 1);
    nlohmann::json answer =
        cluster.hosts.namespaces() ? cluster.agent_ahead(1, order, 1'000'000) : cluster.agent(1, order);
    ASSERT_TRUE(answer.contains("pid")) << answer.dump();
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::finished) << state.message;
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Partitions, ASlowLinkIsNamedAndTheRunCompletes) {
    if (cluster.hosts.namespaces())
        cluster.hosts.slow("host2", "600kbit");
    cluster.start({.ranks = {1, 1}, .steps = 8, .lease_s = 2});
    if (!cluster.hosts.namespaces()) {
        // A network cannot be slowed without one's own: the agent answers late instead.
        cluster.wait_for([](const run::RunState& now) { return now.status == run::Status::running; });
        int agent = cluster.agent_state(1).at("pid").get<int>();
        for (int i = 0; i < 6; ++i) {
            cluster.kill(1, agent, SIGSTOP);
            ::usleep(1'200'000);
            cluster.kill(1, agent, SIGCONT);
            ::usleep(50'000);
        }
    }
    run::RunState state = cluster.wait_until_over();
    EXPECT_EQ(state.status, run::Status::finished) << state.message;
    if (cluster.hosts.namespaces()) {
        EXPECT_THAT(
            cluster.events("warning"),
            Contains(says(
                "the link to {} ({}) is slow: a heartbeat takes {} there and back; training waits for it at every step",
                "host2", cluster.hosts[1].address, _)));
    }
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Partitions, ALinkThatDelaysAndLosesPacketsIsNamedAndTheRunCompletes) {
    if (!cluster.hosts.namespaces()) {
        ASSERT_TRUE(::geteuid() != 0 || std::getenv("TRAINYARD_TEST_HOSTS") != nullptr)
            << "root could not make network namespaces here, so the hosts have loopback addresses";
        GTEST_SKIP() << "only root can lead a link through TAP devices";
    }
    test::LossyLink line(cluster.hosts, "host2", {.delay_s = 0.1, .loss = 0.05});
    cluster.start({.ranks = {1, 1}, .steps = 5, .save_every = 0, .lease_s = 3});
    run::RunState state = cluster.wait_until_over(120);
    EXPECT_EQ(state.status, run::Status::finished) << state.message;
    EXPECT_EQ(state.restarts, 0);
    EXPECT_EQ(cluster.losses().size(), 5u);
    EXPECT_THAT(
        cluster.events("warning"),
        Contains(says(
            "the link to {} ({}) is slow: a heartbeat takes {} there and back; training waits for it at every step",
            "host2", cluster.hosts[1].address, _)));
    EXPECT_GT(line.lost(), 0);
    EXPECT_EQ(cluster.leftovers(), "");
}

}  // namespace
