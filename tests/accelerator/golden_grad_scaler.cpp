// SPDX-License-Identifier: GPL-3.0-or-later
// golden/grad_scaler.json: fp16 loss scaling through the prepared optimizer, event by event.
//
// One difference is intended (cannot_scale): we refuse a scale, factor or interval with which gradients can never be
// scaled; torch refuses only factors that fail its assertions, and continues with the other values.
#include <cmath>
#include <fstream>
#include <memory>

#include <ATen/DeviceAccelerator.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/prepared_optimizer.h>

#include "accelerator/clip_gradients.h"
#include "accelerator/gradient_flow.h"
#include "accelerator/plain_sgd.h"
#include "base/error.h"
#include "support/golden.h"

namespace trainyard {
namespace {

using nlohmann::json;

double number(const json& value) {
    if (!value.is_string())
        return value.get<double>();
    const std::string text = value.get<std::string>();
    return text == "nan" ? std::nan("") : text == "-inf" ? -HUGE_VAL : HUGE_VAL;
}

void expect_float(double ours, const json& expected, const std::string& what) {
    const double theirs = number(expected);
    if (std::isnan(theirs)) {
        EXPECT_TRUE(std::isnan(ours)) << what;
    } else if (std::isinf(theirs)) {
        EXPECT_EQ(ours, theirs) << what;
    } else {
        EXPECT_NEAR(ours, theirs, 1e-6 * std::max(1e-30, std::abs(theirs))) << what;
    }
}

optim::GradScalerOptions options_of(const json& settings) {
    optim::GradScalerOptions options;
    options.init_scale = settings.value("init_scale", options.init_scale);
    options.growth_factor = settings.value("growth_factor", options.growth_factor);
    options.backoff_factor = settings.value("backoff_factor", options.backoff_factor);
    options.growth_interval = settings.value("growth_interval", options.growth_interval);
    options.enabled = settings.value("enabled", options.enabled);
    return options;
}

bool cannot_scale(const optim::GradScalerOptions& options) {
    return options.enabled &&
           (!(options.init_scale > 0) || !(options.backoff_factor > 0) || options.growth_interval < 1);
}

void run(const json& input, const json& expected, at::Device device) {
    auto flow = std::make_shared<accelerator::GradientFlow>(1, accelerator::AccumulationOptions{},
                                                            options_of(input.at("settings")), device,
                                                            std::make_shared<parallel::ProcessState>());
    at::Tensor weight = at::ones({input.at("weights").get<std::int64_t>()}, device).set_requires_grad(true);
    accelerator::PreparedOptimizer optimizer(
        std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{weight}, input.at("lr").get<double>()), flow);
    optim::GradScaler& scaler = *flow->scaler();
    std::size_t at = 0;
    for (const json& event : input.at("events")) {
        const json& seen = expected.at("steps").at(at);
        const std::string where = "event " + std::to_string(at++);
        const bool sync = event.value("sync", true);
        flow->state().set_sync_gradients(sync);
        const at::Tensor scale = scaler.scale(at::ones({}, device));
        expect_float(scale.item<double>(), seen.at("scale_used"), where + " scale_used");
        std::vector<float> numbers;
        for (const json& each : event.at("grads"))
            numbers.push_back(static_cast<float>(number(each)));
        const at::Tensor grad = at::tensor(numbers).to(device).mul(scale);
        weight.mutable_grad() = weight.grad().defined() ? weight.grad().add(grad) : grad;
        if (sync) {
            if (event.contains("clip") && !event.at("clip").is_null()) {
                flow->unscale(optimizer);
                expect_float(
                    accelerator::clip_gradients_by_norm({weight}, event.at("clip").get<double>()).item<double>(),
                    seen.at("norm"), where + " norm");
            }
            optimizer.step();
            EXPECT_EQ(optimizer.step_was_skipped(), seen.at("skipped").get<bool>()) << where;
        }
        optimizer.zero_grad();
        expect_float(scaler.scale_value(), seen.at("scale"), where + " scale");
        EXPECT_EQ(scaler.growth_tracker(), seen.at("growth_tracker").get<std::int64_t>()) << where;
        for (std::size_t i = 0; i < seen.at("weight").size(); ++i)
            expect_float(weight[static_cast<std::int64_t>(i)].item<double>(), seen.at("weight").at(i),
                         where + " weight");
    }
    EXPECT_EQ(at, expected.at("steps").size());
    const Tree state = scaler.state_dict();
    const json& saved = expected.at("state_dict");
    EXPECT_EQ(state.entries().size(), saved.size());
    for (const auto& [key, value] : saved.items())
        expect_float(state.at(key).as_real(), value, "state_dict " + key);
    // The state brings another scaler to the same place.
    if (!saved.empty()) {
        optim::GradScaler other;
        other.load_state_dict(state);
        EXPECT_TRUE(other.state_dict() == state);
    }
}

TEST(GoldenGradScaler, EveryCase) {
    std::ifstream file(test::golden("grad_scaler.json"));
    const json cases = json::parse(file).at("cases");
    ASSERT_FALSE(cases.empty());
    // The CPU, and the accelerator where this LibTorch and the machine have one.
    std::vector<at::Device> devices{at::Device(at::kCPU)};
    if (const auto accelerator = at::getAccelerator(); accelerator && at::accelerator::deviceCount() > 0)
        devices.emplace_back(*accelerator, 0);
    for (const at::Device device : devices)
        for (const json& each : cases) {
            SCOPED_TRACE(each.at("id").get<std::string>() + " on " + device.str());
            const json& expected = each.at("expected");
            if (expected.contains("error") || cannot_scale(options_of(each.at("input").at("settings")))) {
                EXPECT_THROW(run(each.at("input"), expected, device), UserError);
            } else {
                run(each.at("input"), expected, device);
            }
        }
}

}  // namespace
}  // namespace trainyard
