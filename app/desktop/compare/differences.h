// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tables that compare runs: settings that differ, and metrics. Values only; no widgets.

#include <QString>
#include <QStringList>
#include <QVector>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

struct Differences {
    struct Row {
        QString key;            ///< whole: `optimizer.lr`
        QString shown;          ///< the last part, where no other row ends so
        QStringList values;     ///< one a run; "–": the run has no such key
        QVector<bool> differs;  ///< from the base
    };
    QVector<Row> rows;  ///< keys with more than one value
    int equal = 0;      ///< keys with the same value in all runs
    int unread = 0;     ///< runs whose settings are not read (yet)
    int base = 0;       ///< baseOf()
};

/// Keys that identify a run and its start (name, created, command, recipe_file) are not compared.
Differences differencesOf(const RunSummaries& runs);

/// Index of the run that the others are compared with: the baseline, else the first.
int baseOf(const RunSummaries& runs);
/// Whether both lists have the same runs in the same order, with equal names, colours and settings. Metrics are
/// ignored.
bool look_alike(const RunSummaries& a, const RunSummaries& b);

struct MetricRows {
    struct Row {
        QString tag;
        QVector<double> values;  ///< one a run; NaN: has none
        QVector<bool> present;   ///< whether it has the tag at all
        int best =
            -1;  ///< run with the best value, when at least two have one and they differ, and less or more is better
    };
    QVector<Row> rows;  ///< losses and evaluations first, then by name
    int unjudged = 0;   ///< metrics with a row of last values alone, as nothing says which value is best
};

MetricRows metricRowsOf(const RunSummaries& runs, MetricPart part);

/// Both tables as CSV with full precision: key or tag, then one column a run.
QString comparisonCsv(const RunSummaries& runs, MetricPart part);

}  // namespace trainyard::desktop
