// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that know nothing of Trainyard on machines of their own: where they are, what they print, their curves, and machines that come
// while they run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class Programs : public testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    std::string log_of(int rank) const { return read_file(cluster.paths().rank_log(rank)); }
    /// On every host, at the path that the first one has.
    std::string script(const std::string& text) {
        for (const test::TestHost& host : cluster.hosts.all())
            std::ofstream(cluster.home(host.name) / "train.sh") << text;
        return cluster.hosts[0].home + "/train.sh";
    }
    Cluster cluster{2};
};

TEST_F(Programs, AScriptRunsOnAllHostsAndEachKnowsItsPlace) {
    std::string path = script(
        "echo rank $RANK of $WORLD_SIZE, $LOCAL_RANK of $LOCAL_WORLD_SIZE on machine $GROUP_RANK, "
        "meets at $MASTER_ADDR\n"
        "exit 0\n");
    cluster.start({.ranks = {1, 2}, .program = {"sh", path}});
    run::RunState state = cluster.wait_until_over();
    ASSERT_EQ(state.status, run::Status::finished) << state.message;
    std::string meets = "meets at " + cluster.hosts[0].address;
    EXPECT_THAT(log_of(0), HasSubstr("rank 0 of 3, 0 of 1 on machine 0, " + meets));
    EXPECT_THAT(log_of(1), HasSubstr("rank 1 of 3, 0 of 2 on machine 1, " + meets));
    EXPECT_THAT(log_of(2), HasSubstr("rank 2 of 3, 1 of 2 on machine 1, " + meets));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Programs, AScriptThatFailsOnAnotherHostIsNamedWithItsExitCode) {
    std::string path = script("[ $RANK = 1 ] && { echo no such file as mine >&2; exit 9; }\nsleep 60\n");
    cluster.start({.ranks = {1, 1}, .program = {"sh", path}});
    run::RunState state = cluster.wait_until_over();
    ASSERT_EQ(state.status, run::Status::failed) << state.message;
    ASSERT_TRUE(state.first_failure);
    EXPECT_EQ(state.first_failure->rank, 1);
    EXPECT_EQ(state.first_failure->host, "host2");
    EXPECT_EQ(state.first_failure->exit_code, 9);
    EXPECT_THAT(state.first_failure->log, Contains(HasSubstr("no such file as mine")));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Programs, CurvesThatARankOfAnotherHostWritesLieInTheRun) {
    // The output of each rank, in two parts.
    for (std::size_t host : {0, 1}) {
        std::filesystem::path folder = cluster.home(cluster.hosts[host].name) / "prepared";
        std::filesystem::create_directories(folder);
        events::EventFileWriter writer(folder);
        for (int step = 1; step <= 200; ++step)
            writer.add_scalars(step, 1000 + step, {{"loss of host" + std::to_string(host + 1), 1.0 / step}});
        writer.flush();
        std::filesystem::rename(writer.path(), folder / "events");
        std::filesystem::permissions(folder, std::filesystem::perms(0755));
        std::filesystem::permissions(folder / "events", std::filesystem::perms(0644));
    }
    std::string path = script(
        "cd; mkdir -p mine; file=mine/events.out.tfevents.1795287765.$(hostname).$$.0\n"
        "head -c 1000 prepared/events >$file; sleep 2.5; tail -c +1001 prepared/events >>$file; sleep 0.2\n");
    cluster.start({.ranks = {1, 1}, .program = {"sh", path}});
    run::RunState half = cluster.wait_for(
        [&](const run::RunState& now) { return run::is_over(now.status) || !cluster.curve("loss of host2").empty(); });
    EXPECT_FALSE(run::is_over(half.status)) << "they are followed while the program runs: " << half.message;
    run::RunState state = cluster.wait_until_over();
    ASSERT_EQ(state.status, run::Status::finished) << state.message;
    std::map<std::int64_t, double> curve = cluster.curve("loss of host2");
    ASSERT_EQ(curve.size(), 200u) << "and to the end";
    EXPECT_NEAR(curve.at(200), 1.0 / 200, 1e-6);
    int links = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cluster.paths().metrics()))
        links += entry.is_symlink();
    EXPECT_EQ(links, 1) << "the head's own, as before";
    EXPECT_THAT(cluster.events("note"),
                Contains(says("curves of the program on {}: {}", "host2", StartsWith("events.out.tfevents."))));
    EXPECT_EQ(cluster.leftovers(), "");
}

TEST_F(Programs, AMachineThatComesLaterTakesPartInTheNextGeneration) {
    std::string path = script("trap 'echo told to end; exit 3' TERM\necho one of $WORLD_SIZE\nsleep 300 & wait\n");
    nlohmann::json answer = cluster.supervise(
        {.ranks = {1, 1}, .min_machines = 1, .last_call_s = 0.3, .program = {"sh", path}, .short_life_s = 1});
    ASSERT_TRUE(answer.contains("run_id")) << answer.dump();
    run::RunState alone = cluster.wait_for([](const run::RunState& now) {
        return run::is_over(now.status) || (now.status == run::Status::running && now.ranks.size() == 1);
    });
    ASSERT_EQ(alone.ranks.size(), 1u) << alone.message;
    cluster.agent(1, cluster.agent_order(1, 1));
    run::RunState both = cluster.wait_for([](const run::RunState& now) {
        return run::is_over(now.status) ||
               (now.generation == 2 && now.status == run::Status::running && now.ranks.size() == 2);
    });
    ASSERT_EQ(both.ranks.size(), 2u) << both.message;
    EXPECT_EQ(both.restarts, 0) << "it was not a failure";
    EXPECT_THAT(cluster.events("restart"), Contains(says("all ranks start again, on more machines")));
    EXPECT_THAT(log_of(0), AllOf(HasSubstr("one of 1"), HasSubstr("told to end")));
    cluster.wait_for([&](const run::RunState&) {
        return log_of(0).find("one of 2") != std::string::npos && log_of(1).find("one of 2") != std::string::npos;
    });
    EXPECT_THAT(log_of(1), HasSubstr("one of 2"));
    cluster.kill(0, static_cast<int>(both.supervisor.pid), SIGTERM);
    EXPECT_EQ(cluster.wait_until_over().status, run::Status::stopped);
    EXPECT_EQ(cluster.leftovers(), "");
}

}  // namespace
