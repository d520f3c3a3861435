// SPDX-License-Identifier: GPL-3.0-or-later
// Machines that do not see rank 0's disk: what every rank adds to a checkpoint gets there, and what is started from
// gets to every rank.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/fake_hub.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;

namespace {

class OwnDisks : public testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    std::filesystem::path checkpoint(int step) const {
        return cluster.paths().checkpoints() / ("checkpoint_" + std::to_string(step));
    }
    std::map<std::int64_t, double> finish() {
        run::RunState state = cluster.wait_until_over();
        EXPECT_EQ(state.status, run::Status::finished) << state.message;
        EXPECT_EQ(cluster.leftovers(), "");
        return cluster.losses();
    }
    Cluster cluster{2, TRAINYARD_ARROW_FOLDER};
};

TEST_F(OwnDisks, WhatPowerSgdKeepsOfEveryRankIsSavedAndLoadedAgain) {
    const std::string hook = "parallel: {comm_hook: power_sgd, comm_state_option: {start_powerSGD_iter: 2}}\n";
    cluster.start({.ranks = {1, 2}, .steps = 16, .save_every = 8, .more = hook});
    std::map<std::int64_t, double> whole = finish();
    ASSERT_EQ(whole.size(), 16u);
    for (int rank : {0, 1, 2})
        EXPECT_TRUE(std::filesystem::exists(checkpoint(8) / ("comm_hook_" + std::to_string(rank) + ".bin"))) << rank;
    EXPECT_FALSE(std::filesystem::exists(cluster.paths_on(1).checkpoints() / "checkpoint_8"));

    // If a rank dies, the next generation continues as if nothing had happened: with its errors fed back, not without.
    cluster.environment["TRAINYARD_FAILPOINT"] = "phase.2.backward:kill@12";
    cluster.start({.ranks = {1, 2}, .steps = 16, .save_every = 8, .max_restarts = 1, .more = hook});
    cluster.environment.clear();
    std::map<std::int64_t, double> resumed = finish();
    EXPECT_EQ(cluster.state().restarts, 1);
    EXPECT_EQ(cluster.journal().find("starts again"), std::string::npos) << cluster.journal();
    ASSERT_EQ(resumed.size(), whole.size());
    for (const auto& [step, loss] : whole)
        EXPECT_NEAR(resumed.at(step), loss, 1e-6) << step;
}

TEST_F(OwnDisks, ARollBackReachesRanksThatDoNotSeeTheCheckpoint) {
    const std::string rolls_back = "health: {on_non_finite: rollback}\n";
    // Replicas, and ranks that share out the optimizer's state, of which each reads its own part.
    for (const std::string& more : {std::string(), std::string("parallel: {zero_stage: 2}\n")}) {
        std::map<bool, std::map<std::int64_t, double>> losses;
        for (const bool together : {true, false}) {
            cluster.environment["TRAINYARD_FAILPOINT"] = "gradient.2.transformer.h.1.mlp.c_fc.weight:nan@7";
            cluster.start({.ranks = together ? std::vector{3} : std::vector{1, 2},
                           .steps = 10,
                           .save_every = 4,
                           .more = rolls_back + more});
            cluster.environment.clear();
            losses[together] = finish();
            EXPECT_THAT(
                cluster.journal(),
                says("weights and optimizer are those of {} again; the batches from there to step {} are left out",
                     "checkpoint_4", 7))
                << more;
            if (!together) {
                EXPECT_TRUE(!std::filesystem::exists(cluster.paths_on(1).checkpoints()) ||
                            std::filesystem::is_empty(cluster.paths_on(1).checkpoints()))
                    << "the copy is gone once it is loaded";
            }
        }
        ASSERT_EQ(losses[true].size(), 10u);
        ASSERT_EQ(losses[false].size(), 10u);
        for (const auto& [step, loss] : losses[true])
            EXPECT_NEAR(losses[false].at(step), loss, 1e-5) << step << " " << more;
    }
}

TEST_F(OwnDisks, WeightsToStartFromNeedToBeOnTheFirstMachineOnly) {
    cluster.start({.ranks = {1, 1}, .steps = 6, .save_every = 0});
    finish();
    std::filesystem::path home = cluster.home(cluster.hosts[0].name);
    std::filesystem::create_directories(home / "pretrained");
    for (const char* file : {"model.safetensors", "config.json"})
        std::filesystem::copy_file(checkpoint(6) / file, home / "pretrained" / file);
    cluster.hosts.run(cluster.hosts[0].name, {"true"});
    std::filesystem::permissions(home / "pretrained", std::filesystem::perms(0755));
    for (const auto& entry : std::filesystem::directory_iterator(home / "pretrained"))
        std::filesystem::permissions(entry.path(), std::filesystem::perms(0644));
    std::map<std::int64_t, double> one;
    for (const std::string& weights : {std::string("pretrained"), std::string("pretrained/model.safetensors")}) {
        const std::string place = cluster.hosts[0].home + "/" + weights;
        cluster.start({.ranks = {2}, .steps = 5, .save_every = 0, .weights = place});
        one = finish();
        cluster.start({.ranks = {1, 1}, .steps = 5, .save_every = 0, .weights = place});
        std::map<std::int64_t, double> two = finish();
        ASSERT_EQ(two.size(), one.size());
        for (const auto& [step, loss] : one)
            EXPECT_NEAR(two.at(step), loss, 1e-5) << weights << " " << step;
        EXPECT_TRUE(!std::filesystem::exists(cluster.paths_on(1).checkpoints()) ||
                    std::filesystem::is_empty(cluster.paths_on(1).checkpoints()))
            << "the copy is gone once it is loaded";
    }
}

TEST_F(OwnDisks, WhatIsNamedOnAHubIsDownloadedOncePerMachine) {
    cluster.start({.ranks = {1, 1}, .steps = 6, .save_every = 0});
    finish();
    std::string bridge = cluster.hosts[0].address;  // host 1 of the machines' network, which the hosts reach
    bridge = bridge.substr(0, bridge.rfind('.')) + ".1";
    test::FakeHub hub(cluster.hosts.namespaces() ? bridge : "127.0.0.1");
    const std::string weights = read_file(checkpoint(6) / "model.safetensors");
    hub.put("org/tiny", "model.safetensors", weights, true);
    hub.put("org/tiny", "config.json", read_file(checkpoint(6) / "config.json"));
    const std::string rows = read_file(TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet");
    hub.put("datasets/org/rows", "data/train-00000-of-00001.parquet", rows, true);
    cluster.environment = {{"HF_ENDPOINT", hub.address()}, {"no_proxy", "*"}};
    const auto train = [&](std::vector<int> ranks) {
        cluster.start({.ranks = std::move(ranks),
                       .batch = 1,
                       .steps = 4,
                       .save_every = 0,
                       .weights = "hub:org/tiny",
                       .settings = {"data.path=hub:org/rows", "data.format=parquet", "data.column=text",
                                    "data.sequence_length=8"}});
        return finish();
    };
    const std::map<std::int64_t, double> two = train({1, 2});
    EXPECT_EQ(hub.sent("data/train-00000-of-00001.parquet"), 2 * rows.size()) << "once for both ranks of a machine";
    EXPECT_EQ(hub.sent("model.safetensors"), weights.size()) << "the first machine sends them to the others";
    // The next start asks for nothing, and the ranks of one machine train the same.
    hub.forget_requests();
    const std::map<std::int64_t, double> again = train({1, 2}), one = train({3});
    EXPECT_THAT(hub.requests(), testing::IsEmpty());
    ASSERT_EQ(two.size(), 4u);
    EXPECT_EQ(again, two);
    for (const auto& [step, loss] : one)
        EXPECT_NEAR(two.at(step), loss, 1e-5) << step;
}

}  // namespace
