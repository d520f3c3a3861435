// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run as one file, to give it to others or to another machine.

#include "cli/commands.h"

namespace trainyard::cli {

/// `runs export`, `runs import`.
void add_run_exports(CLI::App& runs, Action& chosen);

}  // namespace trainyard::cli
