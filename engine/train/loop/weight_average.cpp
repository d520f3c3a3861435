// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/weight_average.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <ATen/ops/lerp.h>
#include <c10/core/GradMode.h>

#include "base/error.h"

namespace trainyard::train {

namespace {

void check(const WeightAverageOptions& options) {
    std::vector<Message> wrong;
    if (!(options.decay >= 0.0 && options.decay <= 1.0))
        wrong.push_back("decay must be between 0 and 1.");
    if (options.start_step < 0)
        wrong.push_back("start_step must not be negative.");
    if (options.update_every < 1)
        wrong.push_back("update_every must be 1 or more.");
    if (!wrong.empty())
        throw UserError("options of the weight average: {}", Message::joined(wrong, " "));
}

at::Tensor average_of(const at::Tensor& weight) {
    const bool narrow = weight.scalar_type() == at::kHalf || weight.scalar_type() == at::kBFloat16;
    return narrow ? weight.detach().to(at::kFloat) : weight.detach().clone();
}

}  // namespace

WeightAverageOptions exponential(double decay, bool warm_up) {
    WeightAverageOptions options;
    options.decay = decay;
    options.warm_up = warm_up;
    return options;
}

WeightAverageOptions uniform(std::int64_t start_step, std::int64_t update_every) {
    WeightAverageOptions options;
    options.kind = WeightAverageOptions::Kind::uniform;
    options.start_step = start_step;
    options.update_every = update_every;
    return options;
}

WeightAverage::WeightAverage(NamedTensors parameters, WeightAverageOptions options, NamedTensors buffers)
    : options_(options), weights_(std::move(parameters)), parameter_count_(weights_.size()) {
    check(options_);
    weights_.insert(weights_.end(), buffers.begin(), buffers.end());
    c10::NoGradGuard no_grad;
    for (const auto& [name, weight] : weights_)
        averages_.push_back(average_of(weight));
}

double WeightAverage::decay_at(std::int64_t n) const {
    const auto count = static_cast<double>(n);
    return options_.warm_up ? std::min(options_.decay, (1.0 + count) / (10.0 + count)) : options_.decay;
}

void WeightAverage::update() {
    if (swapped_)
        throw std::logic_error("WeightAverage::update while the average is swapped in");
    c10::NoGradGuard no_grad;
    ++calls_;
    const std::int64_t since = calls_ - options_.start_step;
    if (since < 0 || (since > 0 && since % options_.update_every != 0))
        return;
    if (since > 0)
        ++averaged_;
    // New average = average + share * (weight - average). The weights of the start step are taken as they are.
    double share = 1.0;
    if (since > 0)
        share = options_.kind == WeightAverageOptions::Kind::uniform ? 1.0 / static_cast<double>(averaged_)
                                                                     : 1.0 - decay_at(averaged_);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const at::Tensor weight = weights_[i].second.detach();
        at::Tensor& average = averages_[i];
        const bool averaged =
            at::isFloatingType(average.scalar_type()) && (i < parameter_count_ || options_.use_buffers);
        if (averaged && share != 1.0)
            average.lerp_(weight.to(average.scalar_type()), share);
        else
            average.copy_(weight);
    }
}

NamedTensors WeightAverage::averages() const {
    c10::NoGradGuard no_grad;
    NamedTensors result;
    const bool begun = averaged_ > 0 || options_.kind == WeightAverageOptions::Kind::exponential;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const auto& [name, weight] = weights_[i];
        const bool from_model = !begun || (averaged_ == 0 && calls_ < options_.start_step);
        result.emplace_back(name,
                            from_model ? weight.detach().clone() : averages_[i].to(weight.scalar_type(), false, true));
    }
    return result;
}

void WeightAverage::copy_to_model() {
    c10::NoGradGuard no_grad;
    const NamedTensors values = averages();
    for (std::size_t i = 0; i < weights_.size(); ++i)
        weights_[i].second.detach().copy_(values[i].second);
}

WeightAverage::SwapGuard::SwapGuard(WeightAverage& average) : average_(average) {
    if (average_.swapped_)
        throw std::logic_error("WeightAverage::swap_in twice");
    average_.exchange();
}

WeightAverage::SwapGuard::~SwapGuard() {
    average_.exchange();
}

void WeightAverage::exchange() {
    c10::NoGradGuard no_grad;
    if (!swapped_) {
        const NamedTensors values = averages();
        plain_.clear();
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            plain_.push_back(weights_[i].second.detach().clone());
            weights_[i].second.detach().copy_(values[i].second);
        }
    } else {
        for (std::size_t i = 0; i < weights_.size(); ++i)
            weights_[i].second.detach().copy_(plain_[i]);
        plain_.clear();
    }
    swapped_ = !swapped_;
}

NamedTensors WeightAverage::tensors() const {
    NamedTensors result;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        result.emplace_back(weights_[i].first, averages_[i]);
    return result;
}

void WeightAverage::set_counts(const Tree& counts) {
    const std::int64_t calls = counts.at("calls").as_integer();
    averaged_ = counts.at("averaged").as_integer();
    calls_ = calls;
}

Tree WeightAverage::state_dict() const {
    Tree average = Tree::dict();
    for (const auto& [name, tensor] : tensors())
        average.set(name, tensor.detach().clone());
    Tree state = counts();
    state.set("average", std::move(average));
    return state;
}

void WeightAverage::load_state_dict(const Tree& state) {
    const std::int64_t calls = state.at("calls").as_integer();
    const std::int64_t averaged = state.at("averaged").as_integer();
    const Tree& average = state.at("average");
    std::vector<at::Tensor> loaded;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const at::Tensor& tensor = average.at(weights_[i].first).as_tensor();
        if (tensor.sizes() != averages_[i].sizes())
            throw UserError("the saved average of '{}' has another shape than the weight", weights_[i].first);
        loaded.push_back(tensor);
    }
    c10::NoGradGuard no_grad;
    for (std::size_t i = 0; i < loaded.size(); ++i)
        averages_[i].copy_(loaded[i]);
    calls_ = calls;
    averaged_ = averaged;
}

}  // namespace trainyard::train
