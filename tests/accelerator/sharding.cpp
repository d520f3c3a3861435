// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of sharding the modules of a program (zero_stage): all weights equal those of replicated training, with any
// optimizer, and checkpoints can be resumed with any number of ranks and any stage.

#include <cmath>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/adagrad.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/lbfgs.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/comm_hook.h>

#include "accelerator/flat_module.h"
#include "accelerator/plain_sgd.h"
#include "accelerator/training.h"
#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace to = torch::optim;
using test::on_ranks;
using test::says;
using testing::_;
using testing::HasSubstr;

/// A parameter of each kind: used, frozen, used twice; a buffer that the forward changes. Sizes that no number of ranks divides.
struct DeepModule : torch::nn::Module {
    DeepModule() {
        // Without a bias, because a norm would cancel it, and its gradient would be rounding noise.
        in = register_module("in", torch::nn::Linear(torch::nn::LinearOptions(4, 13).bias(false)));
        norm = register_module("norm", torch::nn::BatchNorm1d(13));
        middle = register_module("middle", torch::nn::Linear(13, 13));
        frozen = register_parameter("frozen", at::full({13}, 0.25), false);
        out = register_module("out", torch::nn::Linear(13, 1));
        register_parameter("spare", at::full({3}, 0.5), false);
        // Not random, because ranks that are threads share one generator.
        const at::NoGradGuard no_grad;
        for (const auto& parameter : named_parameters())
            if (parameter.value().requires_grad())
                parameter.value().copy_(at::arange(parameter.value().numel(), at::kFloat)
                                            .mul(static_cast<double>(parameter.key().size()))
                                            .sin()
                                            .mul(0.4)
                                            .reshape(parameter.value().sizes()));
    }
    at::Tensor forward(const at::Tensor& x) {
        at::Tensor hidden = at::gelu(norm(in(x))).add(frozen);
        hidden = middle(at::gelu(middle(hidden)));
        return out(hidden);
    }
    torch::nn::Linear in{nullptr}, middle{nullptr}, out{nullptr};
    torch::nn::BatchNorm1d norm{nullptr};
    at::Tensor frozen;
};

using MakeOptimizer = std::function<std::unique_ptr<to::Optimizer>(DeepModule&)>;

std::vector<to::OptimizerParamGroup> two_groups(
    DeepModule& net, const std::function<std::unique_ptr<to::OptimizerOptions>(bool decays)>& options) {
    std::vector<at::Tensor> matrices, others;
    for (const at::Tensor& parameter : net.parameters())
        (parameter.dim() > 1 ? matrices : others).push_back(parameter);
    return {{matrices, options(true)}, {others, options(false)}};
}

const std::map<std::string, MakeOptimizer>& optimizers() {
    static const std::map<std::string, MakeOptimizer> all{
        {"AdamW",
         [](DeepModule& net) {
             return std::make_unique<to::AdamW>(two_groups(net, [](bool decays) {
                 return std::make_unique<to::AdamWOptions>(to::AdamWOptions(0.02).weight_decay(decays ? 0.1 : 0));
             }));
         }},
        {"Adam",
         [](DeepModule& net) {
             return std::make_unique<to::Adam>(net.parameters(), to::AdamOptions(0.02).amsgrad(true));
         }},
        {"SGD",
         [](DeepModule& net) {
             return std::make_unique<to::SGD>(net.parameters(), to::SGDOptions(0.02).momentum(0.9));
         }},
        {"RMSprop",
         [](DeepModule& net) { return std::make_unique<to::RMSprop>(net.parameters(), to::RMSpropOptions(0.01)); }},
        {"Adagrad",
         [](DeepModule& net) { return std::make_unique<to::Adagrad>(net.parameters(), to::AdagradOptions(0.05)); }},
    };
    return all;
}

struct ShardingCase {
    int ranks = 2;
    std::int64_t stage = 0;
    std::int64_t accumulation = 1;
    Precision precision = Precision::no;
    std::string optimizer = "AdamW";
    double max_norm = 0;
    bool counted = false;  ///< backward of sums, with denominators
};

AcceleratorOptions options_of(const ShardingCase& what) {
    AcceleratorOptions options;
    options.mixed_precision = what.precision;
    options.gradient_accumulation_steps = what.accumulation;
    options.zero_stage = what.stage;
    options.data_parallel.bucket_cap_mb = 0.0004;  // several buckets
    options.data_parallel.first_bucket_mb = 0.0001;
    return options;
}

struct ShardedTraining {
    ShardedTraining(const ShardingCase& how, std::shared_ptr<parallel::ProcessState> process)
        : what(how), accelerator(options_of(how), std::move(process)), net(std::make_shared<DeepModule>()) {
        model = accelerator.prepare(net);
        optimizer = accelerator.prepare(optimizers().at(what.optimizer)(*net));
        loader = accelerator.prepare(test::loader_over(test::samples(160), 4));
    }
    /// `after(n)` is called when n updates are done.
    void run(int updates, const std::function<void(int)>& after = {}) {
        for (int done = 0; done < updates;)
            for (Tree& batch : *loader) {
                auto scope = accelerator.accumulate(model);
                const at::Tensor loss = test::loss_of(model(batch.at("x").as_tensor()), batch);
                if (what.counted)
                    accelerator.backward(loss.mul(3), {.denominator = 3.0});
                else
                    accelerator.backward(loss);
                if (what.max_norm > 0 && accelerator.sync_gradients())
                    norms.push_back(accelerator.clip_grad_norm(model, what.max_norm).item<double>());
                optimizer->step();
                optimizer->zero_grad();
                if (!accelerator.sync_gradients())
                    continue;
                ++done;
                if (after)
                    after(done);
                if (done == updates)
                    return;
            }
    }
    NamedTensors state() const {
        NamedTensors copies;
        for (const auto& [name, tensor] : accelerator.get_state_dict(model))
            copies.emplace_back(name, tensor.clone());
        return copies;
    }
    ShardingCase what;
    Accelerator accelerator;
    std::shared_ptr<DeepModule> net;
    accelerator::Prepared<DeepModule> model;
    std::shared_ptr<accelerator::PreparedOptimizer> optimizer;
    std::shared_ptr<data::Loader> loader;
    std::vector<double> norms;
};

/// Weights and buffers of every rank after five updates.
std::map<int, NamedTensors> five_updates(const ShardingCase& what, std::vector<double>* norms = nullptr) {
    std::mutex mutex;
    std::map<int, NamedTensors> states;
    on_ranks(what.ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
        const int rank = process->rank();
        ShardedTraining training(what, std::move(process));
        training.run(5);
        NamedTensors state = training.state();  // collective where ranks divide weights
        const std::lock_guard lock(mutex);
        states[rank] = std::move(state);
        if (norms != nullptr && rank == 0)
            *norms = training.norms;
    });
    return states;
}

void expect_same_weights(const NamedTensors& a, const NamedTensors& b, const std::string& what, double tolerance = 0) {
    ASSERT_EQ(a.size(), b.size()) << what;
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].first, b[i].first) << what;
        if (tolerance == 0) {
            EXPECT_TRUE(a[i].second.equal(b[i].second)) << what << ": " << a[i].first << " differs by "
                                                        << a[i].second.sub(b[i].second).abs().max().item<double>();
        } else {
            EXPECT_TRUE(a[i].second.allclose(b[i].second, tolerance, tolerance))
                << what << ": " << a[i].first << " differs by "
                << a[i].second.sub(b[i].second).abs().max().item<double>();
        }
    }
}

void compare_with_replicas(ShardingCase what) {
    std::vector<double> norms, replicated_norms;
    const auto states = five_updates(what, &norms);
    ShardingCase replicas = what;
    replicas.stage = 0;
    const auto expected = five_updates(replicas, &replicated_norms);
    const std::string text = what.optimizer + ", stage " + std::to_string(what.stage) + ", " +
                             std::to_string(what.ranks) + " ranks, " + std::to_string(what.accumulation) +
                             " micro-batches, " + choice_name(what.precision) + (what.max_norm > 0 ? ", clipped" : "") +
                             (what.counted ? ", counted" : "");
    // Stage 2 adds the micro-batches of an update in another order, a norm of shares is another sum, and replicas correct a mean over counted targets
    // before the update, shares within it.
    const bool exact = what.ranks <= 2 && (what.stage == 1 || what.accumulation == 1) && what.max_norm == 0 &&
                       !what.counted && what.precision == Precision::no;
    // A gradient that a half format rounds the other way changes AdamW's update of that weight by up to the rate where the gradient is near 0; which way it is
    // rounded depends on the order in which two uses of a bias are added.
    const double tolerance = exact ? 0 : what.precision == Precision::no ? 2e-5 : 2e-4;
    for (const auto& [rank, state] : states) {
        if (what.stage == 3 && what.ranks > 1 && rank > 0) {
            EXPECT_TRUE(state.empty()) << text;
            continue;
        }
        expect_same_weights(state, expected.at(rank), text + ", rank " + std::to_string(rank), tolerance);
    }
    ASSERT_EQ(norms.size(), replicated_norms.size());
    for (std::size_t i = 0; i < norms.size(); ++i)
        EXPECT_TRUE(norms[i] == replicated_norms[i] ||  // infinite: fp16 seeks its scale
                    std::abs(norms[i] - replicated_norms[i]) < 1e-4 * replicated_norms[i])
            << text << ": " << norms[i] << " and " << replicated_norms[i];
}

TEST(Sharding, EveryWeightIsThatOfReplicas) {
    for (const std::int64_t stage : {1, 2, 3}) {
        for (const auto& [name, make] : optimizers())
            compare_with_replicas({.stage = stage, .optimizer = name});
        for (const int ranks : {1, 2, 3})
            for (const std::int64_t accumulation : {1, 2})
                for (const Precision precision : {Precision::no, Precision::bf16, Precision::fp16})
                    compare_with_replicas(
                        {.ranks = ranks, .stage = stage, .accumulation = accumulation, .precision = precision});
        compare_with_replicas({.stage = stage, .accumulation = 2, .max_norm = 0.05});
        compare_with_replicas({.stage = stage, .accumulation = 2, .precision = Precision::fp16, .max_norm = 0.05});
        compare_with_replicas({.stage = stage, .accumulation = 2, .counted = true});
    }
}

TEST(Sharding, ARankHasItsShareOfStateAndGradients) {
    for (const std::int64_t stage : {1, 2, 3})
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            ShardedTraining training({.stage = stage}, std::move(process));
            training.run(2);
            std::int64_t elements = 0, trained = 0;
            const Tree state = training.optimizer->state_dict();
            for (const Tree::Entry& entry : state.at("state").entries())
                elements += entry.value.at("exp_avg").as_tensor().numel();
            for (const at::Tensor& parameter : training.net->parameters())
                trained += parameter.requires_grad() ? parameter.numel() : 0;
            const at::Tensor both =
                training.accelerator.reduce(at::full({1}, elements, at::kLong));  // each element has one owner
            EXPECT_EQ(both.item<std::int64_t>(), trained);
            EXPECT_LT(elements, trained * 3 / 4);
            const parallel::FlatArena& arena = training.model.model().flat()->arena();
            EXPECT_EQ(arena.gradients().numel(), stage >= 2 ? arena.owned_elements() : arena.trainable_elements());
            EXPECT_EQ(arena.gradient_buffers() != nullptr, stage >= 2);
            EXPECT_EQ(arena.value_rooms() != nullptr, stage == 3);
        });
}

TEST(Sharding, ACheckpointGoesOnUnderEveryStageAndNumberOfRanks) {
    for (const std::int64_t stage : {0, 1, 2, 3}) {
        const test::TemporaryFolder folder;
        std::map<int, NamedTensors> whole;
        std::mutex mutex;
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            ShardedTraining training({.stage = stage}, std::move(process));
            training.run(6, [&](int done) {
                if (done == 3)
                    training.accelerator.save_state(folder.path() / "state");
            });
            NamedTensors state = training.state();
            const std::lock_guard lock(mutex);
            whole[rank] = std::move(state);
        });
        for (const std::int64_t next : {0, 1, 2, 3})
            on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                const int rank = process->rank();
                ShardedTraining training({.stage = next}, std::move(process));
                training.accelerator.load_state(folder.path() / "state");
                training.run(3);
                const NamedTensors state = training.state();
                if (rank == 0 || (stage != 3 && next != 3))  // weights that ranks divide are whole on rank 0
                    expect_same_weights(
                        state, whole.at(rank),
                        "saved with stage " + std::to_string(stage) + ", resumed with stage " + std::to_string(next));
            });
        // One rank reads the whole state, and has it as the two had.
        ShardedTraining alone({.ranks = 1, .stage = stage}, test::alone());
        alone.accelerator.load_state(folder.path() / "state");
        const Tree state = alone.optimizer->state_dict();
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            ShardedTraining training({.stage = 2}, std::move(process));
            training.accelerator.load_state(folder.path() / "state");
            const Tree again = training.optimizer->whole_state_dict();
            if (rank == 0) {
                EXPECT_TRUE(again == state);
            }
        });
    }
}

TEST(Sharding, WhatDoesNotFitIsRefusedAndChangesNothing) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        ShardedTraining training({.stage = 1}, std::move(process));
        training.run(1);
        const Tree before = training.optimizer->state_dict().map_tensors([](const at::Tensor& t) { return t.clone(); });
        Tree wrong = before;
        for (Tree::Entry& entry : wrong.find("state")->entries())
            entry.value.set("exp_avg", at::full({2, 3, 5}, 1.0));
        EXPECT_THAT(
            [&] { training.optimizer->load_state_dict(wrong); },
            testing::Throws<UserError>(
                says("the optimizer's state: '{}' of parameter {} has another shape than the parameter needs", _, _)));
        EXPECT_TRUE(training.optimizer->state_dict() == before);
    });
}

TEST(Sharding, AveragesFollow) {
    std::map<std::int64_t, NamedTensors> averages;
    std::mutex mutex;
    for (const std::int64_t stage : {0, 2})
        on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            const int rank = process->rank();
            ShardedTraining training({.stage = stage}, std::move(process));
            auto average = training.accelerator.prepare_average(training.model, train::exponential(0.8));
            training.run(4);
            NamedTensors own;
            for (const auto& [name, tensor] : average->averages())
                own.emplace_back(name, tensor.clone());
            {
                auto swapped = average->swap_in();
                expect_same_weights(training.accelerator.get_state_dict(training.model), training.state(),
                                    "swapped in");
            }
            training.run(1);
            const std::lock_guard lock(mutex);
            if (rank == 1)
                averages[stage] = own;
        });
    expect_same_weights(averages.at(2), averages.at(0), "averages");
}

TEST(Sharding, UnusedParametersAreNamed) {
    struct Half : test::Net {
        at::Tensor forward(const at::Tensor& x) { return at::linear(x, first).sum(1, true); }
    };
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        for (const bool find : {false, true}) {
            AcceleratorOptions options;
            options.zero_stage = 1;
            options.data_parallel.find_unused_parameters = find;
            Accelerator accelerator(options, process);
            auto net = std::make_shared<Half>();
            auto model = accelerator.prepare(net);
            auto optimizer = accelerator.prepare(std::make_unique<to::SGD>(net->parameters(), 0.1));
            auto scope = accelerator.accumulate(model);
            accelerator.backward(model(at::full({2, 4}, 1.0)).mean());
            if (find) {
                const at::Tensor second = net->second.detach().clone();
                optimizer->step();
                EXPECT_TRUE(net->second.equal(second));
            } else {
                EXPECT_THAT([&] { optimizer->step(); }, testing::ThrowsMessage<UserError>(HasSubstr("second, bias")));
            }
        }
    });
}

/// That `body` throws a UserError with these words, on each of two ranks.
void expect_refused(const std::string& words, AcceleratorOptions options,
                    const std::function<void(Accelerator&, const std::shared_ptr<DeepModule>&)>& body) {
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        EXPECT_THAT(
            [&] {
                Accelerator accelerator(options, process);
                body(accelerator, std::make_shared<DeepModule>());
            },
            testing::ThrowsMessage<UserError>(HasSubstr(words)));
    });
}

TEST(Sharding, WhatCannotBeSharedOutIsRefused) {
    AcceleratorOptions stage_1{.zero_stage = 1}, stage_2{.zero_stage = 2};
    const auto adamw = [](const std::shared_ptr<DeepModule>& net) {
        return std::make_unique<to::AdamW>(net->parameters(), 0.1);
    };
    expect_refused("2 ranks cannot be divided into 3 replicas of the model",
                   {.zero_stage = 3, .sharding = accelerator::ShardingOptions{.dp_replicate = 3}},
                   [](Accelerator&, const auto&) {});
    expect_refused("call prepare(model) first", stage_1,
                   [&](Accelerator& accelerator, const auto& net) { accelerator.prepare(adamw(net)); });
    expect_refused("zero_stage 1: LBFGS needs whole parameters", stage_1,
                   [](Accelerator& accelerator, const auto& net) {
                       auto model = accelerator.prepare(net);
                       accelerator.prepare(std::make_unique<to::LBFGS>(net->parameters(), 0.1));
                   });
    expect_refused("this is a different one", stage_1, [](Accelerator& accelerator, const auto& net) {
        auto model = accelerator.prepare(net);
        accelerator.prepare(std::unique_ptr<optim::Optimizer>(new test::PlainSgd(net->parameters(), 0.1)));
    });
    expect_refused("second optimizer", stage_1, [&](Accelerator& accelerator, const auto& net) {
        auto model = accelerator.prepare(net);
        auto first = accelerator.prepare(adamw(net));
        auto second = accelerator.prepare(adamw(net));
    });
    expect_refused("several models", stage_1, [](Accelerator& accelerator, const auto& net) {
        auto model = accelerator.prepare(net);
        std::vector<at::Tensor> parameters = net->parameters();
        parameters.push_back(at::full({2}, 1.0).set_requires_grad(true));
        accelerator.prepare(std::make_unique<to::AdamW>(parameters, 0.1));
    });
    expect_refused("keep it in fp32", stage_1, [](Accelerator& accelerator, const auto& net) {
        net->to(at::kDouble);
        auto model = accelerator.prepare(net);
    });
    expect_refused("call accelerator.backward(loss)", stage_1, [](Accelerator& accelerator, const auto& net) {
        auto model = accelerator.prepare(net);
        model(at::full({2, 4}, 1.0)).mean().backward();
    });
    for (const char* what : {"clip_grad_value", "local_sgd", "join_uneven_inputs"})
        expect_refused(what, stage_1, [&](Accelerator& accelerator, const auto& net) {
            auto model = accelerator.prepare(net);
            if (std::string(what) == "clip_grad_value")
                accelerator.clip_grad_value(model, 1.0);
            else if (std::string(what) == "local_sgd")
                accelerator.local_sgd(model, {.steps = 2});
            else
                accelerator.join_uneven_inputs([] {}, {}, model);
        });
    AcceleratorOptions hooked = stage_2, fixed = stage_1;
    hooked.data_parallel.comm_hook = parallel::all_reduce_hook();
    expect_refused("comm_hook", hooked,
                   [](Accelerator& accelerator, const auto& net) { auto model = accelerator.prepare(net); });
    fixed.data_parallel.static_graph = true;
    expect_refused("static_graph", fixed,
                   [](Accelerator& accelerator, const auto& net) { auto model = accelerator.prepare(net); });
    AcceleratorOptions everywhere = stage_1;
    everywhere.project.save_on_each_node = true;
    everywhere.sharding = accelerator::ShardingOptions{.state_dict = accelerator::StateDictType::sharded};
    expect_refused("set the state dict to FULL_STATE_DICT", everywhere, [&](Accelerator& accelerator, const auto& net) {
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(adamw(net));
        accelerator.save_state("/nowhere/state");
    });
}

}  // namespace
}  // namespace trainyard
