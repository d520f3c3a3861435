// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A comparison as one HTML file that needs nothing else: the runs, the chart as it was seen, what differs, last and
// best values, and what the metric goes together with. Written by app/report/html.h. Values only: any thread.

#include <QByteArray>
#include <QImage>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

struct ReportInput {
    RunSummaries runs;
    QString tag;      ///< of the chart and of the influence of settings
    QImage chart;     ///< may be null
    QString remark;   ///< below it
    double made = 0;  ///< wall seconds
};

QByteArray pngOf(const QImage& image);
QByteArray comparisonReport(const ReportInput& input);

}  // namespace trainyard::desktop
