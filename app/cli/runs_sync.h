// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cli/commands.h"

namespace trainyard::cli {

/// `runs sync`.
void add_runs_sync(CLI::App& runs, Action& chosen);

}  // namespace trainyard::cli
