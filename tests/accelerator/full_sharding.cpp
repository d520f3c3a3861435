// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of fully sharded weights of a program's own modules (zero_stage 3): training equals that on one rank, with or
// without blocks, and gathered weights exist only while their block computes.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/zero_checkpoint.h>

#include "accelerator/flat_module.h"
#include "accelerator/training.h"
#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "optim/rule_optimizer.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::full_sharding {
namespace {

using accelerator::ShardingOptions;
using accelerator::WrapPolicy;
using test::on_ranks;
using test::says;
using testing::HasSubstr;

struct Inner : torch::nn::Module {
    Inner() { line = register_module("line", torch::nn::Linear(7, 7)); }
    at::Tensor forward(at::Tensor x) {
        x.mul_(0.5);  // in place, on the input of the block
        return line(x).tanh();
    }
    torch::nn::Linear line{nullptr};
};

/// A block with a nested block, a frozen parameter, and a layer that is shared with other blocks.
struct Layer : torch::nn::Module {
    explicit Layer(torch::nn::Linear shared_layer)
        : shared(std::move(shared_layer)),
          inner(accelerator::wrap_block(register_module("inner", std::make_shared<Inner>()))) {
        register_module("shared", shared);
        up = register_module("up", torch::nn::Linear(7, 13));
        down = register_module("down", torch::nn::Linear(13, 7));
        frozen = register_parameter("frozen", at::full({7}, 0.25), false);
    }
    at::Tensor forward(const at::Tensor& x, double scale) {
        if (fails)
            throw std::runtime_error("a program's own exception");
        const at::Tensor hidden = at::gelu(up(x + frozen));
        return x + inner(shared(down(hidden))).mul(scale);
    }
    torch::nn::Linear shared, up{nullptr}, down{nullptr};
    at::Tensor frozen;
    accelerator::CheckpointWrapper<Inner> inner;
    bool fails = false;
};

struct Net : torch::nn::Module {
    Net() : shared(torch::nn::Linear(7, 7)) {
        in = register_module("in", torch::nn::Linear(4, 7));
        for (int i = 0; i < 3; ++i)
            layers.push_back(
                accelerator::wrap_block(register_module("layer" + std::to_string(i), std::make_shared<Layer>(shared))));
        pair.push_back(accelerator::wrap_block(register_module("pair", std::make_shared<Inner>())));
        out = register_module("out", torch::nn::Linear(7, 1));
        // Not random, because ranks that are threads share one generator.
        const at::NoGradGuard no_grad;
        for (const auto& parameter : named_parameters())
            if (parameter.value().requires_grad())
                parameter.value().copy_(at::arange(parameter.value().numel(), at::kFloat)
                                            .mul(static_cast<double>(parameter.key().size()))
                                            .sin()
                                            .mul(0.3)
                                            .reshape(parameter.value().sizes()));
    }
    at::Tensor forward(const at::Tensor& x) {
        at::Tensor hidden = in(x);
        for (const auto& layer : layers)
            hidden = layer(hidden, 0.5);
        hidden.relu_();  // in place, on the output of a block
        // One block twice, side by side.
        const at::Tensor left = hidden.mul(2), right = hidden.neg();
        return out(pair.front()(left) + pair.front()(right));
    }
    std::vector<accelerator::Block*> blocks() {
        std::vector<accelerator::Block*> all{&pair.front()};
        for (auto& layer : layers) {
            all.push_back(&layer);
            all.push_back(&layer->inner);
        }
        return all;
    }
    torch::nn::Linear shared, in{nullptr}, out{nullptr};
    std::vector<accelerator::CheckpointWrapper<Layer>> layers;
    std::vector<accelerator::CheckpointWrapper<Inner>> pair;
};

struct FullCase {
    int ranks = 2;
    std::int64_t accumulation = 1;
    ShardingOptions how = {};
    bool checkpointed = false;
    double max_norm = 0;
    std::int64_t stage = 3;
    bool repeats = false;  ///< the optimizer gets the shared layer once for each of its names
    bool on_each_node = false;
};

/// Batches of 12 samples on all ranks together.
struct FullTraining {
    FullTraining(const FullCase& what, std::shared_ptr<parallel::ProcessState> process)
        : max_norm(what.max_norm), accelerator(options_of(what), std::move(process)), net(std::make_shared<Net>()) {
        model = accelerator.prepare(net);
        std::vector<at::Tensor> parameters;
        for (const at::Tensor& parameter : net->parameters())
            if (what.repeats ||
                std::ranges::none_of(parameters, [&](const at::Tensor& one) { return one.is_same(parameter); }))
                parameters.push_back(parameter);
        optimizer = accelerator.prepare(
            std::make_unique<torch::optim::AdamW>(parameters, torch::optim::AdamWOptions(0.01).weight_decay(0.1)));
        loader = accelerator.prepare(test::loader_over(test::samples(240), 12 / accelerator.num_processes()));
    }
    static AcceleratorOptions options_of(const FullCase& what) {
        AcceleratorOptions options;
        options.gradient_accumulation_steps = what.accumulation;
        options.zero_stage = what.stage;
        options.sharding = what.how;
        options.project.save_on_each_node = what.on_each_node;
        if (what.checkpointed)
            options.activation_checkpointing = WrapPolicy{.classes = {"Layer"}};
        return options;
    }
    void run(int updates) {
        for (int done = 0; done < updates;)
            for (Tree& batch : *loader) {
                auto scope = accelerator.accumulate(model);
                const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch);
                accelerator.backward(loss);
                losses.push_back(
                    accelerator.reduce(loss.detach().reshape({1}), parallel::Reduction::mean).item<double>());
                if (max_norm > 0 && accelerator.sync_gradients())
                    norms.push_back(accelerator.clip_grad_norm(model, max_norm).item<double>());
                optimizer->step();
                optimizer->zero_grad();
                if (accelerator.sync_gradients() && ++done == updates)
                    return;
            }
    }
    NamedTensors state() const {
        NamedTensors copies;
        for (const auto& [name, tensor] : accelerator.get_state_dict(model))
            copies.emplace_back(name, tensor.clone());
        return copies;
    }
    parallel::UnitRooms& rooms() { return *model.model().flat()->sync()->rooms(); }
    const parallel::ValueRooms& values() { return *model.model().flat()->arena().value_rooms(); }

    double max_norm;
    Accelerator accelerator;
    std::shared_ptr<Net> net;
    accelerator::Prepared<Net> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<data::Loader> loader;
    std::vector<double> losses, norms;
};

/// The results of rank 0 after a number of updates.
struct Outcome {
    std::vector<double> losses, norms;
    NamedTensors state;
};

Outcome outcome_of(const FullCase& what, int updates) {
    Outcome outcome;
    const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training(what, std::move(process));
        training.run(updates);
        NamedTensors state = training.state();
        if (rank == 0)
            outcome = {training.losses, training.norms, std::move(state)};
    };
    if (what.ranks == 1)
        body(test::alone());
    else
        on_ranks(what.ranks, body);
    return outcome;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i)
        EXPECT_NEAR(a[i], b[i], 1e-5 * std::max(1.0, std::abs(b[i]))) << what << ", number " << i;
}

void expect_near(const NamedTensors& a, const NamedTensors& b, const std::string& what, double tolerance = 1e-5) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].first, b[i].first) << what;
        EXPECT_LE(a[i].second.sub(b[i].second).abs().max().item<double>(), tolerance) << what << ", " << a[i].first;
    }
}

TEST(FullSharding, TenStepsAreThoseOfOneRank) {
    const std::map<std::string, FullCase> cases{
        {"blocks", {}},
        {"kept after forward", {.how = {.reshard_after_forward = false}}},
        {"nothing ahead", {.how = {.gathered_ahead = 0}}},
        {"all at once", {.how = {.by_block = false}}},
        {"by class", {.how = {.wrap = {.classes = {"Layer"}}}}},
        {"by size", {.how = {.wrap = {.min_parameters = 100}}}},
        {"leaf modules", {.how = {.whole_classes = {"Layer"}}}},
        {"ignored modules", {.how = {.ignored_modules = "layer1|out"}}},
        {"ignored inside blocks", {.how = {.ignored_modules = ".*inner"}}},
        {"ignored classes", {.how = {.ignored_classes = {"Layer"}}}},
        {"ignored, all others at once", {.how = {.by_block = false, .ignored_modules = "in"}}},
        {"all ignored", {.how = {.ignored_modules = ".*"}}},
        {"checkpointed", {.checkpointed = true}},
        {"clipped", {.max_norm = 0.05}},
        {"three ranks", {.ranks = 3}},
        {"two replicas", {.ranks = 4, .how = {.dp_replicate = 2}}},
        {"two replicas of stage 2", {.ranks = 4, .how = {.dp_replicate = 2}, .stage = 2}},
        {"second copies", {.ranks = 4, .how = {.zero_hpz_partition_size = 2}}},
        {"second copies of two replicas", {.ranks = 4, .how = {.dp_replicate = 2, .zero_hpz_partition_size = 2}}},
        {"replicas alone", {.ranks = 2, .how = {.dp_replicate = 2}}},
        {"repeated parameters", {.repeats = true}},
        {"repeated parameters of stage 1", {.stage = 1, .repeats = true}},
    };
    for (const std::int64_t accumulation : {1, 2})
        for (const auto& [name, each] : cases) {
            FullCase what = each, alone = each;
            what.accumulation = alone.accumulation = accumulation;
            alone.ranks = 1;
            alone.how.dp_replicate = 1;
            const std::string text = name + ", " + std::to_string(accumulation) + " micro-batches";
            const Outcome got = outcome_of(what, 10), expected = outcome_of(alone, 10);
            expect_near(got.losses, expected.losses, text + ", losses");
            expect_near(got.norms, expected.norms, text + ", norms");
            expect_near(got.state, expected.state, text + ", weights");
        }
}

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

/// Each once.
std::vector<at::Tensor> parameters_of(const Net& net) {
    std::vector<at::Tensor> parameters;
    for (const at::Tensor& parameter : net.parameters())
        if (std::ranges::none_of(parameters, [&](const at::Tensor& one) { return one.is_same(parameter); }))
            parameters.push_back(parameter);
    return parameters;
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

TEST(FullSharding, WeightsExistWhileABlockComputes) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        FullTraining training({.how = {.gathered_ahead = 1}}, std::move(process));
        training.run(2);
        const parallel::ValueRooms& values = training.values();
        EXPECT_EQ(values.bytes(), 0);
        EXPECT_EQ(training.net->layers.front()->up->weight.storage().nbytes(), 0U);
        EXPECT_THAT(
            [&] { training.net->layers.front()->up->weight.sum(); },
            testing::ThrowsMessage<c10::Error>(HasSubstr("the values of layer0 are read while their room is closed")));
        std::int64_t whole = 0;
        for (const at::Tensor& parameter : training.net->parameters())
            whole += parameter.numel() * 4;
        EXPECT_LT(values.most_bytes(), whole * 9 / 10);
        // The log lists the units that a step gathers. The last blocks of forward are not gathered again for backward.
        const std::vector<std::string> log = training.rooms().log();
        EXPECT_THAT(log, testing::Contains("root forward"));
        for (const char* block : {"layer0", "layer1.inner.line", "layer2"})
            EXPECT_EQ(std::ranges::count_if(
                          log, [&](const std::string& line) { return line.starts_with(std::string(block) + ' '); }),
                      2)
                << block << " in " << testing::PrintToString(log);
        EXPECT_EQ(std::ranges::count_if(log, [](const std::string& line) { return line.starts_with("root "); }), 1);
    });
}

TEST(FullSharding, AnEvaluationInBetweenChangesNothing) {
    NamedTensors state;
    std::vector<double> predictions;
    const at::Tensor x = at::arange(8, at::kFloat).reshape({2, 4});
    const auto evaluate = [&](FullTraining& training) {
        const at::NoGradGuard no_grad;
        training.net->eval();
        const at::Tensor y = training.model(x);
        training.net->train();
        return std::vector<double>{y[0].item<double>(), y[1].item<double>()};
    };
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({}, std::move(process));
        training.run(2);
        std::vector<double> seen = evaluate(training);
        EXPECT_EQ(training.values().bytes(), 0);
        // A forward of training without a backward, and one that the program's own exception ends.
        auto unused = training.model(x);
        training.net->layers[1]->fails = true;
        EXPECT_THROW(training.model(x), std::runtime_error);
        training.net->layers[1]->fails = false;
        training.run(2);
        NamedTensors own = training.state();
        if (rank == 0) {
            state = std::move(own);
            predictions = std::move(seen);
        }
    });
    FullTraining alone({.ranks = 1}, test::alone());
    alone.run(2);
    expect_near(predictions, evaluate(alone), "predictions");
    alone.run(2);  // the loader begins again in both
    expect_near(state, alone.state(), "weights");
}

using accelerator::StateDictType;

/// Saves on two ranks, loads on one, two and three.
void save_and_continue(const ShardingOptions& how, const std::vector<std::string>& files, bool repeats = false) {
    const test::TemporaryFolder folder;
    NamedTensors saved;
    Tree moments;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.how = how, .repeats = repeats}, std::move(process));
        training.run(3);
        training.accelerator.save_state(folder.path() / "state");
        training.accelerator.save_model(training.model, folder.path() / "model");
        NamedTensors state = training.state();
        Tree own = training.optimizer->whole_state_dict();
        training.run(2);
        training.accelerator.load_state(folder.path() / "state");
        const NamedTensors again = training.state();
        if (rank == 0) {
            expect_near(again, state, "loaded by those who saved", 0);
            saved = std::move(state);
            moments = std::move(own);
        }
    });
    for (const std::string& file : files)
        EXPECT_TRUE(std::filesystem::is_regular_file(folder.path() / "state" / file)) << file;
    const NamedTensors model = checkpoint::read_weights(folder.path() / "model");
    EXPECT_GT(model.size(), 20U);
    for (const auto& [name, tensor] : model) {
        const auto whole = std::ranges::find(saved, name, &NamedTensors::value_type::first);
        ASSERT_NE(whole, saved.end()) << name;
        EXPECT_TRUE(tensor.equal(whole->second)) << name;
    }
    for (const int ranks : {1, 2, 3}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks, .how = how, .repeats = repeats}, std::move(process));
            training.accelerator.load_state(folder.path() / "state");
            const NamedTensors state = training.state();
            const Tree own = training.optimizer->whole_state_dict();
            if (rank == 0) {
                expect_near(state, saved, "loaded", 0);
                EXPECT_TRUE(own == moments) << ranks;
            }
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
}

TEST(FullSharding, ACheckpointContinuesOnAnyNumberOfRanks) {
    save_and_continue({}, {"model.safetensors", "optimizer.bin"});
    save_and_continue({.fsdp_names = true}, {"pytorch_model_fsdp.bin", "optimizer.bin"});
    // A parameter that the optimizer has under several numbers is in the folders once.
    for (const bool repeats : {false, true})
        save_and_continue(
            {.state_dict = StateDictType::sharded},
            {"pytorch_model_fsdp_0/.metadata", "pytorch_model_fsdp_0/__0_0.distcp", "pytorch_model_fsdp_0/__1_0.distcp",
             "optimizer_0/.metadata", "optimizer_0/__0_0.distcp", "optimizer_0/__1_0.distcp"},
            repeats);
    save_and_continue({.fsdp_names = true}, {"optimizer.bin"}, true);
    save_and_continue({.ignored_modules = "layer1|out"}, {"model.safetensors", "optimizer.bin"});
    save_and_continue({.ignored_modules = "layer1|out", .state_dict = StateDictType::sharded},
                      {"pytorch_model_fsdp_0/.metadata", "optimizer_0/.metadata"});
}

/// Two machines with a disk each, on which everything is that a resume needs.
TEST(FullSharding, EachMachineHasAWholeCheckpoint) {
    for (const int ranks : {2, 4}) {
        const int local = ranks / 2;
        const test::TemporaryFolder disks[2];
        NamedTensors saved;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::ProcessPlace place;
            place.rank = world->rank();
            place.world_size = ranks;
            place.local_rank = place.rank % local;
            place.local_world_size = local;
            const std::filesystem::path disk = disks[place.rank / local].path();
            FullTraining training({.ranks = ranks, .on_each_node = true},
                                  std::make_shared<parallel::ProcessState>(
                                      std::shared_ptr<parallel::World>(std::move(world)), place, at::Device(at::kCPU)));
            training.run(3);
            training.accelerator.save_state(disk / "state");
            training.accelerator.save_model(training.model, disk / "model");
            NamedTensors state = training.state();
            training.run(2);
            training.accelerator.load_state(disk / "state");
            const NamedTensors again = training.state();
            training.accelerator.wait_for_everyone();
            if (place.rank == 0) {
                expect_near(again, state, "loaded by those who saved", 0);
                saved = std::move(state);
            }
        });
        for (const test::TemporaryFolder& disk : disks) {
            EXPECT_GT(checkpoint::read_weights(disk.path() / "model").size(), 20U);
            FullTraining alone({.ranks = 1}, test::alone());
            alone.accelerator.load_state(disk.path() / "state");
            expect_near(alone.state(), saved, "loaded", 0);
        }
        EXPECT_TRUE(read_file(disks[0].path() / "state" / "optimizer.bin") ==
                    read_file(disks[1].path() / "state" / "optimizer.bin"));
    }
}

TEST(FullSharding, IgnoredModulesAreWholeAtAnyTime) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        const bool is_main = process->is_main_process();
        FullTraining training({.how = {.ignored_modules = "layer1|out"}}, std::move(process));
        const auto expect_whole = [&](const std::string& when) {
            const std::int64_t open = training.values().bytes();
            const NamedTensors state = training.state();
            for (const auto& [name, parameter] : accelerator::detail::named(training.net->named_parameters())) {
                const bool ignored = name.starts_with("layer1.") || name.starts_with("out.") ||
                                     name.find("shared") != std::string::npos;  // layer1 has the shared layer, too
                EXPECT_EQ(parameter.storage().nbytes() > 0, ignored) << name << ' ' << when;
                if (!ignored || !is_main)
                    continue;
                const auto whole = std::ranges::find(state, name, &NamedTensors::value_type::first);
                ASSERT_NE(whole, state.end()) << name;
                EXPECT_TRUE(parameter.equal(whole->second)) << name << ' ' << when;
            }
            EXPECT_GT(open, 0);
            EXPECT_EQ(training.values().bytes(), open);
        };
        expect_whole("after prepare()");
        training.run(2);
        expect_whole("after two updates");
    });
}

TEST(FullSharding, CodesOfZeroPlusPlusChangeTrainingALittle) {
    const Outcome exact = outcome_of({.ranks = 2}, 10);
    for (const auto& [weights, gradients] : {std::pair(true, false), {false, true}, {true, true}}) {
        const Outcome got = outcome_of(
            {.ranks = 2, .how = {.zero_quantized_weights = weights, .zero_quantized_gradients = gradients}}, 10);
        ASSERT_EQ(got.losses.size(), exact.losses.size());
        for (std::size_t i = 0; i < got.losses.size(); ++i)
            EXPECT_NEAR(got.losses[i], exact.losses[i], 0.1 * std::max(1.0, std::abs(exact.losses[i])));
        EXPECT_NE(got.losses.back(), exact.losses.back());
    }
}

TEST(FullSharding, WhatZeroPlusPlusDoesNotGoWithIsSaid) {
    struct Refused {
        FullCase what;
        std::string words;
    };
    for (const Refused& each : std::vector<Refused>{
             {{.how = {.zero_hpz_partition_size = 2}, .stage = 2}, "sharding.zero_hpz_partition_size: says how ranks"},
             {{.how = {.zero_quantized_weights = true}, .stage = 0}, "sharding.zero_quantized_weights: says how ranks"},
             {{.how = {.zero_quantized_gradients = true}, .stage = 1},
              "sharding.zero_quantized_gradients: says how ranks"},
             {{.how = {.zero_hpz_partition_size = 0}}, "sharding.zero_hpz_partition_size: 0: it must be 1"},
             {{.ranks = 3, .how = {.zero_hpz_partition_size = 2}},
              "3 ranks that shard the weights do not divide into groups of 2"},
             {{.how = {.offload_folder = "/tmp", .zero_quantized_weights = true}},
              "sharding.zero_quantized_weights: weights on a disk are sent as they are"}})
        EXPECT_THAT(
            [&] {
                on_ranks(each.what.ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
                    FullTraining training(each.what, std::move(process));
                });
            },
            testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
}

TEST(FullSharding, WhatIgnoresNothingIsSaid) {
    struct Refused {
        ShardingOptions how;
        std::string words;
    };
    for (const Refused& each :
         std::vector<Refused>{{{.ignored_modules = "layer"}, "'layer' matches the whole name of no module"},
                              {{.ignored_modules = "(layer"}, "(layer"},
                              {{.ignored_classes = {"Bert"}}, "no block of the model is of the class 'Bert'"}})
        EXPECT_THAT(
            [&] {
                on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                    FullTraining training({.how = each.how}, std::move(process));
                });
            },
            testing::ThrowsMessage<UserError>(HasSubstr(each.words)));
}

NamedTensors copies_of(const NamedTensors& named) {
    NamedTensors copies;
    for (const auto& [name, tensor] : named)
        copies.emplace_back(name, tensor.clone());
    return copies;
}

TEST(FullSharding, AveragesAreThoseOfOneRank) {
    const test::TemporaryFolder folder;
    const at::Tensor x = at::arange(8, at::kFloat).reshape({2, 4});
    const auto predict = [&](FullTraining& training) {
        const at::NoGradGuard no_grad;
        return training.model(x).clone();
    };
    FullTraining alone({.ranks = 1}, test::alone());
    const auto average = alone.accelerator.prepare_average(alone.model, train::exponential(0.8));
    alone.run(4);
    const NamedTensors expected = copies_of(average->averages());
    at::Tensor prediction;
    {
        auto swapped = average->swap_in();
        prediction = predict(alone);
    }
    Tree saved;
    for (const auto& [ranks, replicas] : {std::pair(2, 1), {3, 1}, {4, 2}})
        on_ranks(ranks, [&, ranks = ranks, replicas = replicas](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks, .how = {.dp_replicate = replicas}}, std::move(process));
            const auto own = training.accelerator.prepare_average(training.model, train::exponential(0.8));
            training.run(4);
            training.accelerator.save_state(folder.path() / std::to_string(ranks));
            const NamedTensors trained = training.state(), averages = own->averages();
            Tree state = own->state_dict();
            NamedTensors in_the_model;
            {
                auto swapped = own->swap_in();
                in_the_model = training.state();
                EXPECT_LE(predict(training).sub(prediction).abs().max().item<double>(), 1e-5);
            }
            const NamedTensors back = training.state();
            EXPECT_EQ(training.values().bytes(), 0);
            if (rank == 0) {
                expect_near(averages, expected, "averages");
                expect_near(in_the_model, expected, "swapped in");
                expect_near(back, trained, "back", 0);
                saved = std::move(state);
            } else {
                EXPECT_TRUE(averages.empty());
            }
        });
    for (const int ranks : {1, 2, 3}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining training({.ranks = ranks}, std::move(process));
            const auto own = training.accelerator.prepare_average(training.model, train::exponential(0.8));
            training.accelerator.load_state(folder.path() / "4");
            const Tree state = own->state_dict();
            if (rank == 0) {
                EXPECT_TRUE(state == saved) << ranks;
            }
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
}

/// A checkpoint that does not fit changes nothing: neither weights nor this rank's part of the averages.
TEST(FullSharding, ACheckpointThatDoesNotFitLeavesTheAverages) {
    struct Refuses final : Stateful {
        Tree state_dict() const override { return Tree::dict(); }
        void load_state_dict(const Tree&) override { throw UserError("not this one"); }
    };
    const test::TemporaryFolder folder;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        FullTraining training({}, std::move(process));
        const auto average = training.accelerator.prepare_average(training.model, train::exponential(0.5));
        Refuses refuses;
        training.accelerator.register_for_checkpointing(refuses);
        training.run(2);
        training.accelerator.save_state(folder.path());
        training.run(2);
        const Tree before = average->state_dict();
        EXPECT_THROW(training.accelerator.load_state(folder.path()), UserError);
        EXPECT_TRUE(average->state_dict() == before);
    });
}

TEST(FullSharding, SharesOfReplicasAreWrittenOnce) {
    const test::TemporaryFolder folder;
    NamedTensors saved;
    const ShardingOptions how{.dp_replicate = 2, .state_dict = StateDictType::sharded};
    on_ranks(4, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.ranks = 4, .how = how}, std::move(process));
        training.run(2);
        training.accelerator.save_state(folder.path() / "state");
        NamedTensors state = training.state();
        if (rank == 0)
            saved = std::move(state);
    });
    FullTraining alone({.ranks = 1}, test::alone());
    alone.accelerator.load_state(folder.path() / "state");
    expect_near(alone.state(), saved, "loaded", 0);
}

/// A weight of a block that the rest of the model uses, too: an embedding and its head.
struct Tied : torch::nn::Module {
    Tied() : block(accelerator::wrap_block(register_module("block", std::make_shared<Inner>()))) {
        again = register_parameter("again", block->line->weight);
        in = register_module("in", torch::nn::Linear(4, 7));
        const at::NoGradGuard no_grad;
        for (const at::Tensor& parameter : parameters())
            parameter.copy_(at::arange(parameter.numel(), at::kFloat).sin().mul(0.3).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return at::linear(block(in(x)), again); }
    std::vector<accelerator::Block*> blocks() { return {&block}; }
    accelerator::CheckpointWrapper<Inner> block;
    at::Tensor again;
    torch::nn::Linear in{nullptr};
};

TEST(FullSharding, AWeightThatIsUsedOutsideItsBlockIsOfTheRoot) {
    std::map<int, NamedTensors> states;
    for (const int ranks : {1, 2}) {
        const auto body = [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            Accelerator accelerator({.zero_stage = 3}, std::move(process));
            auto net = std::make_shared<Tied>();
            auto model = accelerator.prepare(net);
            std::vector<at::Tensor> parameters{net->again, net->block->line->bias, net->in->weight, net->in->bias};
            auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters, 0.01));
            for (int step = 0; step < 3; ++step) {
                accelerator.backward(model(at::arange(8, at::kFloat).reshape({2, 4})).square().mean());
                optimizer->step();
                optimizer->zero_grad();
            }
            NamedTensors state = accelerator.get_state_dict(model);
            if (rank == 0)
                states[ranks] = copies_of(state);
        };
        if (ranks == 1)
            body(test::alone());
        else
            on_ranks(ranks, body);
    }
    expect_near(states.at(2), states.at(1), "weights");
}

/// `body` on one rank and on two; what it returns, by the number of ranks, is rank 0's.
std::map<int, NamedTensors> on_one_and_two(
    const std::function<NamedTensors(std::shared_ptr<parallel::ProcessState>)>& body) {
    std::map<int, NamedTensors> results;
    results[1] = copies_of(body(test::alone()));
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        const NamedTensors own = copies_of(body(std::move(process)));
        if (rank == 0)
            results[2] = own;
    });
    return results;
}

/// The samples of a rank of a step: all ranks have 4.
at::Tensor samples_of(const Accelerator& accelerator, int step) {
    const at::Tensor all = at::arange(16, at::kFloat).add(step).sin().reshape({4, 4});
    const std::int64_t own = 4 / accelerator.num_processes();
    return all.narrow(0, accelerator.process_index() * own, own);
}

TEST(FullSharding, ATeacherIsDividedAndTeaches) {
    const test::TemporaryFolder folder;
    const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
        const bool several = process->world_size() > 1;
        Accelerator accelerator({.zero_stage = 3}, std::move(process));
        auto great = std::make_shared<Net>(), small = std::make_shared<Net>();
        {
            const at::NoGradGuard no_grad;
            for (const at::Tensor& parameter : great->parameters())
                parameter.mul_(1.2);
        }
        auto teacher = accelerator.prepare_model(great, {.evaluation_mode = true});
        auto student = accelerator.prepare(small);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters_of(*small), 0.01));
        EXPECT_EQ(teacher.model().divides_weights(), several);
        for (int step = 0; step < 4; ++step) {
            const at::Tensor x = samples_of(accelerator, step), wanted = teacher(x).detach();
            accelerator.backward(student(x).sub(wanted).square().mean());
            optimizer->step();
            optimizer->zero_grad();
            if (several) {
                EXPECT_EQ(teacher.model().flat()->arena().value_rooms()->bytes(), 0);
            }
            if (step == 1)
                accelerator.save_state(folder.path() / std::to_string(accelerator.num_processes()));
        }
        NamedTensors state = accelerator.get_state_dict(student), of_teacher = accelerator.get_state_dict(teacher);
        state.insert(state.end(), of_teacher.begin(), of_teacher.end());
        return state;
    });
    expect_near(states.at(2), states.at(1), "student and teacher");
    for (const char* file : {"model.safetensors", "model_1.safetensors"})
        expect_near(checkpoint::read_weights(folder.path() / "2" / file),
                    checkpoint::read_weights(folder.path() / "1" / file), file);
}

TEST(FullSharding, AStudentAndItsTeacherHavePluginsOfTheirOwn) {
    AcceleratorOptions options;
    options.deepspeed_plugins = {{"student", {.zero_stage = 2}}, {"teacher", {.zero_stage = 3}}};
    const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
        const bool several = process->world_size() > 1;
        Accelerator accelerator(options, process);
        EXPECT_EQ(accelerator.deepspeed_plugin()->zero_stage, 2) << "the first one is active";
        EXPECT_EQ(&accelerator.deepspeed_plugin("student"), accelerator.deepspeed_plugin());
        auto great = std::make_shared<Net>(), small = std::make_shared<Net>();
        {
            const at::NoGradGuard no_grad;
            for (const at::Tensor& parameter : great->parameters())
                parameter.mul_(1.2);
        }
        auto student = accelerator.prepare(small);
        const std::vector<at::Tensor> parameters = parameters_of(*small);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(parameters, 0.01));
        accelerator.select_deepspeed_plugin("teacher");
        EXPECT_EQ(accelerator.deepspeed_plugin()->zero_stage, 3);
        std::int64_t elements = 0;
        for (const at::Tensor& parameter : parameters)  // of the teacher, too
            elements += parameter.numel();
        auto teacher = accelerator.prepare_model(great, {.evaluation_mode = true});
        EXPECT_EQ(teacher.model().divides_weights(), several);
        EXPECT_FALSE(student.model().divides_weights());
        EXPECT_EQ(student.model().flat() != nullptr, several) << "its optimizer's state is divided";
        const NamedTensors before = copies_of(accelerator.get_state_dict(teacher));
        std::int64_t own = 0;
        for (const auto& [name, values] : teacher.model().held_values())
            own += values.numel();
        const auto all = accelerator.reduce(at::full({1}, own, at::kLong)).item<std::int64_t>();
        if (several) {
            EXPECT_EQ(all, elements) << "no element is on both ranks";
            EXPECT_LE(static_cast<double>(own), 0.7 * static_cast<double>(all));
        }
        std::vector<double> losses;
        for (int step = 0; step < 8; ++step) {
            const at::Tensor x = samples_of(accelerator, 0), wanted = teacher(x).detach();
            const at::Tensor loss = student(x).sub(wanted).square().mean();
            accelerator.backward(loss);
            optimizer->step();
            optimizer->zero_grad();
            losses.push_back(accelerator.reduce(loss.detach()).item<double>());
        }
        EXPECT_LT(losses.back(), 0.5 * losses.front());
        expect_near(copies_of(accelerator.get_state_dict(teacher)), before, "the teacher is as it was");
        // Another Accelerator of the program, for models that have nothing to do with these.
        Accelerator second(accelerator.options(), process);
        EXPECT_EQ(second.deepspeed_plugin()->zero_stage, 2);
        second.select_deepspeed_plugin("teacher");
        EXPECT_EQ(accelerator.deepspeed_plugin("teacher").zero_stage, 3);
        return accelerator.get_state_dict(student);
    });
    expect_near(states.at(2), states.at(1), "student");
    const auto refused = [&](const AcceleratorOptions& wrong) {
        try {
            Accelerator accelerator(wrong, test::alone());
            accelerator.select_deepspeed_plugin("techer");
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(refused(options), says("deepspeed_plugins has no plug-in named '{}'{}", "techer",
                                       says(": did you mean '{}'?", "teacher")));
    AcceleratorOptions wrong = options;
    wrong.deepspeed_plugins[1].first = "student";
    EXPECT_THAT(refused(wrong),
                says("deepspeed_plugins has two entries named '{}': give each its own name", "student"));
    wrong = options;
    wrong.deepspeed_plugin.emplace();
    EXPECT_THAT(refused(wrong), says("deepspeed_plugin and deepspeed_plugins are both given: give one of them"));
    wrong = options;
    wrong.zero_stage = 1;
    EXPECT_THAT(refused(wrong),
                says("zero_stage and sharding say what a plug-in says, too: give either those or the plug-in"));
}

struct Generator : torch::nn::Module {
    Generator() : block(accelerator::wrap_block(register_module("block", std::make_shared<Inner>()))) {
        in = register_module("in", torch::nn::Linear(4, 7));
        out = register_module("out", torch::nn::Linear(7, 4));
        const at::NoGradGuard no_grad;
        for (const at::Tensor& parameter : parameters())
            parameter.copy_(at::arange(parameter.numel(), at::kFloat).cos().mul(0.3).reshape(parameter.sizes()));
    }
    at::Tensor forward(const at::Tensor& x) { return out(block(in(x))); }
    std::vector<accelerator::Block*> blocks() { return {&block}; }
    accelerator::CheckpointWrapper<Inner> block;
    torch::nn::Linear in{nullptr}, out{nullptr};
};

/// In the order of their names.
NamedTensors by_name(NamedTensors tensors) {
    std::ranges::sort(tensors, {}, [](const auto& one) { return one.first; });
    return tensors;
}

TEST(FullSharding, CheckpointsWithATagHaveTheWeightsOfAllRanks) {
    using accelerator::StateDictType;
    const test::TemporaryFolder folder;
    const auto train = [&](Accelerator& accelerator, const std::function<void(Accelerator&)>& begin) {
        auto net = std::make_shared<Generator>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters(), 0.01));
        begin(accelerator);
        for (int step = 0; step < 3; ++step) {
            accelerator.backward(model(samples_of(accelerator, step)).square().mean());
            optimizer->step();
            optimizer->zero_grad();
        }
        accelerator.save_checkpoint(folder.path() / std::to_string(accelerator.num_processes()), "step3",
                                    Tree::dict({{"step", 3}}));
        return by_name(copies_of(accelerator.get_state_dict(model)));
    };
    const std::filesystem::path place = folder.path() / "2";
    for (const auto& [stage, form] :
         {std::pair(2, StateDictType::full), std::pair(3, StateDictType::full), std::pair(3, StateDictType::sharded)}) {
        SCOPED_TRACE(testing::Message() << "stage " << stage << (form == StateDictType::full ? ", whole" : ", shares"));
        std::filesystem::remove_all(place);
        AcceleratorOptions options{.zero_stage = stage};
        if (form == StateDictType::sharded)
            options.sharding = ShardingOptions{.state_dict = form};
        NamedTensors saved;
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator two(options, process);
            NamedTensors own = train(two, [&](Accelerator& accelerator) {
                accelerator.save_checkpoint(place, "before", Tree::dict({{"step", 0}}));
            });
            if (process->rank() == 0)
                saved = std::move(own);
        });
        EXPECT_EQ(read_file(place / "latest"), "step3\n");
        expect_near(by_name(accelerator::get_fp32_state_dict_from_zero_checkpoint(place)), saved, "the newest");
        Generator net;
        accelerator::load_state_dict_from_zero_checkpoint(net, place, "step3");
        NamedTensors loaded;
        for (const auto& item : net.named_parameters())
            loaded.emplace_back(item.key(), item.value().detach());
        expect_near(by_name(loaded), saved, "in a module");
        if (form == StateDictType::sharded)
            continue;
        Accelerator one({}, test::alone());
        const NamedTensors again = train(one, [&](Accelerator& accelerator) {
            const accelerator::LoadedCheckpoint found = accelerator.load_checkpoint(place);
            EXPECT_EQ(found.folder, place / "step3");
            EXPECT_EQ(found.client_state.at("step").as_integer(), 3);
            EXPECT_EQ(accelerator.load_checkpoint(place, "before").client_state.at("step").as_integer(), 0);
        });
        expect_near(again, saved, "one rank continues from the files of two");
    }
    EXPECT_THAT([&] { accelerator::checkpoint_of_tag(place, "step4"); },
                testing::ThrowsMessage<UserError>(
                    says("{} has no checkpoint named {}: give the tag of one of its folders", place, "step4")));
    Accelerator accelerator({}, test::alone());
    for (const char* tag : {"", "a/b", "..", "latest"})
        EXPECT_THROW(accelerator.save_checkpoint(folder.path(), tag), UserError) << tag;
}

TEST(FullSharding, TwoModelsWithAnOptimizerEachTrainAgainstEachOther) {
    for (const std::int64_t stage : {1, 2, 3}) {
        const std::map<int, NamedTensors> states = on_one_and_two([&](std::shared_ptr<parallel::ProcessState> process) {
            Accelerator accelerator({.zero_stage = stage}, std::move(process));
            auto making = std::make_shared<Generator>(), judging = std::make_shared<Generator>();
            auto generator = accelerator.prepare(making), discriminator = accelerator.prepare(judging);
            auto makes = accelerator.prepare(std::make_unique<torch::optim::AdamW>(making->parameters(), 0.01));
            auto judges = accelerator.prepare(std::make_unique<torch::optim::AdamW>(judging->parameters(), 0.02));
            for (int step = 0; step < 4; ++step) {
                const at::Tensor fake = generator(samples_of(accelerator, step));
                accelerator.backward(discriminator(samples_of(accelerator, step + 9)).sub(1).square().mean() +
                                     discriminator(fake.detach()).square().mean());
                judges->step();
                judges->zero_grad();
                accelerator.backward(discriminator(fake).sub(1).square().mean());
                makes->step();
                makes->zero_grad();
                judges->zero_grad();
                judges->step();  // without gradients it changes nothing
            }
            NamedTensors state = accelerator.get_state_dict(generator),
                         other = accelerator.get_state_dict(discriminator);
            state.insert(state.end(), other.begin(), other.end());
            return state;
        });
        expect_near(states.at(2), states.at(1), "stage " + std::to_string(stage));
    }
}

TEST(FullSharding, TrainingsOfOneProgramDoNotDisturbEachOther) {
    std::map<int, NamedTensors> first, second;
    for (const bool together : {false, true})
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            FullTraining one({}, process), two({.accumulation = 2, .stage = 2}, process);
            for (int step = 0; step < 6; ++step) {
                if (together || step < 3)
                    one.run(1);
                if (together || step >= 3)
                    two.run(1);
                if (together && step == 2)
                    break;
            }
            const NamedTensors of_one = one.state(), of_two = two.state();
            if (rank == 0) {
                first[together ? 1 : 0] = of_one;
                second[together ? 1 : 0] = of_two;
            }
        });
    expect_near(first.at(1), first.at(0), "stage 3", 0);
    expect_near(second.at(1), second.at(0), "stage 2", 0);
}

TEST(FullSharding, ClassesThatTheModelDoesNotHaveAreRefused) {
    for (const ShardingOptions& how :
         {ShardingOptions{.wrap = {.classes = {"BertLayer"}}}, ShardingOptions{.whole_classes = {"BertLayer"}}}) {
        Accelerator accelerator({.zero_stage = 3, .sharding = how}, test::alone());
        EXPECT_THAT([&] { accelerator.prepare(std::make_shared<Net>()); },
                    testing::ThrowsMessage<UserError>(
                        HasSubstr("blocks of the class 'BertLayer' are to be gathered, but the model's blocks are of "
                                  "Inner, Layer")));
        EXPECT_THAT([&] { accelerator.prepare(std::make_shared<test::Net>()); },
                    testing::ThrowsMessage<UserError>(HasSubstr("but the model names no block")));
    }
}

TEST(FullSharding, CopiesOfSharesAreCompared) {
    on_ranks(4, [](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        FullTraining training({.ranks = 4, .how = {.dp_replicate = 2}}, std::move(process));
        training.run(1);
        EXPECT_FALSE(training.accelerator.find_divergence(training.model));
        if (rank == 3) {
            const at::NoGradGuard no_grad;
            for (const auto& [name, values] : training.model.model().held_values())
                values.add_(0.5);
        }
        // Ranks 1 and 3 have the same share.
        EXPECT_EQ(training.accelerator.find_divergence(training.model).has_value(), rank % 2 == 1);
    });
}

}  // namespace
}  // namespace trainyard::full_sharding
