// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/run_answer.h"

#include <cstdio>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "cli/look_after.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "run/run_health.h"

namespace trainyard::cli {

run::RunState state_to_ask(const run::RunPaths& paths) {
    auto state = run::read_state(paths);
    if (!state)
        throw UserError("run {} has no state.json: it was never started", paths.id());
    look_after_lost_run(paths, *state);
    if (run::is_abandoned(*state, wall_seconds()))
        throw UserError(
            "run {} is queued, but the process that waited for its turn has ended: queue it again with `trainyard "
            "launch --queue --run_dir {} {}`",
            paths.id(), paths.root().string(), paths.spec().string());
    // A stale run may recover and handle the request; a lost run never will.
    if (run::is_lost(*state, wall_seconds())) {
        const run::RunHealth health = run::run_health(paths, *state, wall_seconds());
        throw UserError("run {} is {}: {}; `{}` {}", paths.id(), health.status, health.message, health.way_out,
                        health.why_type);
    }
    return *state;
}

std::optional<run::Request> ask_and_wait(const run::RunPaths& paths, run::Request request) {
    const std::string kind = request.kind;
    const std::string id = run::drop_request(paths, std::move(request));
    InterruptFlag interrupt;
    for (;;) {
        // Read the state first: a run answers all requests before it writes its final state.
        run::RunState state = state_to_ask(paths);
        if (auto answer = run::finished_request(paths, id))
            return answer;
        if (run::is_over(state.status))
            throw UserError("run {} ended before it took the request: {}", paths.id(),
                            text::printable(state.message.text()));
        pause_for(kLook);
        if (interrupt.taken()) {
            say(stderr, "The request to " + kind + " " + paths.id() + " remains pending.");
            return std::nullopt;
        }
    }
}

}  // namespace trainyard::cli
