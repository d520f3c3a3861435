// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of weights and optimizer state of a program's own modules on a disk.

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/full_sharding.h"
#include "base/error.h"
#include "optim/rule_optimizer.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::full_sharding {
namespace {

using test::says;
using testing::HasSubstr;

TEST(FullSharding, WeightsOnADiskAreTheSameAndLeaveNothingThere) {
    const test::TemporaryFolder folder;
    for (const int ranks : {1, 2, 3})
        for (const std::int64_t accumulation : {1, 2})
            for (const bool checkpointed : {false, true}) {
                FullCase resident{.ranks = ranks, .accumulation = accumulation, .checkpointed = checkpointed};
                resident.max_norm = 0.5;
                FullCase on_disk = resident;
                on_disk.how.offload_folder = folder.path();
                const std::string text = std::to_string(ranks) + " ranks";
                const Outcome expected = outcome_of(resident, 6), got = outcome_of(on_disk, 6);
                if (ranks > 1) {
                    EXPECT_EQ(got.losses, expected.losses) << text;
                    expect_near(got.state, expected.state, text, 0);
                }
                expect_near(got.losses, expected.losses, text);
                expect_near(got.state, expected.state, text);
                EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
            }
}

/// Files of a folder that this process has open.
int open_files_of(const std::filesystem::path& folder) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code error;
        count += std::filesystem::read_symlink(entry, error).string().starts_with(folder.string() + "/") ? 1 : 0;
    }
    return count;
}

TEST(FullSharding, OptimizerStateOnADiskIsTheSameAndLeavesNothingThere) {
    const test::TemporaryFolder folder, saved;
    for (const std::int64_t stage : {1, 2, 3})
        for (const int ranks : {1, 2, 3})
            for (const bool weights_too : {false, true}) {
                if (weights_too && stage != 3)
                    continue;
                FullCase resident{.ranks = ranks, .accumulation = 2, .max_norm = 0.5, .stage = stage};
                if (weights_too)
                    resident.how.offload_folder = folder.path();
                FullCase on_disk = resident;
                on_disk.how.offload_optimizer_folder = folder.path();
                const std::string text = std::to_string(ranks) + " ranks, stage " + std::to_string(stage);
                const Outcome expected = outcome_of(resident, 6), got = outcome_of(on_disk, 6);
                const double tolerance = ranks > 1 || weights_too ? 0 : 1e-5;  // one rank alone has no flat groups
                for (std::size_t i = 0; i < expected.losses.size(); ++i)
                    EXPECT_NEAR(got.losses.at(i), expected.losses[i], tolerance) << text;
                expect_near(got.state, expected.state, text, tolerance);
                EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
                // Continued on a disk and in memory.
                std::vector<NamedTensors> continued;
                const std::filesystem::path place = saved.path() / (text + (weights_too ? ", weights" : ""));
                for (const bool saves : {true, false, false}) {
                    const FullCase& how = continued.size() == 1 ? resident : on_disk;
                    const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
                        const int rank = process->rank();
                        const int before = open_files_of(folder.path());
                        FullTraining training(how, std::move(process));
                        if (!saves)
                            training.accelerator.load_state(place);
                        training.run(3);
                        if (&how == &on_disk && ranks == 1) {
                            EXPECT_GT(open_files_of(folder.path()), before + (weights_too ? 1 : 0));
                        }
                        if (saves)
                            training.accelerator.save_state(place);
                        NamedTensors state = training.state();
                        if (rank == 0)
                            continued.push_back(std::move(state));
                    };
                    if (ranks == 1)
                        body(test::alone());
                    else
                        on_ranks(ranks, body);
                }
                expect_near(continued.at(2), continued.at(1), text + ", continued", tolerance);
                EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
            }
}

TEST(FullSharding, EveryOptimizerWithStateGoesToTheDisk) {
    const test::TemporaryFolder folder;
    for (const auto& [name, arguments] :
         std::map<std::string, Tree>{{"AdamW", Tree::dict({{"amsgrad", true}})},
                                     {"SGD", Tree::dict({{"momentum", 0.9}, {"nesterov", true}})},
                                     {"RMSprop", Tree::dict({{"momentum", 0.5}, {"centered", true}})},
                                     {"Adagrad", Tree::dict({{"initial_accumulator_value", 0.1}})},
                                     {"Lion", {}}}) {
        std::vector<NamedTensors> states;
        for (const bool on_disk : {false, true})
            on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                const int rank = process->rank();
                ShardingOptions how;
                if (on_disk)
                    how.offload_optimizer_folder = folder.path();
                AcceleratorOptions options;
                options.zero_stage = 3;
                options.sharding = how;
                Accelerator accelerator(options, std::move(process));
                const auto net = std::make_shared<Net>();
                auto model = accelerator.prepare(net);
                auto optimizer = accelerator.prepare(optim::make_optimizer(name, parameters_of(*net), arguments));
                const at::Tensor x = at::arange(8, at::kFloat).reshape({2, 4}).mul(0.1);
                for (int step = 0; step < 4; ++step) {
                    accelerator.backward(model(x).square().mean());
                    optimizer->step();
                    optimizer->zero_grad();
                }
                NamedTensors copies;
                for (const auto& [parameter, tensor] : accelerator.get_state_dict(model))
                    copies.emplace_back(parameter, tensor.clone());
                if (rank == 0)
                    states.push_back(std::move(copies));
            });
        expect_near(states.at(1), states.at(0), name, 0);
        EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
}

TEST(FullSharding, WhereOptimizerStateCannotBeOnADiskIsSaid) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options;
    options.zero_stage = 0;
    options.sharding = ShardingOptions{.offload_optimizer_folder = folder.path()};
    EXPECT_THAT(
        [&] { Accelerator(options, test::alone()); },
        testing::ThrowsMessage<UserError>(HasSubstr("optimizer state is kept on a disk with ZeRO stages 1 to 3")));
    FullCase what;
    what.how.offload_optimizer_folder = folder.path() / "none";
    EXPECT_THAT([&] { FullTraining(what, test::alone()); },
                testing::ThrowsMessage<UserError>(HasSubstr("does not exist: make it, or name another one")));
    options.zero_stage = 1;
    Accelerator accelerator(options, test::alone());
    const auto net = std::make_shared<Net>();
    accelerator.prepare(net);
    EXPECT_THAT(
        [&] {
            accelerator.prepare(optim::make_optimizer("SGD", parameters_of(*net), Tree::dict({{"lr", 0.1}})));
        },
        testing::ThrowsMessage<UserError>(HasSubstr("this optimizer has no state to offload")));
}

TEST(FullSharding, WhereWeightsCannotBeOnADiskIsSaid) {
    const test::TemporaryFolder folder;
    AcceleratorOptions options;
    options.zero_stage = 2;
    options.sharding = ShardingOptions{.offload_folder = folder.path()};
    EXPECT_THAT([&] { Accelerator(options, test::alone()); },
                testing::ThrowsMessage<UserError>(HasSubstr("weights are kept on a disk with ZeRO stage 3")));
    FullCase what;
    what.how.offload_folder = folder.path() / "none";
    EXPECT_THAT([&] { FullTraining(what, test::alone()); },
                testing::ThrowsMessage<UserError>(HasSubstr("does not exist: make it, or name another one")));
}

}  // namespace
}  // namespace trainyard::full_sharding
