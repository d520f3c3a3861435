#pragma once
// The figures a dashboard can show of a run, each with its words: value, unit, what to compare it with. Without widgets.

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

/// All that are known here, in the order of the menu.
const QVector<MetricInfo>& known_metrics();
/// The known one, or a figure made of the tag itself.
MetricInfo metric_info(const std::string& tag);
/// What a dashboard shows until somebody chooses otherwise.
QStringList usual_metrics();

/// Empty value: nothing is known yet.
struct MetricFigure {
    QString value = {}, unit = {}, note = {};
    widgets::Tone tone = widgets::Tone::Muted;
    QString more = {};  ///< a sentence for the tool tip
};
MetricFigure metric_figure(const RunRecord& run, const std::string& tag);
/// The curve behind the figure.
const widgets::Series& metric_series(const RunRecord& run, const std::string& tag);

/// Share of the last 200 finite values; NaN without any. 0.5: the median.
double recent_quantile(const widgets::Series& series, double share);

/// Of the finite values from `begin` to before `end`; NaN: there is none.
double mean_of(const widgets::Series& series, std::size_t begin, std::size_t end);

}  // namespace trainyard::desktop
