// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/suggest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/philox.h"
#include "sweep/parzen.h"

namespace trainyard::sweep {

namespace {

constexpr int kCandidates = 24;         ///< drawn of the good trials, of which the most promising is taken
constexpr double kGoodShare = 0.1;      ///< of the trials
constexpr std::int64_t kMostGood = 25;  ///< trials
constexpr int kTries = 200;             ///< for a point that was not tried yet

/// A parameter as the estimator sees it: logarithms on a logarithmic scale. A range with steps is half a step wider on
/// both sides, so that its ends are as likely as what is between.
Dimension dimension_of(const Parameter& parameter) {
    if (!parameter.is_range())
        return {.choices = std::ssize(parameter.values)};
    const double half = parameter.step / 2;
    if (parameter.scale == Scale::log)
        return {.low = std::log(parameter.min), .high = std::log(parameter.max)};
    return {.low = parameter.min - half, .high = parameter.max + half};
}

std::string text_of(const Parameter& parameter, double drawn) {
    if (!parameter.is_range())
        return parameter.values[static_cast<std::size_t>(drawn)];
    return parameter.text_of(parameter.scale == Scale::log ? std::exp(drawn) : drawn);
}

double number_of(const Parameter& parameter, const std::string& text) {
    if (!parameter.is_range())
        return static_cast<double>(std::ranges::find(parameter.values, text) - parameter.values.begin());
    const double number = parse_number<double>(text).value_or(parameter.min);
    return parameter.scale == Scale::log ? std::log(number) : number;
}

Point at_random(const SweepFile& sweep, Draws& draws) {
    Point point;
    for (const Parameter& parameter : sweep.parameters) {
        const Dimension dimension = dimension_of(parameter);
        point.push_back(text_of(parameter, dimension.choices > 0
                                               ? static_cast<double>(draws.below(dimension.choices))
                                               : dimension.low + draws.uniform() * (dimension.high - dimension.low)));
    }
    return point;
}

/// Of points that are likely among the good trials, the one that is likeliest for how likely it is among the others.
Point most_promising(const SweepFile& sweep, std::span<const Sample> history, Draws& draws) {
    std::vector<std::size_t> order(history.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return history[i].loss; });
    const auto share = static_cast<std::int64_t>(std::ceil(kGoodShare * static_cast<double>(history.size())));
    std::vector<bool> is_good(history.size());
    for (std::int64_t i = 0; i < std::min(kMostGood, share); ++i)
        is_good[order[static_cast<std::size_t>(i)]] = true;

    std::vector<Dimension> dimensions;
    for (const Parameter& parameter : sweep.parameters)
        dimensions.push_back(dimension_of(parameter));
    std::vector<std::vector<double>> good, others;
    for (std::size_t i = 0; i < history.size(); ++i) {
        std::vector<double>& numbers = (is_good[i] ? good : others).emplace_back();
        for (std::size_t j = 0; j < dimensions.size(); ++j)
            numbers.push_back(number_of(sweep.parameters[j], history[i].point[j]));
    }
    const ParzenDensity likely(dimensions, good), usual(dimensions, others);
    std::vector<double> best;
    double most = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < kCandidates; ++i) {
        std::vector<double> drawn = likely.draw(draws);
        if (const double gain = likely.log_density(drawn) - usual.log_density(drawn); gain > most) {
            most = gain;
            best = std::move(drawn);
        }
    }
    Point point;
    for (std::size_t j = 0; j < best.size(); ++j)
        point.push_back(text_of(sweep.parameters[j], best[j]));
    return point;
}

}  // namespace

Point suggest(const SweepFile& sweep, std::int64_t number, std::span<const Sample> history,
              std::span<const Point> taken) {
    if (sweep.method == Method::grid) {
        Point point(sweep.parameters.size());
        std::int64_t rest = number;
        for (std::size_t i = sweep.parameters.size(); i-- > 0;) {
            const std::int64_t choices = sweep.parameters[i].choices();
            point[i] = sweep.parameters[i].choice(rest % choices);
            rest /= choices;
        }
        return point;
    }
    Draws draws(sweep.seed, hash_of_name("sweep"), static_cast<std::uint64_t>(number));
    const bool estimates = sweep.method == Method::tpe && std::ssize(history) >= sweep.startup_trials;
    const auto is_taken = [&](const Point& point) { return std::ranges::find(taken, point) != taken.end(); };
    Point point = estimates ? most_promising(sweep, history, draws) : at_random(sweep, draws);
    for (int i = 0; i < kTries && is_taken(point); ++i)
        point = estimates && i < kTries / 2 ? most_promising(sweep, history, draws) : at_random(sweep, draws);
    return point;
}

}  // namespace trainyard::sweep
