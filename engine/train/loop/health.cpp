// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/health.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/isfinite.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::train {

namespace {

constexpr double kNormal = 1.4826;  ///< of the median absolute deviation, for the standard deviation of normal noise

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

template <class Losses>
Tree losses_of(const Losses& losses) {
    return Tree::list({losses.begin(), losses.end()});
}

HealthAction stronger(HealthAction first, HealthAction second) {
    return std::max(first, second);
}

}  // namespace

LossSpikeDetector::LossSpikeDetector(SpikeOptions options) : options_(options) {
    if (options_.window < 2 || options_.warm_up < 2 || options_.settle < 1 || !(options_.threshold > 0))
        throw UserError(
            "loss spikes: window and warm_up must be at least 2, settle at least 1, the threshold more than 0");
}

std::optional<LossSpikeDetector::Spike> LossSpikeDetector::observe(double loss) {
    auto remember = [&](double healthy) {
        window_.push_back(healthy);
        if (static_cast<std::int64_t>(window_.size()) > options_.window)
            window_.pop_front();
    };
    if (static_cast<std::int64_t>(window_.size()) < std::min(options_.warm_up, options_.window)) {
        remember(loss);
        return std::nullopt;
    }
    Spike spike{.loss = loss, .median = median_of({window_.begin(), window_.end()}), .deviation = 0};
    std::vector<double> distances;
    for (double healthy : window_)
        distances.push_back(std::abs(healthy - spike.median));
    // A curve that stands still has no deviation; then the least rise decides.
    spike.deviation = std::max(kNormal * median_of(std::move(distances)), std::numeric_limits<double>::min());
    const double rise = loss - spike.median;
    if (rise <= options_.threshold * spike.deviation || rise <= options_.least_rise * std::abs(spike.median)) {
        in_a_row_.clear();
        remember(loss);
        return std::nullopt;
    }
    in_a_row_.push_back(loss);
    if (static_cast<std::int64_t>(in_a_row_.size()) >= options_.settle) {
        window_.assign(in_a_row_.begin(), in_a_row_.end());
        in_a_row_.clear();
    }
    return spike;
}

Tree LossSpikeDetector::state_dict() const {
    return Tree::dict({{"window", losses_of(window_)}, {"in_a_row", losses_of(in_a_row_)}});
}

void LossSpikeDetector::load_state_dict(const Tree& state) {
    const Tree::List& window = state.at("window").items();
    const Tree::List& in_a_row = state.at("in_a_row").items();
    const std::size_t longest = static_cast<std::size_t>(options_.window);
    std::deque<double> losses;
    for (std::size_t i = window.size() - std::min(window.size(), longest); i < window.size(); ++i)
        losses.push_back(window[i].as_real());
    std::vector<double> spikes;
    for (const Tree& loss : in_a_row)
        spikes.push_back(loss.as_real());
    window_ = std::move(losses);
    in_a_row_ = std::move(spikes);
}

HealthMonitor::HealthMonitor(HealthOptions options) : options_(options), detector_(options.spike) {}

HealthVerdict HealthMonitor::judge(std::int64_t step, double loss, double gradient_norm, const Message& first_bad) {
    HealthVerdict verdict;
    verdict.non_finite = !std::isfinite(loss) || !std::isfinite(gradient_norm);
    if (verdict.non_finite) {
        ++non_finite_;
        ++in_a_row_;
        verdict.action = options_.on_non_finite;
        if (verdict.action != HealthAction::ignore) {
            auto first_in = [&](Message what) {
                return first_bad.empty() ? what : Message("{} (first in {})", what, first_bad);
            };
            const Message what = first_in(!std::isfinite(loss) && !std::isfinite(gradient_norm)
                                              ? "the loss and the gradients are not finite"
                                          : !std::isfinite(loss) ? Message("the loss is not finite")
                                                                 : Message("the gradients are not finite"));
            verdict.problems.push_back(Message("step {}: {}", step, what));
            if (verdict.action == HealthAction::stop)
                verdict.stop_reason = what;
            if (options_.stop_after > 0 && in_a_row_ >= options_.stop_after && verdict.action != HealthAction::stop) {
                verdict.action = HealthAction::stop;
                verdict.problems.push_back(
                    in_a_row_ == 1
                        ? Message("step {}: it was not finite, the run stops", step)
                        : Message("step {}: {} steps in a row were not finite, the run stops", step, in_a_row_));
                verdict.stop_reason =
                    first_in(in_a_row_ == 1 ? Message("a step was not finite")
                                            : Message("{} steps in a row were not finite", in_a_row_));
            }
        }
    } else {
        in_a_row_ = 0;
        if (const auto spike = detector_.observe(loss)) {
            verdict.spike = true;
            ++spikes_;
            verdict.action = stronger(verdict.action, options_.on_spike);
            const Message how =
                spike->deviations() < 1000
                    ? Message("loss {:.4g} is {:.1f} deviations above the median {:.4g} of the last steps", loss,
                              spike->deviations(), spike->median)
                    : Message("loss {:.4g} is far above the median {:.4g} of the last steps", loss, spike->median);
            if (options_.on_spike != HealthAction::ignore)
                verdict.problems.push_back(Message("step {}: {}", step, how));
            if (verdict.action == HealthAction::stop)
                verdict.stop_reason = how;
        }
    }
    if (verdict.action >= HealthAction::skip)
        ++skipped_;
    return verdict;
}

Tree HealthMonitor::state_dict() const {
    return Tree::dict({{"spikes", spikes_},
                       {"non_finite", non_finite_},
                       {"skipped", skipped_},
                       {"in_a_row", in_a_row_},
                       {"detector", detector_.state_dict()}});
}

void HealthMonitor::load_state_dict(const Tree& state) {
    const std::int64_t spikes = state.at("spikes").as_integer(), non_finite = state.at("non_finite").as_integer(),
                       skipped = state.at("skipped").as_integer(), in_a_row = state.at("in_a_row").as_integer();
    detector_.load_state_dict(state.at("detector"));
    spikes_ = spikes;
    non_finite_ = non_finite;
    skipped_ = skipped;
    in_a_row_ = in_a_row;
}

std::optional<std::size_t> first_non_finite(const NamedTensors& tensors) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const at::Tensor& tensor = tensors[i].second;
        if (tensor.defined() && tensor.is_floating_point() && !at::isfinite(tensor).all().item<bool>())
            return i;
    }
    return std::nullopt;
}

}  // namespace trainyard::train
