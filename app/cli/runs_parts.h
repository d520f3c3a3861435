// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of `trainyard runs`, each in a file of its own.

#include <string>

#include "cli/commands.h"
#include "run/paths.h"

namespace trainyard::cli {

/// `runs attach` and `runs fetch`: runs on other machines.
void add_remote_runs(CLI::App& runs, Action& chosen);
/// `runs sync`.
void add_runs_sync(CLI::App& runs, Action& chosen);
/// `runs continue`: a run that is over continues with more steps.
void add_runs_continue(CLI::App& runs, Action& chosen);
/// `runs export` and `runs import`: a run as one file, to give it to others or to another machine.
void add_run_exports(CLI::App& runs, Action& chosen);
/// `runs label`, `runs archive`, `runs delete`, `runs restore` and `runs trash`.
void add_run_labels(CLI::App& runs, Action& chosen);

/// As run::find_run; a copy of a run on another machine that no process keeps current is continued. For a folder that
/// only says it is such a copy the user is asked, once.
run::RunPaths find_and_follow(const std::string& text);

}  // namespace trainyard::cli
