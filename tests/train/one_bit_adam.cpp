// SPDX-License-Identifier: GPL-3.0-or-later
// 1-bit Adam and 0/1 Adam: updates of every rank compared with an eager implementation of the papers' algorithms on
// 1, 2 and 4 ranks, for optimizers of programs and of recipes; the bytes that are sent; whole trainings of recipes,
// which continue from checkpoints bit by bit.

#include <cmath>
#include <fstream>
#include <map>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/parallel/one_bit_mean.h"
#include "optim/rule_optimizer.h"
#include "parallel/over_ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/flat_optimizer.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using parallel::Communicator;
using Tensors = std::vector<at::Tensor>;

constexpr double kLr = 0.02, kBeta1 = 0.9, kBeta2 = 0.95, kEps = 1e-8, kDecay = 0.01;

at::Tensor random_tensor(std::int64_t elements, std::uint64_t seed) {
    return at::randn({elements}, at::detail::createCPUGenerator(seed));
}

/// Means of one tensor, sent as signs by ranks that are computed one after the other.
class EagerMean {
  public:
    EagerMean(std::int64_t elements, int ranks)
        : chunk_((elements + 8 * ranks - 1) / (8 * ranks) * 8),
          worker_(static_cast<std::size_t>(ranks), at::zeros({elements}, at::kDouble)),
          server_(at::zeros({elements}, at::kDouble)) {
        for (at::Tensor& error : worker_)
            error = error.clone();
    }

    at::Tensor average(const Tensors& of_ranks) {
        if (of_ranks.size() == 1)
            return of_ranks[0];
        at::Tensor mean = at::zeros_like(server_);
        for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
            mean.add_(signs(of_ranks[rank].to(at::kDouble), worker_[rank]).div(static_cast<double>(of_ranks.size())));
        at::Tensor result = at::zeros_like(mean);
        for (std::int64_t begin = 0; begin < mean.numel(); begin += chunk_) {
            const std::int64_t size = std::min(chunk_, mean.numel() - begin);
            at::Tensor error = server_.narrow(0, begin, size);
            result.narrow(0, begin, size).copy_(signs(mean.narrow(0, begin, size), error));
        }
        return result;
    }
    void forget() {
        server_.zero_();
        for (const at::Tensor& error : worker_)
            error.zero_();
    }

  private:
    static at::Tensor signs(const at::Tensor& values, const at::Tensor& error) {
        error.add_(values);
        const at::Tensor scale = error.square().mean().sqrt();
        const at::Tensor sent = at::where(error.ge(0), scale, scale.neg());
        error.sub_(sent);
        return sent;
    }

    std::int64_t chunk_;
    Tensors worker_;
    at::Tensor server_;
};

/// Settings of both algorithms that reach all of their stages within kUpdates.
struct Settings {
    std::string name;
    bool corrects;
    Tree options() const {
        Tree all = Tree::dict({{"lr", kLr},
                               {"betas", Tree::list({Tree(kBeta1), Tree(kBeta2)})},
                               {"eps", kEps},
                               {"weight_decay", kDecay},
                               {"bias_correction", corrects}});
        for (const auto& [key, value] : numbers())
            all.set(key, value);
        return all;
    }
    std::string arguments() const {
        std::string yaml = std::string("{bias_correction: ") + (corrects ? "true" : "false");
        for (const auto& [key, value] : numbers())
            yaml += ", " + key + ": " + std::to_string(value);
        return yaml + "}";
    }
    std::map<std::string, std::int64_t> numbers() const {
        if (name == "onebit_adam")
            return {{"freeze_step", 5}};
        return {{"var_freeze_step", 9}, {"var_update_scaler", 2}, {"local_step_scaler", 3}, {"local_step_clipper", 4}};
    }
};

constexpr int kUpdates = 24;

/// The algorithms for one parameter on all ranks at once, in double precision.
class Eager {
  public:
    Eager(const Settings& settings, const at::Tensor& start, int ranks)
        : settings_(settings),
          mean_(start.numel(), ranks),
          values_(static_cast<std::size_t>(ranks), start.to(at::kDouble)),
          momenta_(values_.size(), at::zeros({start.numel()}, at::kDouble)),
          sums_(momenta_),
          second_(at::zeros({start.numel()}, at::kDouble)) {}

    const at::Tensor& value(int rank) const { return values_[static_cast<std::size_t>(rank)]; }
    bool sums_gradients() const {
        const int next = step_ + 1;
        return settings_.name == "onebit_adam" ? next <= 5 : next <= 9 && next % interval_ == 0;
    }

    void update(const Tensors& gradients) {
        ++step_;
        const at::Tensor mean = at::stack(gradients).to(at::kDouble).mean(0);
        settings_.name == "onebit_adam" ? one_bit(gradients, mean) : zero_one(gradients, mean);
    }

    void settle() {
        if (rates_ == 0)
            return;
        const at::Tensor sum = masked(mean_.average(sums_));
        for (std::size_t rank = 0; rank < values_.size(); ++rank) {
            values_[rank] = synchronized_ - sum / denominator();
            momenta_[rank] = sum / rates_;
            sums_[rank] = at::zeros_like(sum);
        }
        rates_ = 0;
    }

  private:
    double rate() const { return kLr / (settings_.corrects ? 1 - std::pow(kBeta1, step_) : 1); }
    at::Tensor denominator() const {
        return (second_ / (settings_.corrects ? 1 - std::pow(kBeta2, second_updates_) : 1)).sqrt() + kEps;
    }
    at::Tensor masked(const at::Tensor& averaged) const {
        return at::where(second_.eq(0), at::zeros_like(averaged), averaged);
    }
    void adam(const at::Tensor& gradient) {
        for (std::size_t rank = 0; rank < values_.size(); ++rank) {
            momenta_[rank] = kBeta1 * momenta_[rank] + (1 - kBeta1) * gradient;
            values_[rank] = values_[rank] * (1 - kLr * kDecay) - rate() * momenta_[rank] / denominator();
        }
    }
    void move_second(const at::Tensor& gradient) {
        second_ = kBeta2 * second_ + (1 - kBeta2) * gradient.square();
        ++second_updates_;
    }

    void one_bit(const Tensors& gradients, const at::Tensor& mean) {
        if (step_ <= 5) {
            move_second(mean);
            return adam(mean);
        }
        Tensors own;
        for (std::size_t rank = 0; rank < values_.size(); ++rank)
            own.push_back(kBeta1 * momenta_[rank] + (1 - kBeta1) * gradients[rank].to(at::kDouble));
        const at::Tensor momentum = masked(mean_.average(own));
        for (std::size_t rank = 0; rank < values_.size(); ++rank) {
            momenta_[rank] = momentum;
            values_[rank] = values_[rank] * (1 - kLr * kDecay) - rate() * momentum / denominator();
        }
    }

    void zero_one(const Tensors& gradients, const at::Tensor& mean) {
        if (step_ <= 9) {
            if (step_ % interval_ != 0)
                return adam(masked(mean_.average(gradients)));
            move_second(mean);
            adam(mean);
            if (second_updates_ % 2 == 0)
                interval_ *= 2;
            return;
        }
        if (step_ == 10)
            mean_.forget();
        if (rates_ == 0)
            synchronized_ = values_[0];
        synchronized_ = synchronized_ * (1 - kLr * kDecay);
        rates_ += rate();
        for (std::size_t rank = 0; rank < values_.size(); ++rank) {
            momenta_[rank] = masked(kBeta1 * momenta_[rank] + (1 - kBeta1) * gradients[rank].to(at::kDouble));
            sums_[rank] = sums_[rank] + rate() * momenta_[rank];
            values_[rank] = values_[rank] * (1 - kLr * kDecay) - rate() * momenta_[rank] / denominator();
        }
        if (step_ % local_interval_ == 0)
            settle();
        if ((step_ - 9) % 3 == 0)
            local_interval_ = std::min(4, 2 * local_interval_);
    }

    Settings settings_;
    EagerMean mean_;
    Tensors values_, momenta_, sums_;
    at::Tensor second_, synchronized_;
    int step_ = 0, second_updates_ = 0, interval_ = 1, local_interval_ = 1;
    double rates_ = 0;
};

/// A model in flat groups that gets its gradients from the test.
class GivenGradients final : public FlatGradients {
  public:
    GivenGradients(Communicator& ranks, const std::vector<parallel::GroupRequest>& groups)
        : FlatGradients(ranks, ranks) {
        arena_ = std::make_unique<parallel::FlatArena>(groups, at::kFloat, at::kCPU, true);
    }
    bool feeds(const optim::Optimizer&) const override { return true; }
};

constexpr std::int64_t kShapes[][2] = {{37, 20}, {11, 1}};

/// Of a parameter: a part that all ranks and updates share, and noise. The first elements never have a gradient.
at::Tensor gradient_of(int rank, int update, std::size_t parameter) {
    const std::int64_t elements = kShapes[parameter][0] * kShapes[parameter][1];
    at::Tensor gradient = random_tensor(elements, 100 + parameter)
                              .add(random_tensor(elements, 1000 * static_cast<std::uint64_t>(update + 1) +
                                                               10 * static_cast<std::uint64_t>(rank) + parameter));
    gradient.narrow(0, 0, 3).zero_();
    return gradient;
}

at::Tensor start_of(std::size_t parameter) {
    return random_tensor(kShapes[parameter][0] * kShapes[parameter][1], 7 + parameter);
}

void expect_near(const at::Tensor& got, const at::Tensor& expected, const std::string& what) {
    EXPECT_LT(got.reshape({-1}).to(at::kDouble).sub(expected).abs().max().item<double>(), 2e-5) << what;
}

class OneBit : public ::testing::TestWithParam<std::tuple<std::string, int, bool>> {
  protected:
    const Settings settings_{std::get<0>(GetParam()), std::get<2>(GetParam())};
    const int ranks_ = std::get<1>(GetParam());

    /// Updates `parameters` and compares them after each with the oracle. `set` gives a parameter its gradient.
    void compare(Communicator& ranks, optim::Optimizer& optimizer, const Tensors& values,
                 const std::function<void(std::size_t, const at::Tensor&)>& set) const {
        std::vector<Eager> oracle;
        for (std::size_t i = 0; i < values.size(); ++i)
            oracle.emplace_back(settings_, start_of(i), ranks.size());
        bool differed = false;
        for (int update = 0; update < kUpdates; ++update) {
            const bool sums = optimizer.sums_gradients();
            EXPECT_EQ(sums, oracle[0].sums_gradients()) << update;
            for (std::size_t i = 0; i < values.size(); ++i) {
                Tensors all;
                for (int rank = 0; rank < ranks.size(); ++rank)
                    all.push_back(gradient_of(rank, update, i));
                set(i, sums ? at::stack(all).mean(0) : all[static_cast<std::size_t>(ranks.rank())]);
                oracle[i].update(all);
            }
            optimizer.step();
            for (std::size_t i = 0; i < values.size(); ++i) {
                expect_near(values[i], oracle[i].value(ranks.rank()),
                            "parameter " + std::to_string(i) + " after update " + std::to_string(update));
                differed |= !oracle[i].value(0).equal(oracle[i].value(ranks.size() - 1));
            }
        }
        EXPECT_EQ(differed, ranks.size() > 1 && settings_.name == "zero_one_adam");
        optimizer.settle();
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (ranks.size() > 1)
                oracle[i].settle();
            expect_near(values[i], oracle[i].value(ranks.rank()), "settled");
            const at::Tensor first = values[i].detach().clone().reshape({-1});
            ranks.broadcast(first, 0, "values of rank 0");
            EXPECT_TRUE(first.equal(values[i].detach().reshape({-1}))) << "ranks have the same weights, to the bit";
        }
    }
};

TEST_P(OneBit, ProgramsUpdateAsThePaperSays) {
    test::over_ranks(ranks_, [&](Communicator& ranks) {
        Tensors values;
        for (std::size_t i = 0; i < 2; ++i)
            values.push_back(start_of(i).view({kShapes[i][0], kShapes[i][1]}).requires_grad_());
        const auto optimizer = optim::make_optimizer(settings_.name, values, settings_.options());
        optimizer->exchange_over(ranks);
        compare(ranks, *optimizer, values, [&](std::size_t i, const at::Tensor& gradient) {
            values[i].mutable_grad() = gradient.view(values[i].sizes()).clone();
        });
    });
}

TEST_P(OneBit, RecipesUpdateAsThePaperSays) {
    test::over_ranks(ranks_, [&](Communicator& ranks) {
        constexpr parallel::Initialiser kStart{parallel::Initialiser::Kind::normal, 0.5};
        parallel::Parameter weight("w", {kShapes[0][0], kShapes[0][1]}, kStart), bias("b", {kShapes[1][0]}, kStart);
        GivenGradients model(ranks, {{"g", {&weight, &bias}}});
        const std::vector<parallel::Parameter*> parameters{&weight, &bias};
        Tensors values;
        for (std::size_t i = 0; i < 2; ++i) {
            values.push_back(parameters[i]->value());
            const at::NoGradGuard no_grad;
            values[i].view(-1).copy_(start_of(i));
        }
        config::OptimizerRecipe recipe;
        recipe.name = settings_.name;
        recipe.lr = kLr;
        recipe.beta1 = kBeta1;
        recipe.beta2 = kBeta2;
        recipe.eps = kEps;
        recipe.weight_decay = kDecay;
        recipe.decay_all = true;
        recipe.arguments = settings_.arguments();
        FlatOptimizer optimizer(model, recipe);
        compare(ranks, optimizer, values, [&](std::size_t i, const at::Tensor& gradient) {
            EXPECT_EQ(model.is_local(), ranks.size() > 1 && !optimizer.sums_gradients());
            parameters[i]->gradient().view(-1).copy_(gradient.mul(4));
            optimizer.set_gradient_divisor(4);
        });
    });
}

INSTANTIATE_TEST_SUITE_P(Algorithms, OneBit,
                         ::testing::Combine(::testing::Values("onebit_adam", "zero_one_adam"),
                                            ::testing::Values(1, 2, 4), ::testing::Bool()),
                         [](const auto& kind) {
                             return std::get<0>(kind.param) + "_on_" + std::to_string(std::get<1>(kind.param)) +
                                    (std::get<2>(kind.param) ? "_corrected" : "_plain");
                         });

/// Ranks whose number divides nothing, chunks without elements, one element and none.
TEST(OneBitMean, SendsOneBitForAnElementAndForgetsNothing) {
    for (const int size : {2, 3, 4})
        test::over_ranks(size, [&](Communicator& ranks) {
            const std::vector<std::int64_t> elements{4099, 1, 8, 0, 100};
            parallel::OneBitMean mean(ranks, elements);
            std::vector<EagerMean> eager;
            std::int64_t row = 0;
            for (const std::int64_t count : elements) {
                eager.emplace_back(count, size);
                row += count > 0 ? 4 + (count + 8 * size - 1) / (8 * size) : 0;
            }
            row = (row + 3) / 4 * 4;
            at::Tensor got_sum = at::zeros({elements[0]}), true_sum = at::zeros({elements[0]});
            constexpr int kRounds = 40;
            for (int round = 0; round < kRounds; ++round) {
                std::vector<parallel::OneBitMean::Item> items;
                Tensors expected;
                for (std::size_t i = 0; i < elements.size(); ++i) {
                    Tensors all;
                    for (int rank = 0; rank < size; ++rank)
                        all.push_back(
                            random_tensor(elements[i], static_cast<std::uint64_t>(round * 100 + rank) * 10 + i));
                    if (i == 0)
                        true_sum.add_(at::stack(all).mean(0));
                    expected.push_back(elements[i] > 0 ? eager[i].average(all) : all[0].to(at::kDouble));
                    items.push_back({i, all[static_cast<std::size_t>(ranks.rank())].clone()});
                }
                const auto sent = [&](parallel::CollectiveKind kind) { return ranks.stats().operations(kind).bytes; };
                const std::uint64_t out = sent(parallel::CollectiveKind::all_to_all),
                                    back = sent(parallel::CollectiveKind::all_gather);
                mean.average(items, "test");
                EXPECT_EQ(sent(parallel::CollectiveKind::all_to_all) - out, static_cast<std::uint64_t>(row * size));
                EXPECT_EQ(sent(parallel::CollectiveKind::all_gather) - back, static_cast<std::uint64_t>(row));
                for (std::size_t i = 0; i < elements.size(); ++i)
                    if (elements[i] > 0)
                        expect_near(items[i].values, expected[i], std::to_string(i));
                got_sum.add_(items[0].values);
            }
            // What was left out of one message is in a later one: the sums differ by the last errors alone.
            const Tree state = mean.state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });
            const std::int64_t chunk = (elements[0] + 8 * size - 1) / (8 * size) * 8, begin = ranks.rank() * chunk;
            at::Tensor left = state.at("worker_error").as_tensor().narrow(0, 0, elements[0]).div(size);
            const std::int64_t own = std::min(chunk, elements[0] - begin);
            left.narrow(0, begin, own).add_(state.at("server_error").as_tensor().narrow(0, 0, own));
            ranks.all_reduce(left, "errors").wait();
            expect_near(got_sum.add(left).div(kRounds), true_sum.div(kRounds).to(at::kDouble), "sums");
            EXPECT_LT(left.norm().item<double>(), 3 * std::sqrt(static_cast<double>(elements[0])))
                << "errors are bounded";
            parallel::OneBitMean other(ranks, {5});
            EXPECT_THROW(other.load_state_dict(state), UserError);
        });
}

// --- recipes ---------------------------------------------------------------------------------------------------------

using Weights = std::map<std::string, at::Tensor>;

class OneBitRecipe : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;

    config::Recipe recipe(const std::string& name, const std::string& arguments = "") const {
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 400; ++i)
            text << "one bit for " << i % 7 << " momenta and " << i % 3 << " errors. ";
        text.close();
        config::Recipe recipe;
        recipe.data.paths = {(folder_.path() / "text.txt").string()};
        recipe.data.sequence_length = recipe.model.n_positions = 16;
        recipe.model.n_embd = 16;
        recipe.model.n_layer = 1;
        recipe.model.n_head = 2;
        recipe.training.steps = 40;
        recipe.training.batch_size = 2;
        recipe.training.evaluate_batches = 1;
        recipe.optimizer.name = name;
        recipe.optimizer.lr = 3e-3;
        recipe.optimizer.arguments = arguments;
        return recipe;
    }

    struct Outcome {
        std::vector<Weights> weights;  ///< of each rank
        std::vector<double> losses, norms;
        std::vector<std::uint64_t> reduced, exchanged;  ///< bytes of rank 0 in each step
        std::string start;
    };
    Outcome train(const config::Recipe& how, int ranks, std::int64_t steps, const std::string& save_at_5 = "") const {
        Outcome outcome{std::vector<Weights>(static_cast<std::size_t>(ranks)), {}, {}, {}, {}, {}};
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(how, mesh, at::kCPU);
            const std::string start = trainer.start();
            const auto bytes = [&](parallel::CollectiveKind kind) {
                return mesh.data().stats().operations(kind).bytes;
            };
            while (trainer.position().step < steps) {
                using enum parallel::CollectiveKind;
                const std::uint64_t reduced = bytes(all_reduce), exchanged = bytes(all_to_all) + bytes(all_gather);
                const StepReport report = trainer.step();
                if (mesh.rank() == 0) {
                    outcome.losses.push_back(report.loss);
                    outcome.norms.push_back(report.gradient_norm);
                    outcome.reduced.push_back(bytes(all_reduce) - reduced);
                    outcome.exchanged.push_back(bytes(all_to_all) + bytes(all_gather) - exchanged);
                }
                if (!save_at_5.empty() && trainer.position().step == 5)
                    trainer.save(folder_.path() / save_at_5);
            }
            if (mesh.rank() == 0)
                outcome.start = start;
            for (const auto& [name, weight] : trainer.weights())
                outcome.weights[static_cast<std::size_t>(mesh.rank())][name] = weight.clone();
        });
        return outcome;
    }
    static void expect_equal(const Weights& a, const Weights& b, const std::string& what) {
        ASSERT_EQ(a.size(), b.size());
        for (const auto& [name, weight] : a)
            EXPECT_TRUE(weight.equal(b.at(name))) << what << ": " << name;
    }
};

TEST_F(OneBitRecipe, TheWarmUpIsAdamWToTheBit) {
    for (const Precision precision : {Precision::no, Precision::bf16})
        for (const int ranks : {1, 2}) {
            config::Recipe adamw = recipe("adamw");
            adamw.training.mixed_precision = precision;
            adamw.training.max_grad_norm = 0.5;
            const Outcome expected = train(adamw, ranks, 6);
            for (const char* name : {"onebit_adam", "zero_one_adam"}) {
                config::Recipe one = adamw;
                one.optimizer.name = name;
                const Outcome got = train(one, ranks, 6);
                EXPECT_EQ(got.losses, expected.losses) << name;
                expect_equal(got.weights[0], expected.weights[0], name);
            }
        }
}

TEST_F(OneBitRecipe, RanksSendSignsAfterTheWarmUpAndLearn) {
    for (const auto& [name, arguments] :
         {std::pair("onebit_adam", "{freeze_step: 10}"),
          {"zero_one_adam",
           "{var_freeze_step: 10, var_update_scaler: 4, local_step_scaler: 8, local_step_clipper: 2}"}}) {
        SCOPED_TRACE(name);
        config::Recipe how = recipe(name, arguments);
        how.training.max_grad_norm = 1;
        const Outcome got = train(how, 2, 40), adamw = train(recipe("adamw"), 2, 40);
        EXPECT_LT(got.losses.back(), 0.8 * got.losses.front());
        EXPECT_NEAR(got.losses.back(), adamw.losses.back(), 0.5);
        // Steps of the end: signs there and back instead of sums of fp32 gradients.
        EXPECT_LT(got.reduced.back(), 1000U);
        EXPECT_GT(got.reduced.front(), 20000U);
        std::uint64_t most = 0;
        for (std::size_t step = 20; step < 40; ++step)
            most = std::max(most, got.exchanged[step]);
        EXPECT_GT(most, 0U);
        EXPECT_LT(most, got.reduced.front() / 16);
        EXPECT_EQ(std::ranges::count(got.exchanged, 0U) > 15, std::string(name) == "zero_one_adam")
            << "local steps send nothing";
    }
}

TEST_F(OneBitRecipe, ContinuesFromACheckpointToTheBit) {
    for (const auto& [name, arguments] :
         {std::pair("onebit_adam", "{freeze_step: 3}"),
          {"zero_one_adam", "{var_freeze_step: 2, var_update_scaler: 1, local_step_scaler: 1, local_step_clipper: 4}"}})
        for (const Precision precision : {Precision::no, Precision::fp16}) {
            SCOPED_TRACE(std::string(name));
            config::Recipe how = recipe(name, arguments);
            how.training.mixed_precision = precision;
            const Outcome whole = train(how, 2, 11, name);
            config::Recipe again = how;
            again.checkpoint.resume_from = (folder_.path() / name / "checkpoint_5").string();
            const Outcome rest = train(again, 2, 11);
            EXPECT_EQ(std::vector(whole.losses.begin() + 5, whole.losses.end()), rest.losses);
            for (std::size_t rank = 0; rank < 2; ++rank)
                expect_equal(rest.weights[rank], whole.weights[rank], std::to_string(rank));
            EXPECT_TRUE(std::filesystem::exists(folder_.path() / name / "checkpoint_5" / "error_feedback_0_1.bin"));

            const Outcome others = train(again, 4, 7);
            EXPECT_THAT(others.start, test::says("the errors that ranks feed back begin with zeros: those in the "
                                                 "checkpoint are of {} instead of {}",
                                                 "2 ranks", 4));
            std::filesystem::remove_all(folder_.path() / name);
        }
}

/// 0/1 Adam trains ranks for themselves between two exchanges: what is saved and evaluated is the same on all of them.
TEST_F(OneBitRecipe, WeightsAreTheSameWhereTheyAreUsed) {
    const config::Recipe how = recipe(
        "zero_one_adam", "{var_freeze_step: 2, var_update_scaler: 1, local_step_scaler: 1, local_step_clipper: 64}");
    const auto weights_of = [&](bool evaluates) {
        std::vector<Weights> weights(2);
        test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(2), std::move(world));
            Trainer trainer(how, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < 9)
                trainer.step();
            if (evaluates)
                trainer.evaluate();
            for (const auto& [name, weight] : trainer.weights())
                weights[static_cast<std::size_t>(mesh.rank())][name] = weight.clone();
        });
        return weights;
    };
    const std::vector<Weights> evaluated = weights_of(true), trained = weights_of(false);
    expect_equal(evaluated[0], evaluated[1], "evaluated");
    EXPECT_TRUE(
        std::ranges::any_of(trained[0], [&](const auto& one) { return !one.second.equal(trained[1].at(one.first)); }));
}

}  // namespace
}  // namespace trainyard::train
