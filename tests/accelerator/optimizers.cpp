// SPDX-License-Identifier: GPL-3.0-or-later
// Every optimizer of the table config::optimizer_kinds() in an Accelerator: it trains, resumes bit by bit, and works
// with accumulation, fp16, clipping, several ranks and ZeRO as one process does with whole batches, or is refused where
// config::conflict() says so. A new optimizer of the table is covered without a change here.

#include <cmath>
#include <mutex>
#include <string>
#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/error.h"
#include "config/recipe/optimizer_conflicts.h"
#include "config/recipe/optimizer_kinds.h"
#include "optim/rule_optimizer.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/loop/health.h"

namespace trainyard {
namespace {

using accelerator::PreparedOptimizer;
using config::TrainingFeature;
using test::Net;
using test::says;
using testing::_;
using testing::HasSubstr;

constexpr std::int64_t kSamples = 8;

std::unique_ptr<optim::Optimizer> make(const config::OptimizerKind& kind, const Net& net, double lr = 0.01,
                                       const Tree& more = Tree::dict()) {
    Tree options = more;
    options.set("lr", lr);
    if (kind.matrices_only)
        options.set("groups", Tree::dict({{"bias", Tree::dict({{"name", "AdamW"}})}}));
    if (kind.find("min_8bit_size") != nullptr)
        options.set("min_8bit_size", 16);
    NamedTensors named;
    for (const auto& parameter : net.named_parameters())
        named.emplace_back(parameter.key(), parameter.value());
    return optim::make_optimizer(kind.torch_name, named, options);
}

/// As RuleOptimizer has them of make_optimizer().
config::OptimizerTraits traits(const config::OptimizerKind& kind) {
    config::OptimizerTraits of = config::traits_of(kind);
    of.name = kind.torch_name;
    return of;
}

std::string refusal(const config::OptimizerKind& kind, TrainingFeature feature) {
    return config::conflict(traits(kind), feature);
}

/// A model and its optimizer in an Accelerator. Update `n` has the same samples whatever the number of ranks and
/// micro-batches.
class PreparedTraining {
  public:
    PreparedTraining(const config::OptimizerKind& kind, AcceleratorOptions options = {},
                     std::shared_ptr<parallel::ProcessState> process = test::alone(), const Tree& more = Tree::dict())
        : accelerator(std::move(options), std::move(process)),
          net(std::make_shared<Net>()),
          model(accelerator.prepare(net)),
          optimizer(accelerator.prepare(make(kind, *net, 0.01, more))) {}

    at::Tensor loss(std::int64_t update, std::int64_t part, std::int64_t parts) {
        const at::Tensor x = at::arange(kSamples * 4, at::kFloat).add(7 * update).mul(0.37).sin().view({kSamples, 4});
        const at::Tensor y = x.sum(1, true).mul(0.5).add(0.25);
        const std::int64_t own = kSamples / parts;
        return at::mse_loss(model(x.narrow(0, part * own, own)), y.narrow(0, part * own, own));
    }

    void update(std::int64_t number, double max_norm = 0) {
        const std::int64_t ranks = accelerator.num_processes(), rank = accelerator.process_index(),
                           micro_batches = accelerator.gradient_accumulation_steps();
        for (std::int64_t micro = 0; micro < micro_batches; ++micro) {
            auto scope = accelerator.accumulate(model);
            const auto backward = [&] {
                const at::Tensor value = loss(number, rank * micro_batches + micro, ranks * micro_batches);
                accelerator.backward(value);
                return value.item<double>();
            };
            if (optimizer->traits().needs_closure) {
                optimizer->step([&] {
                    optimizer->zero_grad();
                    const at::AutoGradMode grad(true);
                    return backward();
                });
            } else {
                backward();
                if (max_norm > 0 && accelerator.sync_gradients())
                    accelerator.clip_grad_norm(model, max_norm);
                optimizer->step();
                optimizer->zero_grad();
            }
        }
    }
    void updates(std::int64_t from, std::int64_t to) {
        for (std::int64_t number = from; number < to; ++number)
            update(number);
    }
    double whole_loss() {
        const at::NoGradGuard no_grad;
        return loss(0, 0, 1).item<double>();
    }

    Accelerator accelerator;
    std::shared_ptr<Net> net;
    accelerator::Prepared<Net> model;
    std::shared_ptr<PreparedOptimizer> optimizer;
};

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const UserError& error) {
        return error.what();
    }
    return {};
}

/// Weights after three updates on rank 0 of `ranks`.
at::Tensor trained_on(int ranks, const config::OptimizerKind& kind, const AcceleratorOptions& options) {
    at::Tensor weights;
    test::on_ranks(ranks, [&](std::shared_ptr<parallel::ProcessState> process) {
        PreparedTraining training(kind, options, process);
        training.updates(0, 3);
        if (process->rank() == 0)
            weights = training.net->flat();
        process->wait_for_everyone();
    });
    return weights;
}

double distance(const at::Tensor& a, const at::Tensor& b) {
    return a.sub(b).abs().max().item<double>();
}

class EveryOptimizer : public ::testing::TestWithParam<std::string> {
  protected:
    const config::OptimizerKind& kind_ = *config::find_optimizer(GetParam());
};

TEST_P(EveryOptimizer, TrainsAndResumesBitByBit) {
    test::TemporaryFolder folder;
    PreparedTraining straight(kind_), first(kind_);
    const double before = straight.whole_loss();
    straight.updates(0, 6);
    EXPECT_LT(straight.whole_loss(), before);
    first.updates(0, 3);
    first.accelerator.save_state(folder.path() / "state");
    PreparedTraining second(kind_);
    second.accelerator.load_state(folder.path() / "state");
    second.updates(3, 6);
    EXPECT_TRUE(at::equal(second.net->flat(), straight.net->flat()));
}

TEST_P(EveryOptimizer, MicroBatchesMakeTheUpdateOfTheWholeBatch) {
    const AcceleratorOptions options{.gradient_accumulation_steps = 2};
    if (!refusal(kind_, TrainingFeature::accumulation).empty()) {
        EXPECT_THAT(message_of([&] { PreparedTraining training(kind_, options); }),
                    HasSubstr("gradient_accumulation_steps 2: " + refusal(kind_, TrainingFeature::accumulation)));
        PreparedTraining later(kind_);
        EXPECT_THROW(later.accelerator.set_gradient_accumulation_steps(2), UserError);
        return;
    }
    PreparedTraining whole(kind_), parts(kind_, options);
    whole.updates(0, 3);
    parts.updates(0, 3);
    EXPECT_LT(distance(whole.net->flat(), parts.net->flat()), 1e-5);
}

TEST_P(EveryOptimizer, ScaledLossesMakeTheSameUpdate) {
    const AcceleratorOptions options{.mixed_precision = Precision::fp16, .grad_scaler = {.init_scale = 1024}};
    if (const std::string problem = refusal(kind_, TrainingFeature::loss_scaling); !problem.empty()) {
        EXPECT_THAT(message_of([&] { PreparedTraining training(kind_, options); }),
                    HasSubstr("mixed_precision fp16: " + problem));
        return;
    }
    // A power of two scales exactly. What updates by scaled gradients, or remembers them, has other weights with
    // another scale.
    AcceleratorOptions larger = options;
    larger.grad_scaler.init_scale = 4096;
    PreparedTraining one(kind_, options), other(kind_, larger);
    for (std::int64_t number = 0; number < 3; ++number)
        for (PreparedTraining* training : {&one, &other}) {
            training->update(number);
            EXPECT_FALSE(training->optimizer->step_was_skipped());
        }
    EXPECT_LT(distance(one.net->flat(), other.net->flat()), 1e-6);
}

TEST_P(EveryOptimizer, TwoRanksMakeTheUpdateOfOne) {
    if (const std::string problem = refusal(kind_, TrainingFeature::several_ranks); !problem.empty()) {
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            EXPECT_THAT(message_of([&] { PreparedTraining training(kind_, {}, process); }),
                        says("a training on {} ranks", 2).before(": " + problem));
        });
        return;
    }
    PreparedTraining one(kind_);
    one.updates(0, 3);
    EXPECT_LT(distance(trained_on(2, kind_, {}), one.net->flat()), 1e-5);
}

TEST_P(EveryOptimizer, SharedOutStateMakesTheSameUpdate) {
    for (const std::int64_t stage : {1, 2}) {
        const AcceleratorOptions options{.zero_stage = stage};
        if (const std::string problem = refusal(kind_, TrainingFeature::zero); !problem.empty()) {
            test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                EXPECT_THAT(message_of([&] { PreparedTraining training(kind_, options, process); }),
                            HasSubstr("zero_stage " + std::to_string(stage) + ": " + problem));
            });
            continue;
        }
        EXPECT_LT(distance(trained_on(2, kind_, options), trained_on(2, kind_, {})), 1e-5) << stage;
    }
}

TEST_P(EveryOptimizer, GradientsAreClippedOrThatIsRefused) {
    PreparedTraining training(kind_);
    const std::string by_norm = refusal(kind_, TrainingFeature::clipping_by_norm),
                      by_value = refusal(kind_, TrainingFeature::clipping_by_value);
    training.accelerator.backward(training.loss(0, 0, 1));
    for (const auto& [what, problem] : {std::pair("clip_grad_norm", by_norm), std::pair("clip_grad_value", by_value)}) {
        const bool norm = what == std::string("clip_grad_norm");
        const std::string message = message_of([&] {
            if (norm)
                training.accelerator.clip_grad_norm(training.model, 0.01);
            else
                training.accelerator.clip_grad_value(training.model, 0.0001);
        });
        EXPECT_EQ(message, problem.empty() ? "" : what + (": " + problem));
        if (!problem.empty())
            continue;
        double squares = 0, largest = 0;
        for (const at::Tensor& parameter : training.net->parameters()) {
            squares += parameter.grad().square().sum().item<double>();
            largest = std::max(largest, parameter.grad().abs().max().item<double>());
        }
        EXPECT_GT(squares, 0);
        EXPECT_LE(std::sqrt(squares), 0.01 * 1.00001);
        EXPECT_LE(largest, norm ? 0.01 : 0.0001);
    }
}

TEST_P(EveryOptimizer, AveragesAndHealthAreCombinedOrRefused) {
    PreparedTraining training(kind_);
    EXPECT_EQ(
        message_of([&] { training.accelerator.prepare_average(training.model, train::exponential(0.5)); }).empty(),
        refusal(kind_, TrainingFeature::weight_average).empty());
    EXPECT_EQ(message_of([&] { training.accelerator.prepare_health(); }).empty(),
              refusal(kind_, TrainingFeature::skipped_updates).empty())
        << "a verdict to skip an update that is done already";
    Accelerator watched({}, test::alone());
    auto health = watched.prepare_health();
    auto net = std::make_shared<Net>();
    EXPECT_EQ(message_of([&] { watched.prepare(make(kind_, *net)); }).empty(),
              refusal(kind_, TrainingFeature::skipped_updates).empty());
}

TEST_P(EveryOptimizer, IsEvaluatedAtTheWeightsToBeUsed) {
    PreparedTraining training(kind_);
    training.net->eval();
    EXPECT_NO_THROW(training.whole_loss()) << "nothing is trained yet";
    training.net->train();
    training.updates(0, 3);
    const at::Tensor trained = training.net->flat();
    EXPECT_EQ(training.optimizer->needs_eval(), kind_.averages);
    training.net->eval();
    EXPECT_EQ(message_of([&] { training.whole_loss(); }).empty(), !kind_.averages);
    test::TemporaryFolder folder;
    EXPECT_EQ(training.accelerator.save_model(training.model, folder.path() / "before").size(),
              kind_.averages ? 1u : 0u);
    training.optimizer->eval();
    EXPECT_NO_THROW(training.whole_loss());
    EXPECT_EQ(distance(training.net->flat(), trained) > 0, kind_.averages);
    EXPECT_TRUE(training.accelerator.save_model(training.model, folder.path() / "after").empty());
    training.net->train();
    if (kind_.averages) {
        EXPECT_THAT(message_of([&] { training.update(3); }),
                    test::says("the parameters are the averaged weights since eval(): call train() before step()"));
    }
    training.optimizer->train();
    EXPECT_LT(distance(training.net->flat(), trained), 1e-6);
    EXPECT_NO_THROW(training.update(4));
}

/// As the package advises: eval(), save, and train() after loading. The weights of the checkpoint are the average.
TEST_P(EveryOptimizer, ResumesFromACheckpointThatWasSavedInEvaluation) {
    test::TemporaryFolder folder;
    PreparedTraining straight(kind_), first(kind_);
    straight.updates(0, 6);
    first.updates(0, 3);
    first.optimizer->eval();
    first.accelerator.save_state(folder.path() / "state");
    PreparedTraining second(kind_);
    second.accelerator.load_state(folder.path() / "state");
    EXPECT_TRUE(at::equal(second.net->flat(), first.net->flat()));
    if (kind_.averages) {
        EXPECT_THAT(message_of([&] { second.update(3); }),
                    test::says("the parameters are the averaged weights since eval(): call train() before step()"));
    }
    second.optimizer->train();
    second.optimizer->zero_grad();
    second.updates(3, 6);
    EXPECT_LT(distance(second.net->flat(), straight.net->flat()), 1e-5);
}

std::vector<std::string> all_names() {
    std::vector<std::string> names;
    for (const config::OptimizerKind& kind : config::optimizer_kinds())
        names.push_back(kind.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOptimizer, ::testing::ValuesIn(all_names()),
                         [](const auto& name) { return name.param; });

/// Settings with which eight updates go through all stages of the two.
Tree stages_of(const std::string& name) {
    return name == "onebit_adam" ? Tree::dict({{"freeze_step", 2}})
                                 : Tree::dict({{"var_freeze_step", 3},
                                               {"var_update_scaler", 1},
                                               {"local_step_scaler", 1},
                                               {"local_step_clipper", 8}});
}

/// Modules of a program that are replicas: their gradients are not reduced after the warm-up, and what is exchanged is
/// what the optimizer exchanges of each rank's own gradients.
TEST(Optimizers, GradientsOfRanksAreNotReducedWhereSignsAreExchanged) {
    for (const char* name : {"onebit_adam", "zero_one_adam"})
        for (const Precision precision : {Precision::no, Precision::fp16})
            test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                SCOPED_TRACE(name);
                const config::OptimizerKind& kind = *config::find_optimizer(name);
                parallel::Communicator& ranks = process->everyone();
                PreparedTraining training(kind, {.mixed_precision = precision, .grad_scaler = {.init_scale = 1024}},
                                          process, stages_of(name));
                PreparedTraining reference(kind);
                auto net = reference.net;
                const auto optimizer = make(kind, *net, 0.01, stages_of(name));
                optimizer->exchange_over(ranks);
                for (std::int64_t number = 0; number < 8; ++number) {
                    const bool sums = training.optimizer->sums_gradients();
                    EXPECT_EQ(sums, number < 2) << number;
                    const std::uint64_t before = ranks.stats().operations(parallel::CollectiveKind::all_reduce).bytes;
                    training.update(number);
                    EXPECT_EQ(ranks.stats().operations(parallel::CollectiveKind::all_reduce).bytes - before > 100, sums)
                        << number;
                    reference.loss(number, process->rank(), 2).backward();
                    for (const at::Tensor& parameter : net->parameters())
                        if (optimizer->sums_gradients())
                            ranks.all_reduce(parameter.grad(), "gradients", parallel::ReduceOp::average).wait();
                    optimizer->step();
                    optimizer->zero_grad();
                    if (precision == Precision::no) {
                        EXPECT_LT(distance(training.net->flat(), net->flat()), 1e-6) << number;
                    }
                    EXPECT_FALSE(training.optimizer->step_was_skipped());
                }
            });
}

TEST(Optimizers, WhatARankFeedsBackIsInItsCheckpoint) {
    for (const char* name : {"onebit_adam", "zero_one_adam"}) {
        SCOPED_TRACE(name);
        const config::OptimizerKind& kind = *config::find_optimizer(name);
        test::TemporaryFolder folder;
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            PreparedTraining straight(kind, {}, process, stages_of(name)), again(kind, {}, process, stages_of(name));
            straight.updates(0, 6);
            straight.accelerator.save_state(folder.path() / "state");
            EXPECT_FALSE(straight.optimizer->needs_eval()) << "a checkpoint has the same weights of all ranks";
            straight.updates(6, 11);
            EXPECT_EQ(straight.optimizer->needs_eval(), kind.local_steps);
            EXPECT_TRUE(again.accelerator.load_state(folder.path() / "state").empty());
            again.updates(6, 11);
            EXPECT_TRUE(at::equal(again.net->flat(), straight.net->flat()));
            straight.optimizer->eval();
            at::Tensor first = straight.net->flat();
            process->everyone().broadcast(first, 0, "weights of rank 0");
            EXPECT_TRUE(at::equal(first, straight.net->flat()));
        });
        test::on_ranks(4, [&](std::shared_ptr<parallel::ProcessState> process) {
            PreparedTraining other(kind, {}, process, stages_of(name));
            EXPECT_THAT(other.accelerator.load_state(folder.path() / "state"),
                        testing::Contains(testing::ResultOf(
                            [](const Message& note) { return std::string(note); },
                            says("the errors that ranks feed back begin with zeros: those in the checkpoint are of {} "
                                 "instead of {}",
                                 "2 ranks", 4))));
            other.updates(6, 8);
        });
    }
}

TEST(Optimizers, WhatDoesNotGoWithAnExchangeOfSignsIsRefused) {
    test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        const config::OptimizerKind& kind = *config::find_optimizer("onebit_adam");
        const auto refused = [&](AcceleratorOptions options, const std::string& what, TrainingFeature feature) {
            EXPECT_THAT(message_of([&] { PreparedTraining training(kind, std::move(options), process); }),
                        HasSubstr(what + ": " + refusal(kind, feature)));
        };
        AcceleratorOptions hooked;
        hooked.data_parallel.comm_hook = parallel::compress_hook(at::kBFloat16);
        refused(hooked, "comm_hook", TrainingFeature::gradient_hook);
        refused({.zero_stage = 3}, "zero_stage 3", TrainingFeature::zero);
        PreparedTraining training(kind, {}, process);
        EXPECT_THAT(message_of([&] { training.accelerator.join_uneven_inputs([] {}, {}, training.model); }),
                    HasSubstr("join_uneven_inputs: " + refusal(kind, TrainingFeature::uneven_inputs)));
        EXPECT_THAT(message_of([&] { (void)training.accelerator.local_sgd(training.model, {.steps = 2}); }),
                    HasSubstr("local_sgd: " + refusal(kind, TrainingFeature::local_sgd)));
    });
}

TEST(Optimizers, RanksThatShareOutTheStateAreEvaluatedAtTheWholeAverage) {
    const config::OptimizerKind& kind = *config::find_optimizer("schedule_free_adamw");
    PreparedTraining one(kind);
    one.updates(0, 3);
    one.optimizer->eval();
    for (const std::int64_t stage : {0, 1, 2})
        test::on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
            PreparedTraining training(kind, {.zero_stage = stage}, process);
            training.updates(0, 3);
            const at::Tensor trained = training.net->flat();
            training.optimizer->eval();
            EXPECT_LT(distance(training.net->flat(), one.net->flat()), 1e-5) << stage;
            training.optimizer->train();
            EXPECT_LT(distance(training.net->flat(), trained), 1e-6) << stage;
        });
}

TEST(Optimizers, ASecondBackwardBeforeTheStepIsNoSecondUpdate) {
    PreparedTraining training(*config::find_optimizer("lomo"));
    training.accelerator.backward(training.loss(0, 0, 1));
    const at::Tensor once = training.net->flat();
    EXPECT_THAT(message_of([&] { training.accelerator.backward(training.loss(0, 0, 1)); }),
                says("{} updates while backward runs, and a parameter got a second gradient before step(): run one "
                     "backward of the whole loss for each step(), and use no parameter in several checkpointed blocks",
                     _));
    EXPECT_TRUE(at::equal(training.net->flat(), once));
    training.optimizer->step();
    training.accelerator.backward(training.loss(0, 0, 1));
    EXPECT_FALSE(at::equal(training.net->flat(), once));
}

TEST(Optimizers, ASumWithADenominatorIsUpdatedByItsMean) {
    for (const char* name : {"lomo", "sgd"}) {
        PreparedTraining mean(*config::find_optimizer(name)), sum(*config::find_optimizer(name));
        mean.updates(0, 2);
        for (std::int64_t number = 0; number < 2; ++number) {
            auto scope = sum.accelerator.accumulate(sum.model);
            sum.accelerator.backward(sum.loss(number, 0, 1).mul(kSamples), {.denominator = kSamples, .expected = 3.0});
            sum.optimizer->step();
            sum.optimizer->zero_grad();
        }
        EXPECT_LT(distance(mean.net->flat(), sum.net->flat()), 1e-6) << name;
    }
}

TEST(Optimizers, AnUpdateWithoutTargetsIsLeftOut) {
    PreparedTraining training(*config::find_optimizer("adamw"));
    training.update(0);
    const at::Tensor before = training.net->flat();
    const auto update = [&](double denominator) {
        auto scope = training.accelerator.accumulate(training.model);
        training.accelerator.backward(training.loss(1, 0, 1).mul(denominator), {.denominator = denominator});
        training.optimizer->step();
        training.optimizer->zero_grad();
    };
    update(0);
    EXPECT_TRUE(training.optimizer->step_was_skipped());
    EXPECT_TRUE(std::isnan(training.accelerator.mean_loss()));
    EXPECT_TRUE(at::equal(training.net->flat(), before)) << "neither momentum nor decay moves them";
    update(4);
    EXPECT_FALSE(training.optimizer->step_was_skipped());
    EXPECT_GT(training.accelerator.mean_loss(), 0);
    EXPECT_FALSE(at::equal(training.net->flat(), before));
}

/// A closure is the micro-step of any optimizer: unscaled under fp16, followed by averages, skipped while gradients
/// accumulate.
TEST(Optimizers, AClosureRunsTheWholeUpdate) {
    const config::OptimizerKind& kind = *config::find_optimizer("sgd");
    for (const Precision precision : {Precision::no, Precision::fp16}) {
        const AcceleratorOptions options{.mixed_precision = precision, .grad_scaler = {.init_scale = 1024}};
        PreparedTraining called(kind, options), plain(kind, options);
        auto average = called.accelerator.prepare_average(called.model, train::exponential(0.5));
        for (std::int64_t number = 0; number < 3; ++number) {
            plain.update(number);
            auto scope = called.accelerator.accumulate(called.model);
            called.optimizer->step([&] {
                called.optimizer->zero_grad();
                const at::Tensor loss = called.loss(number, 0, 1);
                called.accelerator.backward(loss);
                return loss.item<double>();
            });
        }
        EXPECT_TRUE(at::equal(called.net->flat(), plain.net->flat())) << choice_name(precision);
        EXPECT_EQ(average->averaged(), 3);
    }
}

}  // namespace
}  // namespace trainyard
