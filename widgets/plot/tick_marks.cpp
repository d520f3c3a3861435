// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/tick_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard::widgets {

namespace {

TickMarks multiples(double lower, double upper, double step) {
    TickMarks marks{{}, step};
    const double first = std::ceil(lower / step - 1e-9);
    for (double n = first; n * step <= upper + step * 1e-9 && marks.at.size() < 100; ++n)
        marks.at.push_back(n * step);
    return marks;
}

/// The `candidates` whose logarithms keep the distance `room` to all candidates before them, ascending.
TickMarks thinned(const std::vector<double>& candidates, double room) {
    TickMarks marks;
    for (double at : candidates)
        if (std::none_of(marks.at.begin(), marks.at.end(),
                         [&](double other) { return std::abs(std::log(at / other)) < room; }))
            marks.at.push_back(at);
    std::sort(marks.at.begin(), marks.at.end());
    // All labels have as many decimals as the one that needs most.
    for (marks.step = marks.at.empty() ? 1 : std::pow(10.0, std::floor(std::log10(marks.at.front())));
         marks.step > 1e-12; marks.step /= 10)
        if (std::all_of(marks.at.begin(), marks.at.end(),
                        [&](double at) { return std::abs(at / marks.step - std::round(at / marks.step)) < 1e-6; }))
            break;
    return marks;
}

}  // namespace

TickMarks linear_ticks(double lower, double upper, int wanted, bool whole_numbers) {
    if (!(upper > lower) || !std::isfinite(upper - lower))
        return {};
    const double rough = (upper - lower) / std::max(1, wanted);
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    double step = decade * 10;
    for (double nice : {1.0, 2.0, 2.5, 5.0})
        if (decade * nice >= rough * 0.8 && !(whole_numbers && nice == 2.5)) {
            step = decade * nice;
            break;
        }
    if (whole_numbers)
        step = std::max(1.0, step);
    return multiples(lower, upper, step);
}

TickMarks time_ticks(double lower, double upper, int wanted) {
    static constexpr std::array kSteps{1.,   2.,    5.,    10.,   15.,    30.,    60.,    120.,   300.,   600.,
                                       900., 1800., 3600., 7200., 10800., 21600., 43200., 86400., 172800.};
    if (!(upper > lower) || !std::isfinite(upper - lower))
        return {};
    const double rough = (upper - lower) / std::max(1, wanted);
    if (rough < 0.5)
        return linear_ticks(lower, upper, wanted);
    for (double step : kSteps)
        if (step >= rough)
            return multiples(lower, upper, step);
    const double days = linear_ticks(lower / 86400, upper / 86400, wanted, true).step;
    return multiples(lower, upper, days * 86400);
}

TickMarks log_ticks(double lower, double upper, int wanted) {
    if (!(lower > 0) || !(upper > lower) || !std::isfinite(upper))
        return {};
    const double decades = std::log10(upper / lower);
    const double room = std::log(upper / lower) / (wanted * 1.4);
    if (decades < 0.4) {
        std::vector<double> candidates;
        for (int count : {1, 2, 4, 8, 16})
            for (double at : linear_ticks(lower, upper, count).at)
                candidates.push_back(at);
        return thinned(candidates, room);
    }
    if (decades < 1.7) {
        // Rounder numbers have priority; the others fill the gaps between them.
        std::vector<double> candidates;
        for (double nice : {1.0, 5.0, 2.0, 3.0, 1.5, 7.0, 4.0, 2.5, 6.0, 8.0, 3.5})
            for (double decade = std::pow(10.0, std::floor(std::log10(lower))); decade <= upper; decade *= 10)
                if (nice * decade >= lower && nice * decade <= upper)
                    candidates.push_back(nice * decade);
        return thinned(candidates, room);
    }
    TickMarks marks;
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
    const bool fine = decades <= 3;
    for (int exponent = static_cast<int>(std::floor(std::log10(lower))); std::pow(10.0, exponent) <= upper; ++exponent)
        for (double nice : {1.0, 2.0, 5.0}) {
            if (nice > 1 && !fine)
                continue;
            if (exponent % stride != 0 && !fine)
                continue;
            const double at = nice * std::pow(10.0, exponent);
            if (at >= lower * (1 - 1e-9) && at <= upper * (1 + 1e-9))
                marks.at.push_back(at);
        }
    marks.step = 0;
    return marks;
}

}  // namespace trainyard::widgets
