// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a panel of curves shows as a report (report/report.h): the runs, the panels of the user, or a chart for each
// metric if no panel was made.

#include <QString>

#include "desktop/curves/panel_card.h"
#include "report/report.h"

namespace trainyard::desktop {

/// The sources as they are now. Curves share their points with the sources; nothing else is shared, so that another
/// thread may write the report.
struct PanelReport {
    std::vector<std::shared_ptr<report::ReportRun>> runs;
    std::vector<std::string> folders;  ///< of the runs; those of other logs have no facts
    report::Report report;
};
PanelReport report_of_panel(const PanelContext& context);
/// Returns an empty text, or why the file was not written.
QString write_report(PanelReport report, const QString& file);

}  // namespace trainyard::desktop
