// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A request to a live run and its answer: the file that is dropped, and the wait until the supervisor has written the outcome.

#include <optional>

#include "run/request.h"
#include "run/state.h"

namespace trainyard::cli {

/// Throws UserError when the run was never started, or is lost and so answers nothing.
run::RunState state_to_ask(const run::RunPaths& paths);

/// The answer in outcome and text. Waits as long as the run lives: it looks at requests between two steps. Empty when Ctrl-C was
/// pressed, which says on standard error that the request stays. Throws UserError when the run is lost meanwhile or ends without an
/// answer.
std::optional<run::Request> ask_and_wait(const run::RunPaths& paths, run::Request request);

}  // namespace trainyard::cli
