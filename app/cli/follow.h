// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run on the terminal: its events as lines, its progress as one line that is redrawn (or a plain line now and then
// where nobody watches), and at the end how it ended.

#include <optional>
#include <string>

#include "run/state.h"

namespace trainyard::cli {

/// Follows until the run is over or Ctrl-C leaves it. Returns the exit code (base/error.h): 0 finished, 1 failed or
/// lost, 75 stopped and can be resumed, 130 left or stopped without a checkpoint. `quiet` prints nothing but the end.
int follow(const run::RunPaths& paths, bool quiet = false);

/// Speeds that a progress line shows.
struct Throughput {
    std::string unit = "tokens";             ///< that tokens_per_s counts
    std::optional<double> steps_per_s = {};  ///< absent: not known
};

/// What a run counts per second: tokens, or images. Tokens if its description cannot be read.
std::string throughput_unit(const run::RunPaths& paths);

/// `step 120/600 [####      ] 20 %  loss 3.214  3.20 steps/s  23.1 k tokens/s  38 s left`, at most `width` columns.
/// The bar is left out if the number of steps is not known.
std::string progress_line(const run::Progress& progress, int width, const Throughput& throughput = {});

/// What `trainyard runs` takes for this run, as a word of a shell: its id, or its folder outside of runs_root().
std::string word_of_run(const run::RunPaths& paths);

/// Exit code for a run that is over or lost.
int exit_code_of(const run::RunPaths& paths, const run::RunState& state);

/// Waits for the run's end without printing; throws UserError when it is lost. Empty when Ctrl-C was pressed.
std::optional<run::RunState> wait_until_over(const run::RunPaths& paths);

}  // namespace trainyard::cli
