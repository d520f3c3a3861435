// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Commands of `trainyard runs` that edit a run's labels, and that hide or delete runs.

#include "cli/commands.h"

namespace trainyard::cli {

/// `runs label`, `runs archive`, `runs delete`, `runs restore`, `runs trash`.
void add_run_labels(CLI::App& runs, Action& chosen);

}  // namespace trainyard::cli
