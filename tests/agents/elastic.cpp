// SPDX-License-Identifier: GPL-3.0-or-later
// A machine of a sharded run is lost (kill -9 of its rank and its agent), in a step or while a checkpoint is written:
// the ranks that are left continue from the last checkpoint, and their curve is that of a run on them alone from there.

#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agents/cluster.h"
#include "base/file.h"
#include "support/says.h"

using namespace trainyard;
using test::Cluster;
using test::says;

namespace {

constexpr int kElasticSteps = 30;

class Elastic : public testing::Test {
  protected:
    void TearDown() override {
        if (HasFailure())
            cluster.print_logs();
    }
    static Cluster::Asked asked(std::vector<int> ranks, std::int64_t zero_stage) {
        Cluster::Asked made{.ranks = std::move(ranks), .steps = kElasticSteps};
        made.max_restarts = 1;
        made.min_machines = 1;
        made.more = "parallel: {zero_stage: " + std::to_string(zero_stage) + "}\n";
        made.settings = {"training.global_batch_size=12"};  // of 3 ranks and of 2
        return made;
    }
    std::map<std::int64_t, double> finish() {
        const run::RunState state = cluster.wait_until_over(120);
        EXPECT_EQ(state.status, run::Status::finished) << state.message;
        EXPECT_EQ(cluster.leftovers(), "");
        return cluster.losses();
    }
    /// Trains on two ranks and one of another machine, which stops at the failpoint and is killed with its agent then.
    std::map<std::int64_t, double> lose_a_machine(std::int64_t zero_stage, const std::string& failpoint) {
        cluster.environment["TRAINYARD_FAILPOINT"] = failpoint;
        cluster.start(asked({2, 1}, zero_stage));
        cluster.environment.clear();
        int rank = 0;
        const run::RunState state = cluster.wait_for(
            [&](const run::RunState& now) {
                if (run::is_over(now.status) || now.ranks.size() < 3 || now.progress.step < 5)
                    return run::is_over(now.status);
                rank = cluster.agent_state(1).at("ranks").at(0).at("pid").get<int>();
                return cluster.hosts
                    .run(cluster.hosts[1].name,
                         {"sh", "-c", "cut -d ' ' -f 3 /proc/" + std::to_string(rank) + "/stat || true"})
                    .starts_with('T');
            },
            120);
        EXPECT_EQ(state.status, run::Status::running) << state.message;
        const int agent = cluster.agent_state(1).at("pid").get<int>();
        cluster.kill(1, rank, SIGKILL);
        cluster.kill(1, agent, SIGKILL);
        return finish();
    }
    /// The step from which the second generation continued; 0: from none.
    std::int64_t continued_from() const {
        std::smatch found;
        const std::string journal = cluster.journal();
        return std::regex_search(journal, found, std::regex("resumed from [^ ]+ at step ([0-9]+)"))
                   ? std::stoll(found[1])
                   : 0;
    }
    /// The files of weights of the last checkpoint, by name.
    std::map<std::string, std::string> weights_at_the_end() const {
        std::map<std::string, std::string> files;
        for (const auto& entry : std::filesystem::directory_iterator(cluster.paths().checkpoints() /
                                                                     ("checkpoint_" + std::to_string(kElasticSteps))))
            if (entry.path().extension() == ".safetensors" && entry.path().filename().string().starts_with("model"))
                files[entry.path().filename().string()] = read_file(entry.path());
        return files;
    }
    void expect_same_curve(std::int64_t zero_stage, const std::string& failpoint) {
        const std::map<std::int64_t, double> elastic = lose_a_machine(zero_stage, failpoint);
        const run::RunState state = cluster.state();
        EXPECT_EQ(state.restarts, 1);
        EXPECT_EQ(state.ranks.size(), 2U) << "the ranks of the machine that is left";
        ASSERT_EQ(elastic.size(), static_cast<std::size_t>(kElasticSteps));
        const std::int64_t from = continued_from();
        ASSERT_GE(from, 5);
        ASSERT_LT(from, kElasticSteps);
        // Nothing that was begun is left beside the checkpoints.
        for (const auto& entry : std::filesystem::directory_iterator(cluster.paths().checkpoints()))
            EXPECT_TRUE(entry.path().filename().string().starts_with("checkpoint_")) << entry.path();
        const std::map<std::string, std::string> weights = weights_at_the_end();
        EXPECT_FALSE(weights.empty());
        const std::string resumed =
            cluster.hosts[0].home + "/runs/" + cluster.run_id + "/checkpoints/checkpoint_" + std::to_string(from);

        Cluster::Asked two = asked({2}, zero_stage);
        two.min_machines = 0;
        two.settings.push_back("checkpoint.resume_from=" + resumed);
        cluster.start(two);
        const std::map<std::int64_t, double> alone = finish();
        ASSERT_EQ(alone.size(), static_cast<std::size_t>(kElasticSteps - from));
        for (const auto& [step, loss] : alone)
            EXPECT_EQ(elastic.at(step), loss) << step;
        EXPECT_TRUE(weights == weights_at_the_end());

        cluster.start(asked({2, 1}, zero_stage));
        for (const auto& [step, loss] : finish())
            EXPECT_NEAR(elastic.at(step), loss, 1e-4) << step << ", three ranks that were not disturbed";
    }
    Cluster cluster{2};
};

TEST_F(Elastic, AMachineThatIsLostInAStep) {
    expect_same_curve(3, "phase.2.backward:stop@25");
}

TEST_F(Elastic, AMachineThatIsLostInASave) {
    expect_same_curve(3, "phase.2.save:stop@5");
}

TEST_F(Elastic, AMachineThatIsLostInASaveOfSharedStates) {
    expect_same_curve(2, "phase.2.save:stop@5");
}

}  // namespace
