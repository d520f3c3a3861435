// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The metrics that a dashboard can show of a run, each as text: value, unit, and what to compare it with. Without
// widgets.

#include <QString>
#include <QVector>

#include "desktop/dashboard/run_record.h"
#include "widgets/token.h"

namespace trainyard::desktop {

struct MetricInfo {
    std::string tag;  ///< or tag::kMemory
    QString title;
    int color = 1;
};

/// Returns all known metrics, in the order of the menu.
const QVector<MetricInfo>& known_metrics();
/// Returns the known metric of the tag, or one derived from the tag itself.
MetricInfo metric_info(const std::string& tag);
/// The metrics that a dashboard shows by default; of a program its own first ones.
QStringList usual_metrics(const RunRecord& run);

/// Empty value: nothing is known yet.
struct MetricFigure {
    QString value = {}, unit = {}, note = {};
    widgets::Tone tone = widgets::Tone::Muted;
    QString more = {};  ///< a sentence for the tool tip
};
MetricFigure metric_figure(const RunRecord& run, const std::string& tag);
/// The curve behind the figure.
const widgets::Series& metric_series(const RunRecord& run, const std::string& tag);

/// Returns a quantile of the last 200 finite values (0.5: the median), or NaN without values.
double recent_quantile(const widgets::Series& series, double share);

/// Returns the mean of the finite values in [begin, end), or NaN without values.
double mean_of(const widgets::Series& series, std::size_t begin, std::size_t end);

}  // namespace trainyard::desktop
