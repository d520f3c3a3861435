// SPDX-License-Identifier: GPL-3.0-or-later
// Early stopping and the estimator, compared with Optuna's MedianPruner and TPESampler.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/number.h"
#include "support/golden.h"
#include "sweep/early_stopping.h"
#include "sweep/suggest.h"

namespace trainyard::sweep {
namespace {

using Json = nlohmann::json;

Curve curve_of(const Json& json) {
    Curve curve;
    for (const Json& point : json)
        curve.push_back({point[0], point[1].is_string() ? std::nan("") : point[1].get<double>()});
    return curve;
}

TEST(GoldenSweeps, TrialsAreStoppedAtTheSteps) {
    const Json root = Json::parse(read_file(test::golden("sweeps.json")));
    ASSERT_FALSE(root["pruning"].empty());
    int stopped = 0;
    for (std::size_t i = 0; i < root["pruning"].size(); ++i) {
        const Json& one = root["pruning"][i];
        std::vector<Curve> others;
        for (const Json& other : one["others"])
            others.push_back(curve_of(other));
        std::vector<const Curve*> pointers;
        for (const Curve& other : others)
            pointers.push_back(&other);
        const EarlyStopping rule{EarlyRule::median, one["startup_trials"], one["warmup_steps"]};
        const auto step = step_to_stop(rule, *find_choice<Direction>(one["direction"].get<std::string>()),
                                       curve_of(one["trial"]), pointers);
        EXPECT_EQ(step, one["stopped"].is_null() ? std::nullopt : std::optional<std::int64_t>(one["stopped"])) << i;
        stopped += step.has_value();
    }
    EXPECT_GT(stopped, 5);
    EXPECT_LT(stopped, std::ssize(root["pruning"]) - 5);
}

double number_of(const std::string& text) {
    return parse_number<double>(text).value();
}

struct Search {
    std::string name;
    std::vector<Parameter> parameters;
    std::function<double(const Point&)> loss;
};

/// As tests/golden/generate/sweeps.py has them.
std::vector<Search> searches() {
    Parameter lr{.key = "lr", .min = 1e-6, .max = 1, .scale = Scale::log};
    Parameter batch{.key = "batch", .values = {"8", "16", "32", "64"}};
    std::vector<Parameter> places;
    for (int i = 0; i < 3; ++i)
        places.push_back({.key = "x" + std::to_string(i), .min = -5, .max = 5});
    Parameter depth{.key = "depth", .min = 1, .max = 24, .step = 1, .whole = true},
        width{.key = "width", .min = 32, .max = 512, .step = 32, .whole = true};
    return {{"rate",
             {lr, batch},
             [](const Point& point) {
                 const double off = std::log10(number_of(point[0])) - std::log10(3e-3);
                 return off * off + (point[1] == "8" ? 0.6 : point[1] == "16" ? 0.2 : point[1] == "64" ? 0.4 : 0.0);
             }},
            {"bowl", places,
             [](const Point& point) {
                 double sum = 0;
                 for (std::size_t i = 0; i < point.size(); ++i)
                     sum += std::pow(number_of(point[i]) - 1.5 * static_cast<double>(i), 2);
                 return sum;
             }},
            {"layers", {depth, width}, [](const Point& point) {
                 const double deep = number_of(point[0]), wide = number_of(point[1]);
                 return std::abs(deep - 9) / 4 + std::abs(std::log2(wide / 192)) + 0.1 * std::sin(deep);
             }}};
}

double median_of_bests(const Search& search, Method method, int trials, int seeds) {
    std::vector<double> bests;
    for (int seed = 0; seed < seeds; ++seed) {
        SweepFile sweep;
        sweep.method = method;
        sweep.seed = static_cast<std::uint64_t>(seed);
        sweep.parameters = search.parameters;
        std::vector<Sample> history;
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i < trials; ++i) {
            const Point point = suggest(sweep, i, history);
            history.push_back({point, search.loss(point)});
            best = std::min(best, history.back().loss);
        }
        bests.push_back(best);
    }
    std::ranges::nth_element(bests, bests.begin() + seeds / 2);
    return bests[static_cast<std::size_t>(seeds / 2)];
}

TEST(GoldenSweeps, TheEstimatorFindsWhatOptunasFinds) {
    const Json root = Json::parse(read_file(test::golden("sweeps.json")));
    const int trials = root["trials"], seeds = root["seeds"];
    for (const Search& search : searches()) {
        const double theirs = root["searches"][search.name]["tpe"],
                     ours = median_of_bests(search, Method::tpe, trials, seeds),
                     at_random = median_of_bests(search, Method::random, trials, seeds);
        RecordProperty(search.name, std::to_string(ours));
        // Medians of few seeds scatter: what is proved is that it learns as well, not that it draws the same.
        EXPECT_LE(ours, std::max(1.5 * theirs, theirs + 0.02)) << search.name << ", random: " << at_random;
    }
    const Search bowl = searches()[1];
    EXPECT_LT(median_of_bests(bowl, Method::tpe, trials, seeds),
              0.5 * median_of_bests(bowl, Method::random, trials, seeds));
}

}  // namespace
}  // namespace trainyard::sweep
