// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run as a report shows it: what is in its folder, read once.

#include <memory>
#include <string>
#include <vector>

#include "report/report.h"
#include "run/paths.h"

namespace trainyard::report {

/// Reads the run's metrics, state, labels, settings and the newest evaluation of a classification. What cannot be read
/// is a problem of the run; throws UserError only if there is no such folder.
std::unique_ptr<ReportRun> open_run(const run::RunPaths& run);
/// The same without its metrics.
std::unique_ptr<ReportRun> read_run_facts(const run::RunPaths& run);

}  // namespace trainyard::report
