// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the recipe optimizer on flat slices. AdamW is compared with its formula in double precision for all dtypes
// of the CPU, every other optimizer with optim::RuleOptimizer, and updates of slices with those of the whole. Resuming
// from a checkpoint must be bitwise exact.

#include "train/flat_optimizer.h"

#include <array>
#include <cmath>
#include <fstream>

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/recipe/optimizer_conflicts.h"
#include "optim/rule_optimizer.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

using parallel::FlatArena;
using parallel::Initialiser;
using parallel::Parameter;

constexpr Initialiser kNormalStart{Initialiser::Kind::normal, 0.5};

/// Returns a parsed recipe, which has the defaults of the optimizer.
config::OptimizerRecipe recipe_of(const std::string& name) {
    config::OptimizerRecipe recipe;
    recipe.name = name;
    config::follow_optimizer(recipe, "adamw", {});
    return recipe;
}

bool can_be_divided(const std::string& name) {
    return config::conflict(config::traits_of(*config::find_optimizer(name)), config::TrainingFeature::zero).empty();
}

class Updates : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(Updates, FollowTheFormulaAndKeepTheCopyCurrent) {
    // More elements than one thread processes at once, and not a multiple of the register width.
    Parameter weight("w", {211, 173}, kNormalStart), bias("b", {173}, kNormalStart);
    FlatArena arena({{"g", {&weight, &bias}}}, GetParam(), at::kCPU, false);
    arena.initialise(11);
    config::OptimizerRecipe recipe;
    recipe.weight_decay = 0.1;
    recipe.beta1 = 0.9;
    recipe.beta2 = 0.95;
    recipe.eps = 1e-8;
    FlatOptimizer optimizer(arena, recipe);
    optimizer.set_step(3);  // as after a resume
    struct Expected {
        Parameter* parameter;
        double decay;
        at::Tensor value, first, second;
    };
    std::vector<Expected> all;
    for (auto [parameter, decay] : {std::pair{&weight, 0.1}, std::pair{&bias, 0.0}}) {
        at::Tensor value = parameter->value().to(at::kDouble);
        all.push_back({parameter, decay, value, value.mul(0), value.mul(0)});
    }
    for (int step = 4; step <= 9; ++step) {
        double rate = 0.01 / step, divisor = step % 2 == 0 ? 1.0 : 2.5;
        for (Expected& one : all) {
            at::Tensor g = at::randn(one.value.sizes());
            one.parameter->gradient().copy_(g);
            g = g.to(at::kDouble).div(divisor);
            one.first = one.first.mul(0.9).add(g, 0.1);
            one.second = one.second.mul(0.95).addcmul(g, g, 0.05);
            at::Tensor root = one.second.div(1 - std::pow(0.95, step)).sqrt().add(1e-8);
            one.value = one.value.mul(1 - rate * one.decay).sub(one.first.div(1 - std::pow(0.9, step)).div(root), rate);
        }
        optimizer.set_lr(0, rate);
        optimizer.set_gradient_divisor(divisor);
        optimizer.step();
    }
    auto distance = [](const at::Tensor& a, const at::Tensor& b) {
        return a.reshape({-1}).to(at::kDouble).sub(b.reshape({-1})).norm().item<double>() / b.norm().item<double>();
    };
    for (const Expected& one : all) {
        EXPECT_LT(distance(one.parameter->value(), one.value), 1e-6) << one.parameter->name();
        EXPECT_TRUE(at::equal(one.parameter->compute(), one.parameter->value().to(GetParam())));
    }
    for (const FlatOptimizer::State& state : optimizer.states()) {
        const Expected& one = *std::ranges::find(all, state.parameter, &Expected::parameter);
        EXPECT_LT(distance(state.own, state.name == "exp_avg" ? one.first : one.second), 1e-6) << state.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Types, Updates, ::testing::Values(at::kFloat, at::kBFloat16, at::kHalf));

class EveryOptimizer : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryOptimizer, UpdatesAsForAnyModule) {
    Parameter weight("w", {150, 130}, kNormalStart), bias("b", {173}, kNormalStart);
    FlatArena arena({{"g", {&weight, &bias}}}, at::kFloat, at::kCPU, false);
    arena.initialise(5);
    config::OptimizerRecipe recipe = recipe_of(GetParam());
    recipe.lr = 0.02;
    FlatOptimizer optimizer(arena, recipe);
    const config::OptimizerPlan plan = config::make_optimizer_plan(recipe);
    std::vector<at::Tensor> copies;
    std::vector<optim::RuleOptimizer::Group> groups;
    for (const Parameter* parameter : {&weight, &bias}) {
        copies.push_back(parameter->value().clone());
        const std::size_t group = plan.group_of(parameter->name(), parameter->shape());
        groups.push_back({plan.settings_of(group, parameter->shape()), {copies.back()}});
    }
    optim::RuleOptimizer other(std::move(groups));
    // A power of two divides exactly. With any other divisor a gradient may differ in its last bit, and then signs,
    // orthogonal matrices and quantised moments may differ by much more.
    constexpr int kDivisor = 4;
    for (int step = 0; step < 5; ++step) {
        for (std::size_t i = 0; Parameter * parameter : {&weight, &bias}) {
            const at::Tensor gradient = at::randn(parameter->shape());
            parameter->gradient().copy_(gradient.mul(kDivisor));
            copies[i++].mutable_grad() = gradient;
        }
        optimizer.set_gradient_divisor(kDivisor);
        optimizer.step();
        other.step();
    }
    for (std::size_t i = 0; const Parameter* parameter : {&weight, &bias}) {
        const double least = parameter->value().sub(copies[i]).abs().max().item<double>();
        EXPECT_LT(least, 2e-5) << parameter->name();
        ++i;
    }
}

TEST_P(EveryOptimizer, SlicesOfRanksUpdateAsTheWhole) {
    const bool element_wise = can_be_divided(GetParam());
    std::vector<std::array<at::Tensor, 2>> gradients;  // of each step, of the weight and the bias
    for (int step = 0; step < 3; ++step)
        gradients.push_back({at::randn({90, 70}), at::randn({70})});
    const auto make_step = [&](optim::Optimizer& optimizer, const std::array<Parameter*, 2>& parameters, int step) {
        for (std::size_t i = 0; i < 2; ++i)
            parameters[i]->gradient().copy_(gradients[static_cast<std::size_t>(step)][i]);
        optimizer.step();
    };
    Parameter whole_weight("w", {90, 70}, kNormalStart), whole_bias("b", {70}, kNormalStart);
    FlatArena whole({{"g", {&whole_weight, &whole_bias}}}, at::kFloat, at::kCPU, false);
    whole.initialise(5);
    const at::Tensor start = whole_weight.value().clone();
    FlatOptimizer optimizer(whole, recipe_of(GetParam()));
    for (int step = 0; step < 3; ++step)
        make_step(optimizer, {&whole_weight, &whole_bias}, step);
    ASSERT_FALSE(at::equal(whole_weight.value(), start));
    std::int64_t compared = 0;
    for (int rank = 0; rank < 2; ++rank) {
        Parameter weight("w", {90, 70}, kNormalStart), bias("b", {70}, kNormalStart);
        parallel::ArenaOptions options;
        options.sharding = parallel::sharding_of_stage(1);
        options.rank = rank;
        options.ranks = 2;
        FlatArena arena({{"g", {&weight, &bias}}}, at::kFloat, at::kCPU, false, options);
        arena.initialise(5);
        if (!element_wise) {
            EXPECT_THROW(FlatOptimizer(arena, recipe_of(GetParam())), UserError);
            continue;
        }
        FlatOptimizer own(arena, recipe_of(GetParam()));
        for (int step = 0; step < 3; ++step)
            make_step(own, {&weight, &bias}, step);
        for (const auto& [ours, theirs] : {std::pair(&weight, &whole_weight), std::pair(&bias, &whole_bias)}) {
            const parallel::Range part = arena.owned_of(*ours);
            const auto slice = [&](const Parameter& one) {
                return one.value().view(-1).narrow(0, part.begin, part.size());
            };
            compared += part.size();
            if (part.size() > 0) {
                EXPECT_LT(slice(*ours).sub(slice(*theirs)).abs().max().item<double>(), 1e-6)
                    << ours->name() << " of rank " << rank;
            }
        }
    }
    EXPECT_EQ(compared, element_wise ? 90 * 70 + 70 : 0) << "each element belongs to one rank";
}

TEST_P(EveryOptimizer, StateFitsAnyModuleAndSlicesOfRanks) {
    Parameter weight("w", {90, 70}, kNormalStart), bias("b", {70}, kNormalStart);
    FlatArena arena({{"g", {&weight, &bias}}}, at::kFloat, at::kCPU, false);
    arena.initialise(5);
    FlatOptimizer optimizer(arena, recipe_of(GetParam()));
    for (int step = 0; step < 3; ++step) {
        for (const Parameter* parameter : {&weight, &bias})
            parameter->gradient().copy_(at::randn(parameter->shape()));
        optimizer.step();
    }
    const Tree saved = optimizer.state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });

    std::vector<optim::RuleOptimizer::Group> groups;
    for (const optim::StateGroup& group : optimizer.state_groups()) {
        groups.push_back({group.settings, {}});
        for (const optim::ParameterState& parameter : group.parameters)
            groups.back().parameters.push_back((parameter.name == "w" ? weight : bias).value().clone());
    }
    optim::RuleOptimizer other(std::move(groups));
    other.load_state_dict(saved);
    Tree nameless = saved;
    for (Tree& group : nameless.find("param_groups")->items())
        std::erase_if(group.entries(), [](const Tree::Entry& entry) { return entry.key == TreeKey("param_names"); });
    EXPECT_TRUE(other.state_dict() == nameless);
    FlatOptimizer again(arena, recipe_of(GetParam()));
    again.load_state_dict(other.state_dict());
    EXPECT_TRUE(again.state_dict() == saved);

    if (!can_be_divided(GetParam()))
        return;
    std::int64_t compared = 0;
    for (int rank = 0; rank < 2; ++rank) {
        Parameter own_weight("w", {90, 70}, kNormalStart), own_bias("b", {70}, kNormalStart);
        parallel::ArenaOptions options;
        options.sharding = parallel::sharding_of_stage(1);
        options.rank = rank;
        options.ranks = 2;
        FlatArena own_arena({{"g", {&own_weight, &own_bias}}}, at::kFloat, at::kCPU, false, options);
        own_arena.initialise(5);
        FlatOptimizer own(own_arena, recipe_of(GetParam()));
        own.load_state_dict(saved);
        const std::vector<FlatOptimizer::State> whole = optimizer.states(), parts = own.states();
        ASSERT_EQ(parts.size(), whole.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const parallel::Range range = own_arena.owned_of(*parts[i].parameter);
            EXPECT_TRUE(parts[i].own.equal(whole[i].own.narrow(0, range.begin, range.size()))) << parts[i].name;
            compared += range.size();
        }
    }
    EXPECT_EQ(compared, static_cast<std::int64_t>(optimizer.states().size() / 2) * (90 * 70 + 70));
}

/// torch's optimizers count in place: one count for several parameters would be increased several times in a step.
TEST(FlatOptimizers, EveryParameterHasACountOfItsOwn) {
    Parameter weight("w", {4, 3}, kNormalStart), other("v", {4, 3}, kNormalStart);
    FlatArena arena({{"g", {&weight, &other}}}, at::kFloat, at::kCPU, false);
    arena.initialise(5);
    FlatOptimizer optimizer(arena, recipe_of("adamw"));
    optimizer.set_step(7);
    const Tree saved = optimizer.state_dict();
    ASSERT_EQ(saved.at("param_groups").items().size(), 1U);
    const at::Tensor first = saved.at("state").at(0).at("step").as_tensor();
    const at::Tensor second = saved.at("state").at(1).at("step").as_tensor();
    EXPECT_EQ(first.item<double>(), 7);
    EXPECT_EQ(second.item<double>(), 7);
    EXPECT_FALSE(first.is_alias_of(second));
}

TEST_P(EveryOptimizer, GoesOnFromACheckpointBitByBit) {
    test::TemporaryFolder folder;
    std::ofstream(folder.path() / "text.txt") << std::string(3000, 'a') + "some other text that ends here. ";
    config::Recipe recipe;
    recipe.data.paths = {(folder.path() / "text.txt").string()};
    recipe.data.sequence_length = recipe.model.n_positions = 16;
    recipe.model.n_embd = 16;
    recipe.model.n_layer = 1;
    recipe.model.n_head = 2;
    recipe.training.steps = 6;
    recipe.training.batch_size = 2;
    recipe.training.evaluate_batches = 1;
    recipe.optimizer = recipe_of(GetParam());
    recipe.optimizer.groups = "{'*.ln_f.weight': {lr: 0.01}}";
    if (config::find_optimizer(GetParam())->find("min_8bit_size") != nullptr)
        recipe.optimizer.arguments = "{min_8bit_size: 64}";
    const auto train = [&](const config::Recipe& how, std::int64_t steps, bool save) {
        std::map<std::string, at::Tensor> weights;
        test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(1), std::move(world));
            Trainer trainer(how, mesh, at::kCPU);
            trainer.start();
            while (trainer.position().step < steps)
                trainer.step();
            for (const auto& [name, weight] : trainer.weights())
                weights[name] = weight.clone();
            const std::optional<Evaluation> evaluation = trainer.evaluate();
            EXPECT_EQ(evaluation->average_loss.has_value(), config::find_optimizer(GetParam())->averages);
            for (const auto& [name, weight] : trainer.weights())
                EXPECT_TRUE(weights[name].equal(weight)) << "an evaluation leaves the weights alone";
            if (save)
                trainer.save(folder.path() / "checkpoints");
        });
        return weights;
    };
    const auto straight = train(recipe, 6, false);
    train(recipe, 3, true);
    config::Recipe second = recipe;
    second.checkpoint.resume_from = (folder.path() / "checkpoints" / "checkpoint_3").string();
    const auto resumed = train(second, 6, false);
    for (const auto& [name, weight] : straight)
        EXPECT_TRUE(weight.equal(resumed.at(name))) << name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOptimizer, ::testing::ValuesIn(config::optimizer_names()),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace trainyard::train
