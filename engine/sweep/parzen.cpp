// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/parzen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace trainyard::sweep {

namespace {

constexpr std::size_t kFullWeights = 25;  ///< newest observations that count fully
constexpr double kWidth = 0.2;            ///< deviation of a kernel of one observation, as a share of the range
constexpr double kNarrowest = 100;        ///< a deviation is at least this part of the range

/// The newest count 1, older ones less.
std::vector<double> weights_by_age(std::size_t count) {
    std::vector<double> weights(count, 1.0);
    if (count > kFullWeights) {
        const std::size_t older = count - kFullWeights;
        const double first = 1.0 / static_cast<double>(count);
        for (std::size_t i = 0; i < older; ++i)
            weights[i] =
                older == 1 ? first : first + (1 - first) * static_cast<double>(i) / static_cast<double>(older - 1);
    }
    return weights;
}

double normal_below(double z) {
    return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

/// The z below which a normal value is with this probability, by halving.
double normal_quantile(double share) {
    double low = -39, high = 39;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (normal_below(middle) < share ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

std::size_t pick(std::span<const double> weights, double share) {
    for (std::size_t i = 0; i + 1 < weights.size(); ++i)
        if ((share -= weights[i]) < 0)
            return i;
    return weights.size() - 1;
}

}  // namespace

Draws::Draws(std::uint64_t seed, std::uint64_t stream, std::uint64_t number) {
    std::seed_seq words{seed, seed >> 32, stream, stream >> 32, number, number >> 32};
    bits_.seed(words);
}

double Draws::uniform() {
    return static_cast<double>(bits_() >> 11) * 0x1p-53;
}

std::int64_t Draws::below(std::int64_t count) {
    return std::min(count - 1, static_cast<std::int64_t>(uniform() * static_cast<double>(count)));
}

ParzenDensity::ParzenDensity(std::span<const Dimension> dimensions, std::span<const std::vector<double>> points)
    : dimensions_(dimensions.begin(), dimensions.end()), weights_(weights_by_age(points.size())) {
    weights_.push_back(1);
    const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
    for (double& weight : weights_)
        weight /= total;
    const auto count = static_cast<double>(points.size());
    const double width = kWidth * std::pow(std::max(1.0, count), -1 / (static_cast<double>(dimensions.size()) + 4));
    for (std::size_t part = 0; part <= points.size(); ++part) {
        std::vector<Kernel>& kernels = kernels_.emplace_back();
        for (std::size_t j = 0; j < dimensions.size(); ++j) {
            const Dimension& dimension = dimensions[j];
            Kernel& kernel = kernels.emplace_back();
            kernel.mean = part < points.size() ? points[part][j] : 0.5 * (dimension.low + dimension.high);
            if (dimension.choices > 0)
                continue;
            const double range = dimension.high - dimension.low;
            kernel.deviation =
                part < points.size() ? range * std::max(width, 1 / std::min(kNarrowest, 2 + count)) : range;
            kernel.below = normal_below((dimension.low - kernel.mean) / kernel.deviation);
            kernel.inside = normal_below((dimension.high - kernel.mean) / kernel.deviation) - kernel.below;
        }
    }
}

std::vector<double> ParzenDensity::draw(Draws& draws) const {
    const std::size_t part = pick(weights_, draws.uniform());
    std::vector<double> point;
    for (std::size_t j = 0; j < dimensions_.size(); ++j) {
        const Dimension& dimension = dimensions_[j];
        const Kernel& kernel = kernels_[part][j];
        const double share = draws.uniform();
        if (dimension.choices > 0) {
            std::vector<double> shares;
            for (std::int64_t i = 0; i < dimension.choices; ++i)
                shares.push_back(std::exp(log_of(part, j, static_cast<double>(i))));
            point.push_back(static_cast<double>(pick(shares, share)));
        } else {
            const double value = kernel.mean + kernel.deviation * normal_quantile(kernel.below + share * kernel.inside);
            point.push_back(std::clamp(value, dimension.low, dimension.high));
        }
    }
    return point;
}

double ParzenDensity::log_of(std::size_t part, std::size_t dimension, double value) const {
    const Kernel& kernel = kernels_[part][dimension];
    if (const std::int64_t choices = dimensions_[dimension].choices; choices > 0) {
        // One observation, spread over all choices, is added to each.
        const double spread = 1 / static_cast<double>(weights_.size()), all = static_cast<double>(choices);
        if (part + 1 == weights_.size())
            return -std::log(all);
        return std::log(((value == kernel.mean ? 1 : 0) + spread) / (1 + all * spread));
    }
    const double z = (value - kernel.mean) / kernel.deviation;
    return -0.5 * z * z - std::log(kernel.deviation * kernel.inside);
}

double ParzenDensity::log_density(std::span<const double> point) const {
    std::vector<double> logs;
    for (std::size_t part = 0; part < weights_.size(); ++part) {
        double sum = std::log(weights_[part]);
        for (std::size_t j = 0; j < point.size(); ++j)
            sum += log_of(part, j, point[j]);
        logs.push_back(sum);
    }
    const double most = *std::ranges::max_element(logs);
    double sum = 0;
    for (const double one : logs)
        sum += std::exp(one - most);
    return most + std::log(sum);
}

}  // namespace trainyard::sweep
