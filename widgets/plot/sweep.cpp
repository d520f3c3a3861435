// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/sweep.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "widgets/plot/plot_frame.h"

namespace trainyard::widgets {

namespace {
constexpr double kLogFactor = 100;
constexpr double kMargin = 0.04;

/// Numbers in ascending order, then words in alphabetical order.
bool in_order(const QString& a, const QString& b) {
    bool a_is_number = false, b_is_number = false;
    const double x = QLocale::c().toDouble(a, &a_is_number), y = QLocale::c().toDouble(b, &b_is_number);
    if (a_is_number != b_is_number)
        return a_is_number;
    return a_is_number && x != y ? x < y : a.compare(b) < 0;
}
}  // namespace

Sweep sweep_of(const QStringList& names, const QVector<SweepRun>& runs, const QVector<QStringList>& values) {
    Sweep sweep;
    sweep.runs = runs;
    for (SweepRun& run : sweep.runs)
        run.values.fill(std::numeric_limits<double>::quiet_NaN(), names.size());
    for (int axis = 0; axis < names.size(); ++axis) {
        SweepAxis made;
        made.name = names[axis];
        bool numbers = true;
        for (int run = 0; run < sweep.runs.size(); ++run) {
            const QString word = run < values.size() ? values[run].value(axis).trimmed() : QString();
            if (word.isEmpty())
                continue;
            bool is_number = false;
            const double number = QLocale::c().toDouble(word, &is_number);
            if (!is_number) {
                numbers = false;
                break;
            }
            sweep.runs[run].values[axis] = number;
        }
        if (!numbers) {
            for (const QStringList& row : values.mid(0, sweep.runs.size()))
                if (const QString word = row.value(axis).trimmed(); !word.isEmpty() && !made.words.contains(word))
                    made.words.append(word);
            std::ranges::sort(made.words, in_order);
            for (int run = 0; run < sweep.runs.size(); ++run) {
                const QString word = run < values.size() ? values[run].value(axis).trimmed() : QString();
                sweep.runs[run].values[axis] = std::numeric_limits<double>::quiet_NaN();
                if (word.isEmpty())
                    continue;
                sweep.runs[run].values[axis] = static_cast<double>(made.words.indexOf(word));
            }
        } else {
            double lowest = HUGE_VAL, highest = -HUGE_VAL;
            for (const SweepRun& run : std::as_const(sweep.runs))
                if (std::isfinite(run.values[axis])) {
                    lowest = std::min(lowest, run.values[axis]);
                    highest = std::max(highest, run.values[axis]);
                }
            made.log = lowest > 0 && highest >= lowest * kLogFactor;
        }
        sweep.axes.append(made);
    }
    return sweep;
}

XRange sweep_range(const Sweep& sweep, int axis) {
    const SweepAxis& at = sweep.axes[axis];
    if (at.isWords())
        return {-0.5, static_cast<double>(at.words.size()) - 0.5};
    double lowest = HUGE_VAL, highest = -HUGE_VAL;
    for (const SweepRun& run : sweep.runs) {
        const double value = run.values.value(axis, std::numeric_limits<double>::quiet_NaN());
        if (std::isfinite(value) && (!at.log || value > 0)) {
            lowest = std::min(lowest, value);
            highest = std::max(highest, value);
        }
    }
    if (lowest > highest)
        return at.log ? XRange{0.1, 1} : XRange{0, 1};
    if (at.log) {
        const double pad = highest > lowest ? std::pow(highest / lowest, kMargin) : 2;
        return {lowest / pad, highest * pad};
    }
    const double pad = highest > lowest ? (highest - lowest) * kMargin : std::max(std::abs(highest) * 0.1, 1e-9);
    return {lowest - pad, highest + pad};
}

std::optional<double> sweep_place(const SweepAxis& axis, const XRange& range, double value) {
    if (!std::isfinite(value) || (axis.log && !(value > 0)))
        return {};
    return PlotFrame::share(value, range, axis.log);
}

}  // namespace trainyard::widgets
