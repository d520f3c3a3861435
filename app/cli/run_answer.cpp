#include "cli/run_answer.h"

#include <cstdio>

#include "base/clock.h"
#include "base/error.h"
#include "cli/terminal.h"

namespace trainyard::cli {

run::RunState state_to_ask(const run::RunPaths& paths) {
    auto state = run::read_state(paths);
    if (!state)
        throw UserError("run " + paths.id() + " has no state.json: it was never started");
    if (run::is_abandoned(*state, wall_seconds()))
        throw UserError("run " + paths.id() +
                        " is queued, but nobody waits for its turn any more: queue it again with `trainyard launch "
                        "--queue --run_dir " +
                        paths.root().string() + " " + paths.spec().string() + "`");
    if (run::is_lost(*state, wall_seconds()))
        throw UserError("run " + paths.id() + " is lost: its supervisor is gone and its ranks with it");
    return *state;
}

std::optional<run::Request> ask_and_wait(const run::RunPaths& paths, run::Request request) {
    const std::string kind = request.kind;
    const std::string id = run::drop_request(paths, std::move(request));
    InterruptFlag interrupt;
    for (;;) {
        // The state is read first: a run that is over answered everything before its last state.
        run::RunState state = state_to_ask(paths);
        if (auto answer = run::finished_request(paths, id))
            return answer;
        if (run::is_over(state.status))
            throw UserError("run " + paths.id() + " ended before it took the request: " + state.message);
        pause_for(kLook);
        if (interrupt.taken()) {
            std::fprintf(stderr, "The request to %s %s stays asked.\n", kind.c_str(), paths.id().c_str());
            return std::nullopt;
        }
    }
}

}  // namespace trainyard::cli
