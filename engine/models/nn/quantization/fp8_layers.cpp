// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/fp8_layers.h"

#include <algorithm>
#include <array>

#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/tensor.h>

#include "base/error.h"

namespace trainyard::models {

namespace {

using quantization::Float8;

constexpr std::array kOperandNames{"input", "weight", "gradient"};

DelayedScaling::Options scaling_options(const config::Fp8Recipe& recipe) {
    return {.history = recipe.amax_history_len,
            .algorithm = recipe.amax_compute_algo == config::AmaxAlgorithm::max
                             ? DelayedScaling::Algorithm::max
                             : DelayedScaling::Algorithm::most_recent,
            .margin = recipe.margin,
            .interval = recipe.interval};
}

Float8 backward_format(const config::Fp8Recipe& recipe) {
    return recipe.fp8_format == config::Fp8Format::hybrid ? Float8::e5m2 : Float8::e4m3;
}

}  // namespace

DelayedCasts::DelayedCasts(const config::Fp8Recipe& recipe)
    : formats_{Float8::e4m3, Float8::e4m3, backward_format(recipe)} {
    const auto is_full = [&](const char* product) {
        return std::ranges::find(recipe.full_precision, product) != recipe.full_precision.end();
    };
    full_[static_cast<int>(Product::output)] = is_full("fprop");
    full_[static_cast<int>(Product::grad_input)] = is_full("dgrad");
    full_[static_cast<int>(Product::grad_weight)] = is_full("wgrad");
    for (const Float8 format : formats_)
        scalings_.emplace_back(quantization::largest_value(format), scaling_options(recipe));
}

at::Tensor DelayedCasts::cast(const at::Tensor& rows, Operand operand, Product product, const OperandShare&) const {
    if (full_[static_cast<int>(product)])
        return rows.to(at::kFloat);
    const float scale = scalings_[operand].scale();
    return saturated_codes(rows, at::scalar_tensor(scale).to(rows.device()), formats_[operand])
        .to(at::kFloat)
        .mul_(static_cast<double>(1 / scale));
}

void DelayedCasts::see(const at::Tensor& rows, Operand operand) {
    if (rows.numel() > 0)
        scalings_[operand].see(rows.abs().amax().to(at::kFloat).item<float>());
}

std::unique_ptr<OperandCasts> make_fp8_casts(const config::Fp8Recipe& recipe) {
    using Casts = Float8Casts::Recipe;
    switch (recipe.scaling) {
        case config::Fp8Scaling::delayed:
            break;
        case config::Fp8Scaling::tensorwise:
            return std::make_unique<Float8Casts>(Casts::tensorwise, false);
        case config::Fp8Scaling::rowwise:
            return std::make_unique<Float8Casts>(Casts::rowwise, true);
        case config::Fp8Scaling::rowwise_with_gw_hp:
            return std::make_unique<Float8Casts>(Casts::rowwise_with_gw_hp, true);
        case config::Fp8Scaling::mxfp8:
            return std::make_unique<MxCasts>(quantization::MxMode::engine, Float8::e4m3, backward_format(recipe));
    }
    return std::make_unique<DelayedCasts>(recipe);
}

std::int64_t fp8_multiple(const config::Fp8Recipe& recipe) {
    constexpr std::int64_t kOfProducts = 16;
    return recipe.scaling == config::Fp8Scaling::mxfp8 ? static_cast<std::int64_t>(quantization::kMxBlock)
                                                       : kOfProducts;
}

std::vector<std::string> choose_fp8_layers(const std::vector<quantization::LinearModule>& layers,
                                           const config::Fp8Recipe& recipe) {
    const std::int64_t multiple = fp8_multiple(recipe);
    std::vector<std::string> chosen = quantization::fp8_layers(layers);
    std::erase_if(chosen, [&](const std::string& name) {
        const auto layer = std::ranges::find(layers, name, &quantization::LinearModule::name);
        return layer->in % multiple != 0 || layer->out % multiple != 0;
    });
    return chosen;
}

void DelayedLayers::update(std::initializer_list<parallel::Communicator*> groups) {
    if (empty())
        return;
    std::vector<float> largest;
    for (const auto& [name, casts] : layers_)
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand)
            largest.push_back(casts->scaling(operand).state().history.front());
    for (parallel::Communicator* ranks : groups) {
        if (ranks->size() == 1)
            continue;
        const at::Tensor all = at::tensor(largest, at::kFloat).to(ranks->device());
        ranks->all_reduce(all, "largest magnitudes of fp8 operands", parallel::ReduceOp::max).wait();
        const at::Tensor here = all.to(at::kCPU);
        std::copy_n(here.const_data_ptr<float>(), largest.size(), largest.begin());
    }
    std::size_t at = 0;
    for (const auto& [name, casts] : layers_)
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            DelayedScaling& scaling = casts->scaling(operand);
            scaling.see(largest[at++]);
            scaling.update();
        }
}

Tree DelayedLayers::state_dict() const {
    if (empty())
        return {};
    Tree all = Tree::dict();
    for (const auto& [name, casts] : layers_) {
        Tree layer = Tree::dict();
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            const DelayedScaling::State& state = casts->scaling(operand).state();
            layer.set(kOperandNames[static_cast<std::size_t>(operand)],
                      Tree::dict({{"amax_history", at::tensor(state.history)},
                                  {"scale", at::tensor({state.scale})},
                                  {"updates", state.updates}}));
        }
        all.set(name, std::move(layer));
    }
    return all;
}

void DelayedLayers::load_state_dict(const Tree& saved) {
    for (const auto& [name, casts] : layers_) {
        const Tree* layer = saved.find(name);
        if (layer == nullptr)
            throw UserError("the checkpoint has no scales of {}, which is computed in fp8", name);
        for (int operand = 0; operand < DelayedCasts::kOperands; ++operand) {
            const Tree& own = layer->at(kOperandNames[static_cast<std::size_t>(operand)]);
            const at::Tensor history = own.at("amax_history").as_tensor().to(at::kCPU, at::kFloat).contiguous();
            const auto* values = history.const_data_ptr<float>();
            casts->scaling(operand).load({{values, values + history.numel()},
                                          own.at("scale").as_tensor().item<float>(),
                                          own.at("updates").as_integer()});
        }
    }
}

}  // namespace trainyard::models
