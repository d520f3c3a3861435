// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run that is over continues with more steps.

#include "cli/commands.h"

namespace trainyard::cli {

/// `runs continue`.
void add_runs_continue(CLI::App& runs, Action& chosen);

}  // namespace trainyard::cli
