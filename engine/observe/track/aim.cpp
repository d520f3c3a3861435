// SPDX-License-Identifier: GPL-3.0-or-later
// A run in a repository of Aim. Its files have an encoding of their own, so that Aim's package writes them (bridge.h).

#include "base/filesystem.h"
#include "observe/track/bridge.h"
#include "observe/track/builtin.h"

namespace trainyard::track {

namespace {

Values aim_settings(const TrackerContext& context) {
    check_arguments("aim", context.arguments, tracker_arguments("aim"));
    const fs::path base = context.logging_dir.empty() ? fs::path(".") : context.logging_dir;
    std::string repository = text_in(context.arguments, "repo", base.string());
    if (repository.find("://") == std::string::npos)
        repository = fs::absolute(repository).lexically_normal().string();
    return {{"project", context.project}, {"repository", repository}, {"arguments", context.arguments}};
}

}  // namespace

/// Aim: a repository in the logging directory, or the argument repo (a folder, or aim:// for a server). Needs the
/// Python package aim (TRAINYARD_PYTHON, else python3). Arguments: experiment, run_hash (the run continues),
/// system_tracking_interval, log_system_params, capture_terminal_logs. Numbers are metrics, other values are texts; the
/// configuration is `hparams`.
TrackerKind aim_kind() {
    TrackerKind kind = remote_kind(
        {.name = "aim",
         .settings = aim_settings,
         .make = [](const Value& open, std::stop_token stop) { return make_bridge("aim", open, std::move(stop)); },
         .keeps_pictures = true,
         .keeps_tables = true,
         .keeps_artifacts = true});
    kind.for_all = [] { return python_has_package("aim"); };
    return kind;
}

}  // namespace trainyard::track
