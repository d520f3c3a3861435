// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names that tell runs apart: a new run gets one that no other has.

#include <QMap>
#include <QSet>
#include <QString>

#include "desktop/runs/run_summary.h"

namespace trainyard::desktop {

/// `name` where no run has it; else with what differs from the newest run of that name, where that is one setting that says something
/// (`sample-lr3e-3`), else with a number (`sample-2`). `values`: of the recipe that will be started, by dotted key; may be empty.
QString unique_run_name(const QString& name, const RunSummaries& runs, const QMap<QString, QString>& values = {});
/// Names that more than one run of the list has.
QSet<QString> repeated_names(const RunSummaries& runs);
/// The last letters of a run's id, which are chance: `4f2a`.
QString short_id(const RunSummary& run);

}  // namespace trainyard::desktop
