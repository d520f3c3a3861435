// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Correlation between each setting and a metric over the runs of a comparison, to find the settings that mattered in a
// sweep. Values only.
//
// Numbers: Spearman's rank correlation, -1..1 (C. Spearman, American Journal of Psychology 15, 1904), so that a
// logarithmic sweep counts as well as a linear one. Words: the correlation ratio of the metric's ranks, 0..1 (square
// root of the share of their variance between the groups). How easily chance produces the same value is estimated by
// shuffling the metric over the runs, with fixed random numbers. Active runs are left out because their figures are not
// final. The result is association, not causation, and two settings that change together in a sweep cannot be
// separated.

#include <QString>
#include <QVector>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

struct Influence {
    static constexpr int kLeastRuns = 5;  ///< fewer say nothing

    struct Row {
        QString key, shown;
        bool ofNumbers = false;
        int runs = 0;         ///< that have both the setting and the metric
        double strength = 0;  ///< NaN: too few runs, or all the same
        double chance = 1;    ///< share of the shuffles that are at least as strong
    };
    QVector<Row> rows;  ///< the strongest first; those without a strength last
    int runs = 0;       ///< that are over and have the metric
    int tested = 0;     ///< rows with a strength
    int shuffles = 0;   ///< of each at least
};

Influence influenceOf(const RunSummaries& runs, const QString& tag, MetricPart part);

/// Places in ascending order from 1; equal values share their mean place.
QVector<double> ranksOf(const QVector<double>& values);

}  // namespace trainyard::desktop
