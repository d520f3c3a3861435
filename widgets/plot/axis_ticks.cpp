// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/axis_ticks.h"

#include <algorithm>
#include <cmath>

#include <QDateTime>

#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

TickMarks wall_ticks(double lower, double upper, int wanted) {
    if (!(upper > lower) || !std::isfinite(upper - lower) || std::abs(upper) > 1e13)
        return {};
    static constexpr double kDay = 86400;
    const double rough = (upper - lower) / std::max(1, wanted);
    if (rough < kDay / 2) {
        // Ticks follow local time, with its offset from UTC in the middle of the range.
        const double offset = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(lower / 2 + upper / 2)).offsetFromUtc();
        TickMarks marks = time_ticks(lower + offset, upper + offset, wanted);
        for (double& at : marks.at)
            at -= offset;
        return marks;
    }
    TickMarks marks;
    const auto add_from = [&](QDate date, int days, int months) {
        for (; marks.at.size() < 100; date = months > 0 ? date.addMonths(months) : date.addDays(days)) {
            const auto at = static_cast<double>(date.startOfDay().toSecsSinceEpoch());
            if (at > upper)
                break;
            if (at >= lower)
                marks.at.push_back(at);
        }
    };
    const QDate first = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(lower)).date();
    for (int days : {1, 2, 7, 14})
        if (days * kDay >= rough) {
            marks.step = days * kDay;
            add_from(first, days, 0);
            return marks;
        }
    int months = 1200;
    for (int some : {1, 2, 3, 6, 12, 24, 60, 120})
        if (some * 30.4 * kDay >= rough) {
            months = some;
            break;
        }
    marks.step = months * 30.4 * kDay;
    add_from({first.year(), months < 12 ? first.month() : 1, 1}, 0, months);
    return marks;
}

std::vector<AxisTick> number_ticks(double lower, double upper, bool log, int wanted) {
    return position_ticks(lower, upper, log, XUnit::Tokens, wanted);
}

std::vector<AxisTick> position_ticks(double lower, double upper, bool log, XUnit unit, int wanted) {
    const TickMarks marks = unit == XUnit::Wall   ? wall_ticks(lower, upper, wanted)
                            : log                 ? log_ticks(lower, upper, wanted)
                            : unit == XUnit::Time ? time_ticks(lower, upper, wanted)
                                                  : linear_ticks(lower, upper, wanted, unit == XUnit::Step);
    std::vector<AxisTick> ticks;
    for (double at : marks.at) {
        const double step = marks.step > 0 ? marks.step : at;
        ticks.push_back({at, unit == XUnit::Time   ? axis_time(at, step)
                             : unit == XUnit::Wall ? axis_wall(at, step, ticks.empty())
                                                   : axis_number(at, step)});
    }
    return ticks;
}

}  // namespace trainyard::widgets
