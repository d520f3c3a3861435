// SPDX-License-Identifier: GPL-3.0-or-later
// Compares our optimizers with those of torch and of their authors' packages (golden/optimizers and optimizers_more):
// every parameter after every step, and the state at the end. An unknown optimizer in the golden cases is a failure.

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "optim/rule_optimizer.h"
#include "support/golden.h"
#include "support/says.h"
#include "support/weights_file.h"

namespace trainyard::optim {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Tensors = std::map<std::string, at::Tensor>;

struct Case {
    fs::path folder;
    json values;
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const fs::path& folder : {test::golden("optimizers"), test::own_golden("optimizers_more")}) {
        std::ifstream file(folder / "cases.json");
        for (json& one : json::parse(file).get<std::vector<json>>())
            all.push_back({folder, std::move(one)});
    }
    return all;
}

Tensors read(const fs::path& file) {
    Tensors tensors;
    for (auto& [name, tensor] : test::read_weights(file))
        tensors.emplace(name, tensor);
    return tensors;
}

Tree tree_of(const json& value) {
    if (value.is_boolean())
        return value.get<bool>();
    if (value.is_number())
        return value.get<double>();
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_null())
        return {};
    Tree list = Tree::list();
    for (const json& item : value)
        list.append(tree_of(item));
    return list;
}

Tree options_of(const json& options) {
    Tree tree = Tree::dict();
    for (const auto& [name, value] : options.items())
        if (name != "foreach")
            tree.set(name, tree_of(value));
    return tree;
}

at::ScalarType type_of(const json& one) {
    const std::string name = one.value("dtype", "float32");
    return name == "float64"    ? at::kDouble
           : name == "bfloat16" ? at::kBFloat16
           : name == "float16"  ? at::kHalf
                                : at::kFloat;
}

struct Training {
    std::vector<std::string> numbers;
    std::vector<at::Tensor> parameters;
    std::unique_ptr<Optimizer> optimizer;
};

Training make(const json& one, const Tensors& inputs) {
    Training made;
    NamedTensors named;
    Tree options = options_of(one.at("options"));
    const std::size_t count = one.contains("groups") ? one.at("groups").size() : 0;
    Tree groups = Tree::dict();
    for (std::size_t g = 0; g < count; ++g)
        groups.set("group" + std::to_string(g) + ".*", options_of(one.at("groups")[g]));
    if (count > 0)
        options.set("groups", std::move(groups));
    std::size_t next = 0;
    for (int i = 0; inputs.contains("start." + std::to_string(i)); ++i) {
        const at::Tensor& start = inputs.at("start." + std::to_string(i));
        if (one.at("optimizer") == "Muon" && start.dim() != 2)
            continue;
        made.numbers.push_back(std::to_string(i));
        made.parameters.push_back(start.to(type_of(one), false, true).requires_grad_());
        const std::string group = count > 0 ? "group" + std::to_string(next++ % count) + "." : "";
        named.emplace_back(group + made.numbers.back(), made.parameters.back());
    }
    made.optimizer = make_optimizer(one.at("optimizer").get<std::string>(), named, options);
    return made;
}

void step(Training& training, const json& one, const Tensors& inputs, std::size_t number) {
    const json& rates = one.at("learning_rates").at(number);
    for (std::size_t g = 0; g < rates.size(); ++g)
        training.optimizer->set_lr(g, rates[g].get<double>());
    for (std::size_t p = 0; p < training.parameters.size(); ++p)
        training.parameters[p].mutable_grad() =
            inputs.at("gradient." + training.numbers[p])[static_cast<std::int64_t>(number)].to(type_of(one), false,
                                                                                               true);
    training.optimizer->step();
}

/// The tolerance is the rounding of fp32, or the distance of torch's own fp32 run from its fp64 run if that is larger.
void expect_close(const at::Tensor& ours, const at::Tensor& expected, const json& one, const std::string& what) {
    ASSERT_EQ(ours.sizes(), expected.sizes()) << what;
    if (expected.numel() == 0)
        return;
    const at::Tensor a = ours.to(at::kDouble), b = expected.to(at::kDouble);
    // Squares of gradients overflow in fp16, in torch as well: equal infinities are equal, and others differ.
    const double scale = b.abs().masked_fill(b.isfinite().logical_not(), 0).max().item<double>();
    const at::Tensor distance = (a - b).abs().masked_fill(a.eq(b), 0);
    const at::ScalarType type = type_of(one);
    const double of_type = type == at::kBFloat16 ? 1.0 / 256
                           : type == at::kHalf   ? 1.0 / 2048
                           : type == at::kDouble ? 1e-10
                                                 : 2e-6;
    // Muon orthogonalises in bfloat16 on every machine, whose products round as the machine does.
    const double own = one.at("optimizer") == "Muon" ? one.at("distance_to_fp64").get<double>() : 0;
    EXPECT_LE(distance.max().item<double>(), std::max(of_type * std::max(scale, 1e-30), own)) << what;
}

void expect_state(const Training& training, const Tensors& expected, const json& one) {
    const Tree state = training.optimizer->state_dict();
    std::map<std::string, std::int64_t> places;  // number of the case -> number in the dictionary
    std::int64_t place = 0;
    for (const at::Tensor& parameter : training.optimizer->parameters()) {
        for (std::size_t p = 0; p < training.parameters.size(); ++p)
            if (training.parameters[p].is_same(parameter))
                places[training.numbers[p]] = place;
        ++place;
    }
    for (const auto& [name, tensor] : expected) {
        if (!name.starts_with("state."))
            continue;
        const std::size_t dot = name.find('.', 6);
        const Tree& own = state.at("state").at(TreeKey(places.at(name.substr(6, dot - 6))));
        const Tree* value = own.find(name.substr(dot + 1));
        ASSERT_NE(value, nullptr) << name;
        expect_close(value->as_tensor(), tensor, one, name);
    }
}

TEST(GoldenOptimizers, StepsAndStates) {
    std::size_t seen = 0;
    for (const auto& [folder, one] : cases()) {
        if (one.contains("function"))
            continue;
        SCOPED_TRACE(folder.filename().string() + "/" + one.at("name").get<std::string>());
        const Tensors inputs = read(folder / "inputs.safetensors");
        const Tensors expected = read(folder / (one.at("name").get<std::string>() + ".safetensors"));
        Training training = make(one, inputs);
        for (std::size_t number = 0; number < one.at("learning_rates").size(); ++number) {
            step(training, one, inputs, number);
            for (std::size_t p = 0; p < training.parameters.size(); ++p)
                expect_close(training.parameters[p],
                             expected.at("parameter." + training.numbers[p])[static_cast<std::int64_t>(number)], one,
                             "parameter " + training.numbers[p] + " behind step " + std::to_string(number + 1));
        }
        expect_state(training, expected, one);
        if (expected.contains("average." + training.numbers.front())) {
            auto& optimizer = dynamic_cast<RuleOptimizer&>(*training.optimizer);
            optimizer.eval();
            for (std::size_t p = 0; p < training.parameters.size(); ++p)
                expect_close(training.parameters[p], expected.at("average." + training.numbers[p]), one, "average");
        }
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

TEST(GoldenOptimizers, AStateThatIsLoadedGoesOnBitByBit) {
    std::set<std::string> kinds;
    for (const auto& [folder, one] : cases()) {
        if (one.contains("function"))
            continue;
        SCOPED_TRACE(one.at("name").get<std::string>());
        const Tensors inputs = read(folder / "inputs.safetensors");
        Training straight = make(one, inputs), first = make(one, inputs);
        const std::size_t steps = one.at("learning_rates").size(), half = steps / 2;
        for (std::size_t number = 0; number < steps; ++number)
            step(straight, one, inputs, number);
        for (std::size_t number = 0; number < half; ++number)
            step(first, one, inputs, number);
        Training second = make(one, inputs);
        {
            at::NoGradGuard no_grad;
            for (std::size_t p = 0; p < second.parameters.size(); ++p)
                second.parameters[p].copy_(first.parameters[p]);
        }
        second.optimizer->load_state_dict(
            first.optimizer->state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.clone(); }));
        for (std::size_t number = half; number < steps; ++number)
            step(second, one, inputs, number);
        for (std::size_t p = 0; p < second.parameters.size(); ++p)
            EXPECT_TRUE(second.parameters[p].equal(straight.parameters[p])) << second.numbers[p];
        kinds.insert(one.at("optimizer").get<std::string>());
    }
    EXPECT_FALSE(kinds.empty());
}

/// The sum of 100 (x[i + 1] - x[i]^2)^2 + (1 - x[i])^2.
at::Tensor rosenbrock(const at::Tensor& x) {
    const at::Tensor head = x.narrow(0, 0, x.size(0) - 1), tail = x.narrow(0, 1, x.size(0) - 1);
    return (100 * (tail - head.square()).square() + (1 - head).square()).sum();
}

TEST(GoldenOptimizers, FunctionsWithAClosure) {
    std::size_t seen = 0;
    for (const auto& [folder, one] : cases()) {
        if (!one.contains("function"))
            continue;
        SCOPED_TRACE(one.at("name").get<std::string>());
        ASSERT_EQ(one.at("function"), "rosenbrock");
        const Tensors expected = read(folder / (one.at("name").get<std::string>() + ".safetensors"));
        const std::vector<double> start = one.at("start");
        const at::Tensor x = at::zeros({std::ssize(start)}, type_of(one));
        for (std::size_t i = 0; i < start.size(); ++i)
            x[static_cast<std::int64_t>(i)].fill_(start[i]);
        x.requires_grad_();
        const auto optimizer =
            make_optimizer(one.at("optimizer").get<std::string>(), std::vector{x}, options_of(one.at("options")));
        std::int64_t calls = 0;
        for (std::size_t number = 0; number < one.at("learning_rates").size(); ++number) {
            const double loss = optimizer->step([&] {
                ++calls;
                optimizer->zero_grad();
                at::AutoGradMode grad(true);
                const at::Tensor value = rosenbrock(x);
                value.backward();
                return value.item<double>();
            });
            const auto at = static_cast<std::int64_t>(number);
            const double before = expected.at("loss_before_step")[at].item<double>();
            EXPECT_NEAR(loss, before, 1e-9 * std::max(1.0, std::abs(before))) << number;
            EXPECT_LE((x.detach() - expected.at("parameter.0")[at]).abs().max().item<double>(), 1e-8) << number;
            EXPECT_EQ(calls, expected.at("evaluations")[at].item<std::int64_t>()) << number;
        }
        ++seen;
    }
    EXPECT_GT(seen, 0u);
}

/// torchao's bf16_stochastic_round: weights in bfloat16 without a master copy move on average by the whole update, of
/// which rounding to nearest leaves nothing. Whole runs, and the same after a load.
TEST(StochasticRounding, SmallUpdatesOfBfloat16WeightsAddUp) {
    constexpr std::int64_t kCount = 40000;
    for (const char* name : {"SGD", "AdamW", "Lion", "AdamW8bit", "Adafactor"}) {
        SCOPED_TRACE(name);
        const auto run = [&](bool rounds, int steps) {
            const at::Tensor weight = at::ones({kCount / 100, 100}, at::kBFloat16).requires_grad_();
            Tree options = Tree::dict({{"lr", 1e-4}, {"bf16_stochastic_round", rounds}});
            if (config::find_optimizer(name)->find("weight_decay") != nullptr)
                options.set("weight_decay", 0.0);
            if (name == std::string("Adafactor"))
                options = Tree::dict({{"lr", 1e-4}, {"d", 1.0}, {"bf16_stochastic_round", rounds}});
            const std::unique_ptr<Optimizer> optimizer = make_optimizer(name, std::vector{weight}, options);
            for (int step = 0; step < steps; ++step) {
                weight.mutable_grad() = at::ones_like(weight.detach());
                optimizer->step();
            }
            return weight.detach().to(at::kDouble);
        };
        EXPECT_EQ(run(false, 10).sub(1).abs().max().item<double>(), 0) << "each update is a fortieth of the spacing";
        const at::Tensor moved = run(true, 10).sub(1);
        EXPECT_LT(moved.mean().item<double>(), -0.8e-3);
        EXPECT_GT(moved.mean().item<double>(), -1.2e-3);
        EXPECT_TRUE(at::equal(moved, run(true, 10).sub(1))) << "the random numbers follow from the update alone";
    }
    const at::Tensor wide = at::ones({3}).requires_grad_();
    EXPECT_THAT(
        [&] {
            make_optimizer("AdamW", std::vector{wide}, Tree::dict({{"bf16_stochastic_round", true}}));
        },
        testing::ThrowsMessage<UserError>(test::says(
            "{} of {} is for weights in bfloat16, and there is a parameter in {}: leave it out, or convert the "
            "model first (to(torch::kBFloat16))",
            "bf16_stochastic_round", "AdamW", "float32")));
}

TEST(StochasticRounding, SavedGroupsHaveTheArgumentWhereItIsSet) {
    for (const bool rounds : {false, true}) {
        const at::Tensor weight = at::ones({4}, at::kBFloat16).requires_grad_();
        const std::unique_ptr<Optimizer> optimizer =
            make_optimizer("AdamW", std::vector{weight}, Tree::dict({{"bf16_stochastic_round", rounds}}));
        const Tree* saved = optimizer->state_dict().at("param_groups").items()[0].find("bf16_stochastic_round");
        EXPECT_EQ(saved != nullptr, rounds) << "torch's classes have none";
    }
}

}  // namespace
}  // namespace trainyard::optim
