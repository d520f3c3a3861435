// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep of 16 runs on two hosts behind real sshd, one of which is lost in the middle, ends with the same best run
// as without the loss.

#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "remote_runs/remote_launch.h"
#include "run/listing.h"

namespace trainyard {
namespace {

using Json = nlohmann::json;

class SweepHosts : public test::RemoteLaunchTest {
  protected:
    /// From the first trial to the last; the answer of `--show`.
    Json sweep(const std::string& name, const std::function<void()>& in_the_middle) {
        const fs::path file = folder_.path() / (name + ".yaml");
        std::ofstream(file) << "name: " << name
                            << "\nrecipe: recipe.yaml\nmethod: random\ntrials: 16\nat_once: 2\nseed: 2\n"
                               "metric: train/loss\nlaunch: [--cpu]\nhosts: ["
                            << hosts_->all()[0].name << ", " << hosts_->all()[1].name
                            << "]\nparameters: {optimizer.lr: {min: 1e-5, max: 0.1, scale: log}}\n";
        std::thread watcher([&] {
            wait_for([&] { return run::list_runs(runs()).size() >= before_ + 7; }, 300);
            in_the_middle();
        });
        const ProgramResult result = trainyard({"sweep", "--json", file.string()}, 800);
        watcher.join();
        EXPECT_TRUE(result.ok()) << result.output << result.error;
        before_ = run::list_runs(runs()).size();
        said_ = result.output + result.error;
        const std::size_t end = result.output.find_last_not_of('\n'), begin = result.output.rfind('\n', end);
        return Json::parse(result.output.substr(begin + 1));
    }
    std::size_t before_ = 0;
    std::string said_;
};

TEST_F(SweepHosts, AHostIsLostInTheMiddle) {
    make_hosts(2);
    const Json whole = sweep("whole", [] {});
    const std::string lost = hosts_->all()[1].name;
    const Json with_loss = sweep("loss", [&] { hosts_->cut(lost); });
    EXPECT_EQ(with_loss["best"]["trial"], whole["best"]["trial"]);
    EXPECT_EQ(with_loss["best"]["values"], whole["best"]["values"]);
    EXPECT_EQ(with_loss["best"]["value"], whole["best"]["value"]);
    EXPECT_THAT(said_, testing::HasSubstr(lost + " is lost"));
    EXPECT_THAT(said_, testing::Not(testing::HasSubstr("\"state\":\"failed\"")));
    hosts_->mend(lost);
}

// Trials of a program on hosts have their values, too, and their curves come back.
TEST_F(SweepHosts, AProgramOnHosts) {
    make_hosts(2);
    const fs::path file = folder_.path() / "program.yaml";
    std::ofstream(file) << "name: program\nmethod: grid\nat_once: 2\nmetric: loss\nlaunch: [--cpu]\n"
                           "directory: /tmp\nenvironment: {DEPTH: '{depth}'}\n"
                           "program:\n  - /bin/sh\n  - -c\n"
                           "  - \"for i in 1 2 3; do echo \\\"{'loss': $1$DEPTH, 'step': $i}\\\"; sleep 0.2; done\"\n"
                           "  - sh\n  - '{width}'\nhosts: ["
                        << hosts_->all()[0].name << ", " << hosts_->all()[1].name
                        << "]\nparameters: {width: [4, 3], depth: [8, 7]}\n";
    const ProgramResult result = trainyard({"sweep", "--json", file.string()}, 300);
    ASSERT_TRUE(result.ok()) << result.output << result.error;
    const std::size_t end = result.output.find_last_not_of('\n'), begin = result.output.rfind('\n', end);
    const Json best = Json::parse(result.output.substr(begin + 1))["best"];
    EXPECT_EQ(best["value"], 37) << best;
    EXPECT_EQ(run::list_runs(runs()).size(), 4u);
}

}  // namespace
}  // namespace trainyard
