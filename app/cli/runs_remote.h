// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Commands of `trainyard runs` for runs on other machines.

#include <string>

#include "cli/commands.h"
#include "run/paths.h"

namespace trainyard::cli {

/// `runs attach` and `runs fetch`.
void add_remote_runs(CLI::App& runs, Action& chosen);

/// As run::find_run; a copy of a run on another machine that no process keeps current is continued. For a folder that
/// only says it is such a copy the user is asked, once.
run::RunPaths find_and_follow(const std::string& text);

}  // namespace trainyard::cli
