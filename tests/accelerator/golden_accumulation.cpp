// SPDX-License-Identifier: GPL-3.0-or-later
// golden/accumulation.json: every micro step under accumulate(), through the real Accelerator and real loaders.
//
// Where we differ. Rule: a group of gradients that a loader's end cuts short (fewer micro-batches than num_steps) is divided by its own number, so
// that the update is a mean; Accelerate divides by num_steps, which makes it too small. Which updates those are and what they must be is
// computed from the input alone (expected_of); ShortGroup::num_steps gives Accelerate's numbers.
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/ops/arange.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/accelerator.h>

#include "accelerator/plain_sgd.h"
#include "base/error.h"
#include "data/prepare_data_loader.h"
#include "support/golden.h"

namespace trainyard {
namespace {

using accelerator::AccumulationOptions;
using nlohmann::json;

/// A case's input with what it leaves out as generate/accumulation.py has it.
json whole_input(const json& given) {
    json input{{"num_steps", 1},
               {"loaders", {1}},
               {"epochs", 1},
               {"sync_with_dataloader", true},
               {"sync_each_batch", false},
               {"prepare_loaders", true},
               {"nesting", "side_by_side"}};
    input.update(given);
    return input;
}

struct Micro {
    std::vector<std::int64_t> at;
    bool sync = false;
    std::int64_t optimizer_steps = 0;
    double weight = 0;
    std::optional<double> grad;
    bool end = false;
};
struct Result {
    std::vector<Micro> micro_steps;
    std::int64_t final_step = 0;
};

/// In the golden file's form.
json json_of(const Result& result) {
    json steps = json::array();
    for (const Micro& micro : result.micro_steps)
        steps.push_back({{"at", micro.at},
                         {"sync", micro.sync},
                         {"optimizer_steps", micro.optimizer_steps},
                         {"weight", micro.weight},
                         {"grad", micro.grad ? json(*micro.grad) : json()},
                         {"end_of_dataloader", micro.end}});
    return {{"micro_steps", steps}, {"final_step_counter", result.final_step}};
}

std::shared_ptr<data::Loader> loader_of(Accelerator& accelerator, std::int64_t length, bool prepared) {
    data::LoaderSpec spec;
    spec.dataset =
        std::make_shared<data::TensorDataset>(Tree(at::arange(1.0, static_cast<double>(length) + 1.0).to(at::kFloat)));
    return prepared ? accelerator.prepare(std::move(spec))
                    : std::shared_ptr<data::Loader>(data::prepare_data_loader(std::move(spec)));
}

Result run(const json& input, AccumulationOptions::ShortGroup short_group) {
    AcceleratorOptions options;
    options.gradient_accumulation_steps = input.at("num_steps").get<std::int64_t>();
    options.accumulation.sync_with_dataloader = input.at("sync_with_dataloader").get<bool>();
    options.accumulation.sync_each_batch = input.at("sync_each_batch").get<bool>();
    options.accumulation.short_group = short_group;
    Accelerator accelerator(options, std::make_shared<parallel::ProcessState>());
    auto net = std::make_shared<test::Scale>();
    auto model = accelerator.prepare(net);
    std::int64_t steps = 0;
    auto optimizer = accelerator.prepare(std::unique_ptr<optim::Optimizer>(
        std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{net->weight}, 1.0, &steps)));
    std::vector<std::shared_ptr<data::Loader>> loaders;
    for (const json& length : input.at("loaders"))
        loaders.push_back(loader_of(accelerator, length.get<std::int64_t>(), input.at("prepare_loaders").get<bool>()));

    Result result;
    const auto step = [&](const Tree& batch, std::vector<std::int64_t> at) {
        {
            auto scope = accelerator.accumulate(model);
            accelerator.backward(model(batch.as_tensor()).sum());
            optimizer->step();
            optimizer->zero_grad();
        }
        Micro micro;
        micro.at = std::move(at);
        micro.sync = accelerator.sync_gradients();
        micro.optimizer_steps = steps;
        micro.weight = net->weight.item<double>();
        if (net->weight.grad().defined())
            micro.grad = net->weight.grad().item<double>();
        micro.end = accelerator.gradient_state().end_of_dataloader();
        result.micro_steps.push_back(std::move(micro));
    };
    const std::string nesting = input.at("nesting").get<std::string>();
    const std::int64_t inner_at = input.value("inner_at", std::int64_t{-1});
    const std::int64_t break_at = input.value("break_at", std::int64_t{-1});
    for (std::int64_t epoch = 0; epoch < input.at("epochs").get<std::int64_t>(); ++epoch) {
        std::int64_t i = 0;
        for (Tree& batch : *loaders[0]) {
            if (nesting != "side_by_side" && i == inner_at) {
                std::int64_t j = 0;
                for (Tree& inner : *loaders[1]) {
                    if (nesting == "train_inside")
                        step(inner, {epoch, 1, j});
                    ++j;
                }
            }
            step(batch, {epoch, 0, i});
            if (break_at == i)
                break;
            ++i;
        }
        if (nesting == "side_by_side")
            for (std::size_t l = 1; l < loaders.size(); ++l) {
                std::int64_t j = 0;
                for (Tree& batch : *loaders[l])
                    step(batch, {epoch, static_cast<std::int64_t>(l), j++});
            }
    }
    result.final_step = accelerator.step();
    return result;
}

/// What must come out, from the input alone. `short_groups`: does the rule above apply anywhere?
Result expected_of(const json& input, bool* short_groups) {
    const auto num_steps = input.at("num_steps").get<std::int64_t>();
    const std::string nesting = input.at("nesting").get<std::string>();
    const std::int64_t inner_at = input.value("inner_at", std::int64_t{-1});
    const std::int64_t break_at = input.value("break_at", std::int64_t{-1});
    const bool follows = input.at("sync_with_dataloader").get<bool>() && input.at("prepare_loaders").get<bool>();
    const auto length = [&](std::int64_t loader) {
        return input.at("loaders").at(static_cast<std::size_t>(loader)).get<std::int64_t>();
    };
    Result result;
    double weight = 0, sum = 0;
    std::int64_t step = 0, steps = 0, group = 0;
    *short_groups = false;
    const auto micro_step = [&](std::int64_t epoch, std::int64_t loader, std::int64_t i) {
        Micro micro;
        micro.at = {epoch, loader, i};
        const bool last = i + 1 == length(loader);
        micro.end = last && input.at("prepare_loaders").get<bool>();
        step = follows && last ? 0 : step + 1;
        micro.sync = (follows && last) || step % num_steps == 0;
        sum += static_cast<double>(i + 1);
        ++group;
        if (micro.sync) {
            *short_groups = *short_groups || group != num_steps;
            weight -= sum / static_cast<double>(group);
            sum = 0;
            group = 0;
            ++steps;
        } else {
            micro.grad = sum / static_cast<double>(num_steps);
        }
        micro.weight = weight;
        micro.optimizer_steps = steps;
        result.micro_steps.push_back(micro);
    };
    for (std::int64_t epoch = 0; epoch < input.at("epochs").get<std::int64_t>(); ++epoch) {
        for (std::int64_t i = 0; i < length(0); ++i) {
            if (nesting == "train_inside" && i == inner_at)
                for (std::int64_t j = 0; j < length(1); ++j)
                    micro_step(epoch, 1, j);
            micro_step(epoch, 0, i);
            if (break_at == i)
                break;
        }
        if (nesting == "side_by_side")
            for (std::int64_t l = 1; l < static_cast<std::int64_t>(input.at("loaders").size()); ++l)
                for (std::int64_t j = 0; j < length(l); ++j)
                    micro_step(epoch, l, j);
    }
    result.final_step = step;
    return result;
}

/// Every field that `wanted` has; what it lacks is not judged.
void compare(const json& ours, const json& wanted) {
    if (wanted.contains("final_step_counter")) {
        EXPECT_EQ(ours.at("final_step_counter"), wanted.at("final_step_counter"));
    }
    const json &steps = ours.at("micro_steps"), &wanted_steps = wanted.at("micro_steps");
    ASSERT_EQ(steps.size(), wanted_steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
        for (const auto& [field, value] : wanted_steps[i].items()) {
            SCOPED_TRACE("micro step " + std::to_string(i) + ", " + field);
            const json& own = steps[i].at(field);
            if (value.is_number_float() && own.is_number()) {
                EXPECT_NEAR(own.get<double>(), value.get<double>(),
                            1e-6 * std::max(1.0, std::abs(value.get<double>())));
            } else {
                EXPECT_EQ(own, value);
            }
        }
}

TEST(GoldenAccumulation, EveryCase) {
    std::ifstream file(test::golden("accumulation.json"));
    const json cases = json::parse(file).at("cases");
    ASSERT_FALSE(cases.empty());
    for (const json& each : cases) {
        SCOPED_TRACE(each.at("id").get<std::string>());
        const json input = whole_input(each.at("input"));
        const json& golden = each.at("expected");
        if (golden.contains("error")) {
            EXPECT_THROW(run(input, AccumulationOptions::ShortGroup::num_steps), UserError);
            continue;
        }
        {
            SCOPED_TRACE("as Accelerate");
            compare(json_of(run(input, AccumulationOptions::ShortGroup::num_steps)), golden);
        }
        SCOPED_TRACE("ours");
        bool short_groups = false;
        const json expected = json_of(expected_of(input, &short_groups));
        compare(json_of(run(input, AccumulationOptions::ShortGroup::own_number)), expected);
        if (!short_groups)
            compare(expected, golden);
    }
}

}  // namespace
}  // namespace trainyard
