// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/look_after.h"

#include <cstdio>
#include <set>
#include <string>

#include "base/clock.h"
#include "base/process.h"
#include "checkpoint/files/staging.h"
#include "cli/say.h"
#include "launch/supervisor/orphans.h"
#include "run/folder_record.h"

namespace trainyard::cli {

namespace {

/// Of another machine's processes nothing is known here, and they may still be saving.
bool is_lost_here(const run::ListedRun& run) {
    return run.state && !run.state->mirror && run.state->supervisor_host == host_name() &&
           run::is_lost(*run.state, wall_seconds());
}

/// A link in a folder that this account did not make may lead to checkpoints of another run.
bool may_remove_in(const run::RunPaths& run) {
    std::error_code error;
    return !fs::is_symlink(fs::symlink_status(run.checkpoints(), error)) || run::origin_of(run) == run::RunOrigin::own;
}

}  // namespace

void look_after_lost_runs(const std::vector<run::ListedRun>& runs) {
    try {
        std::set<std::string> lost;
        std::size_t removed = 0;
        for (const run::ListedRun& run : runs)
            if (is_lost_here(run))
                lost.insert(run.paths.root().string());
        if (int ended = launch::end_processes_of_dead_runs(lost); ended > 0)
            std::fprintf(stderr, "trainyard: ended what ranks of lost runs had left: %d %s\n", ended,
                         ended == 1 ? "process" : "processes");
        for (const std::string& folder : lost)
            if (may_remove_in(run::RunPaths(folder)))
                removed += checkpoint::sweep_leftovers(run::RunPaths(folder).checkpoints()).size();
        if (removed > 0)
            std::fprintf(stderr,
                         "trainyard: removed what saves of lost runs had left: %zu half-written or half-removed %s\n",
                         removed, removed == 1 ? "checkpoint" : "checkpoints");
    } catch (const std::exception& error) {
        say_format(stderr, "trainyard: what lost runs have left cannot be removed: %s\n", error.what());
    }
}

void look_after_lost_run(const run::RunPaths& paths, const run::RunState& state) {
    look_after_lost_runs({{paths, state, ""}});
}

}  // namespace trainyard::cli
