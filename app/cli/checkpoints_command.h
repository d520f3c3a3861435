// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of `trainyard checkpoints`, each with its subcommands: inside app/cli.

#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "cli/commands.h"
#include "observe/inspect/contents.h"

namespace trainyard::cli {

void add_checkpoints_list(CLI::App& group, Action& chosen);   ///< list, pin, prune, restore
void add_checkpoints_look(CLI::App& group, Action& chosen);   ///< show, diff, verify
void add_checkpoints_write(CLI::App& group, Action& chosen);  ///< merge, convert, export, rename, average

/// Runs work that takes long: Ctrl-C ends it, standard error tells how far it is where it is a terminal.
int with_progress(const std::string& doing, const std::function<int(Progress&)>& work);

/// A path, a run, a run's `@step`, or a model of the hub, which is downloaded if it is not in the cache.
inspect::fs::path checkpoint_named(const std::string& text);
/// Prints the tensors of a checkpoint on this computer as a tree, with dtypes and shapes.
void print_structure(const inspect::fs::path& checkpoint);
/// "whole", "being written", ...
std::string state_words(inspect::CheckpointState state);
/// "8192 × 2048"
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace trainyard::cli
