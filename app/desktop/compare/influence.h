#pragma once
// How strongly a setting goes together with a metric over the runs of a comparison: for a sweep, "what mattered". Values only.
//
// Numbers: Spearman's rank correlation, -1..1 (C. Spearman, American Journal of Psychology 15, 1904), so that a logarithmic sweep counts as
// well as an even one. Words: the correlation ratio of the metric's ranks, 0..1 (share of their variance between the groups, its root). How easily
// chance does as much is found by shuffling the metric over the runs, with fixed random numbers. Runs that go on are left out: their
// figures are not those they end with. It says what goes together, not what causes what, and a sweep in which two settings change
// together cannot tell them apart.

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
