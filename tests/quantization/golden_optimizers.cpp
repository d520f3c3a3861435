// SPDX-License-Identifier: GPL-3.0-or-later
// 8-bit optimizers as bitsandbytes computes them with exact search (golden/quantization/optimizers_8bit): every
// parameter after every step, the states at the end, and the layout of the dictionary.

#include <algorithm>
#include <fstream>
#include <map>

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include "golden_topic.h"
#include "optim/rule_optimizer.h"
#include "support/sha256.h"
#include "support/weights_file.h"

namespace trainyard::optim {
namespace {

using test::Json;
using Tensors = std::map<std::string, at::Tensor>;

std::filesystem::path folder() {
    return test::golden("quantization") / "optimizers_8bit";
}

Tensors read(const std::string& file) {
    Tensors tensors;
    for (auto& [name, tensor] : test::read_weights(folder() / file))
        tensors.emplace(name, tensor);
    return tensors;
}

Tree tree_of(const Json& value) {
    if (value.is_array()) {
        Tree list = Tree::list();
        for (const Json& item : value)
            list.append(tree_of(item));
        return list;
    }
    return value.is_null() ? Tree() : value.is_boolean() ? Tree(value.get<bool>()) : Tree(value.get<double>());
}

struct Training {
    std::vector<at::Tensor> parameters;
    std::unique_ptr<Optimizer> optimizer;

    Training(const Json& one, const Tensors& inputs) {
        const at::ScalarType type = one.value("dtype", "float32") == "bfloat16" ? at::kBFloat16 : at::kFloat;
        for (int i = 0; inputs.contains("start." + std::to_string(i)); ++i)
            parameters.push_back(inputs.at("start." + std::to_string(i)).to(type, false, true).requires_grad_());
        Tree options = Tree::dict();
        for (const auto& [name, value] : one.at("options").items())
            options.set(name, tree_of(value));
        optimizer = make_optimizer(one.at("optimizer").get<std::string>(), parameters, options);
    }

    void step(const Tensors& inputs, std::int64_t number) {
        for (std::size_t p = 0; p < parameters.size(); ++p)
            parameters[p].mutable_grad() =
                inputs.at("gradient." + std::to_string(p))[number].to(parameters[p].scalar_type(), false, true);
        optimizer->step();
    }
};

std::int64_t steps_of(const Tensors& inputs) {
    return inputs.at("gradient.0").size(0);
}

/// Codes on a tie may be one off, which moves an element of later steps: 1 % of them.
void expect_mostly(const at::Tensor& distance, double usual, double rare, const std::string& what) {
    const double far = distance.gt(usual).sum().item<double>();
    EXPECT_LE(far, std::max(1.0, 0.01 * static_cast<double>(distance.numel()))) << what;
    EXPECT_LE(distance.max().item<double>(), rare) << what;
}

void expect_parameters(const Training& training, const Tensors& inputs, const Tensors& expected, std::int64_t number,
                       double rate) {
    for (std::size_t p = 0; p < training.parameters.size(); ++p) {
        const std::string at = std::to_string(p);
        const at::Tensor path = expected.at("nearest/parameter." + at);
        const at::Tensor theirs = path[number].to(at::kFloat);
        const at::Tensor before = number == 0 ? inputs.at("start." + at) : path[number - 1].to(at::kFloat);
        const double step = (theirs - before).abs().max().item<double>();
        // The places of a bfloat16 are wider than the bound.
        const double place = path.scalar_type() == at::kBFloat16 ? theirs.abs().max().item<double>() / 128 : 0;
        const at::Tensor ours = training.parameters[p].detach().to(at::kFloat);
        expect_mostly((ours - theirs).abs(), 1e-5 * step + 1e-7 * theirs.abs().max().item<double>(),
                      std::max(rate / 10, place), "parameter " + at + " after step " + std::to_string(number + 1));
    }
}

void expect_states(const Training& training, const Tensors& expected) {
    const Tree saved = training.optimizer->state_dict();
    for (const auto& [name, tensor] : expected) {
        if (!name.starts_with("nearest/state."))
            continue;
        const std::size_t dot = name.find('.', 14);
        const Tree& own = saved.at("state").at(TreeKey(std::stoll(name.substr(14, dot - 14))));
        const at::Tensor ours = own.at("__bnb_optimizer_quant_state__").at(name.substr(dot + 1)).as_tensor();
        ASSERT_EQ(ours.sizes(), tensor.sizes()) << name;
        ASSERT_EQ(ours.scalar_type(), tensor.scalar_type()) << name;
        const at::Tensor distance = (ours.to(at::kFloat) - tensor.to(at::kFloat)).abs();
        const bool codes = tensor.scalar_type() == at::kByte;
        const double bound = codes ? 0 : 1e-5 * tensor.abs().max().item<double>();
        expect_mostly(distance, bound, codes ? 1 : bound, name);
    }
}

/// Keys, shapes and dtypes; bytes of what does not depend on the updates.
void expect_layout(const Tree& saved, const Json& one) {
    for (const auto& [number, expected] : one.at("state_dict_layout").items()) {
        const Tree& own = saved.at("state").at(TreeKey(static_cast<std::int64_t>(std::stoll(number))));
        EXPECT_EQ(own.at("step").as_integer(), expected.at("step").get<std::int64_t>());
        const Tree& states = own.at("__bnb_optimizer_quant_state__");
        const Json& described = expected.at("__bnb_optimizer_quant_state__");
        EXPECT_EQ(states.entries().size(), described.size());
        for (const auto& [name, tensor] : described.items()) {
            const at::Tensor ours = states.at(name).as_tensor();
            EXPECT_EQ(ours.sizes().vec(), tensor.at("shape").get<std::vector<std::int64_t>>()) << name;
            EXPECT_EQ(ours.scalar_type() == at::kByte, tensor.at("dtype") == "uint8") << name;
            if (name.starts_with("qmap")) {
                const auto* bytes = static_cast<const std::byte*>(ours.const_data_ptr());
                EXPECT_EQ(test::sha256({bytes, ours.nbytes()}), tensor.at("sha256")) << name;
            }
        }
    }
    for (const auto& [key, value] : one.at("param_groups").at(0).items())
        if (key != "params") {
            const Tree* ours = saved.at("param_groups").items().at(0).find(key);
            ASSERT_NE(ours, nullptr) << key;
            EXPECT_TRUE(*ours == (value.is_array() ? Tree::tuple(tree_of(value).items()) : tree_of(value)))
                << key << " " << ours->structure();
        }
}

std::vector<Json> cases() {
    std::ifstream file(folder() / "cases.json");
    return Json::parse(file).get<std::vector<Json>>();
}

TEST(GoldenQuantization, Optimizers) {
    const Tensors inputs = read("inputs.safetensors");
    ASSERT_FALSE(cases().empty());
    for (const Json& one : cases()) {
        const std::string name = one.at("name");
        SCOPED_TRACE(name);
        const Tensors expected = read(name + ".safetensors");
        Training training(one, inputs);
        for (std::int64_t number = 0; number < steps_of(inputs); ++number) {
            training.step(inputs, number);
            expect_parameters(training, inputs, expected, number, one.at("options").value("lr", 1e-3));
        }
        expect_states(training, expected);
        expect_layout(training.optimizer->state_dict(), one);
    }
}

/// The state of bitsandbytes' layout, without the entries that are ours alone.
Tree without_own_entries(const Tree& saved) {
    Tree groups = Tree::list();
    for (const Tree& group : saved.at("param_groups").items()) {
        Tree kept = Tree::dict();
        for (const Tree::Entry& entry : group.entries())
            if (const std::string key = to_string(entry.key);
                key == "lr" || key == "betas" || key == "eps" || key == "weight_decay" || key == "params")
                kept.set(entry.key, entry.value);
        groups.append(std::move(kept));
    }
    return Tree::dict({{"state", saved.at("state")}, {"param_groups", std::move(groups)}});
}

TEST(GoldenQuantization, AnOptimizerContinuesFromBitsandbytesState) {
    const Tensors inputs = read("inputs.safetensors");
    for (const Json& one : cases()) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        Training straight(one, inputs), first(one, inputs);
        const std::int64_t steps = steps_of(inputs), half = steps / 2;
        for (std::int64_t number = 0; number < steps; ++number)
            straight.step(inputs, number);
        for (std::int64_t number = 0; number < half; ++number)
            first.step(inputs, number);
        Json other = one;  // what the file says counts: rate, betas, decay
        other["options"] = Json{{"min_8bit_size", one.at("options").value("min_8bit_size", 4096)}};
        if (one.at("optimizer") == "AdEMAMix8bit")
            other = one;
        Training second(other, inputs);
        {
            at::NoGradGuard no_grad;
            for (std::size_t p = 0; p < second.parameters.size(); ++p)
                second.parameters[p].copy_(first.parameters[p]);
        }
        second.optimizer->load_state_dict(
            without_own_entries(first.optimizer->state_dict()).map_tensors([](const at::Tensor& tensor) {
                return tensor.clone();
            }));
        for (std::int64_t number = half; number < steps; ++number)
            second.step(inputs, number);
        for (std::size_t p = 0; p < second.parameters.size(); ++p)
            EXPECT_TRUE(second.parameters[p].equal(straight.parameters[p])) << p;
    }
}

TEST(GoldenQuantization, AnotherTableOfValuesIsRefused) {
    const Tensors inputs = read("inputs.safetensors");
    const Json one{{"optimizer", "Lion8bit"}, {"options", {{"min_8bit_size", 0}}}};
    Training training(one, inputs);
    training.step(inputs, 0);
    const Tree changed = training.optimizer->state_dict().map_tensors([](const at::Tensor& tensor) {
        return tensor.scalar_type() == at::kFloat && tensor.numel() == 256 ? tensor * 0.5 : tensor.clone();
    });
    EXPECT_THROW(training.optimizer->load_state_dict(changed), UserError);
}

/// The schedules of AdEMAMix end in its constants.
TEST(GoldenQuantization, AdEMAMixGrowsToItsConstants) {
    const Tensors inputs = read("inputs.safetensors");
    const Json plain{{"optimizer", "AdEMAMix8bit"}, {"options", {{"lr", 0.01}}}};
    Json at_once = plain, slowly = plain;
    at_once["options"]["t_alpha"] = at_once["options"]["t_beta3"] = 1;
    slowly["options"]["t_alpha"] = slowly["options"]["t_beta3"] = 100;
    Training constant(plain, inputs), immediate(at_once, inputs), slow(slowly, inputs);
    for (Training* training : {&constant, &immediate, &slow})
        training->step(inputs, 0);
    EXPECT_TRUE(immediate.parameters[0].allclose(constant.parameters[0], 1e-6, 1e-7));
    EXPECT_FALSE(slow.parameters[0].allclose(constant.parameters[0], 1e-6, 1e-7));
}

}  // namespace
}  // namespace trainyard::optim
