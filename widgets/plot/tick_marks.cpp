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

}  // namespace

TickMarks linear_ticks(double lower, double upper, int wanted, bool whole_numbers) {
    if (!(upper > lower) || !std::isfinite(upper - lower))
        return {};
    const double rough = (upper - lower) / std::max(1, wanted);
    const double decade = std::pow(10.0, std::floor(std::log10(rough)));
    double step = decade * 10;
    for (double nice : {1.0, 2.0, 2.5, 5.0})
        if (decade * nice >= rough * 0.999) {
            step = decade * nice;
            break;
        }
    if (whole_numbers)
        step = std::max(1.0, step == 2.5 ? 5.0 : step);
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
    if (decades < 1.2) {
        // Round numbers that keep a distance: the ticks near the top of a linear ladder stand too close on this axis.
        TickMarks ladder = linear_ticks(lower, upper, wanted * 2);
        TickMarks marks{{}, ladder.step};
        const double room = std::log(upper / lower) / (wanted * 1.6);
        for (double at : ladder.at)
            if (marks.at.empty() || std::log(at / marks.at.back()) >= room)
                marks.at.push_back(at);
        return marks;
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
