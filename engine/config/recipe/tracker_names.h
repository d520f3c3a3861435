// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trackers of the project and the names of their arguments. Without code of the trackers, so that recipes are
// checked before anything starts.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard {

/// The trackers of the project: EACH(NAME) for each. Every NAME has a file in observe/track with `TrackerKind
/// NAME_kind()`.
#define TRAINYARD_TRACKERS(EACH) \
    EACH(tensorboard)            \
    EACH(jsonl)                  \
    EACH(csv)                    \
    EACH(dvclive) EACH(mlflow) EACH(wandb) EACH(trackio) EACH(swanlab) EACH(comet_ml) EACH(clearml) EACH(aim)

/// Names of the arguments that a tracker of the project takes; none for other trackers.
inline std::vector<std::string> tracker_arguments(std::string_view tracker) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kArguments{{
        {"tensorboard", "filename_suffix purge_step flush_secs max_queue comment"},
        {"jsonl", "path"},
        {"csv", "path"},
        {"dvclive", "dir resume"},
        {"mlflow", "experiment_name run_id run_name tags nested_run description tracking_uri"},
        {"wandb", "entity dir id name notes tags config group job_type mode resume"},
        {"trackio", "name group config resume dir"},
        {"swanlab",
         "workspace experiment_name name description tags group job_type id resume mode logdir log_dir config color "
         "public"},
        {"comet_ml", "workspace experiment_key mode online"},
        {"clearml",
         "task_name project_name task_type tags continue_last_task auto_connect_frameworks auto_connect_arg_parser "
         "auto_connect_streams auto_resource_monitoring"},
        {"aim", "repo run_hash experiment system_tracking_interval log_system_params capture_terminal_logs"},
    }};
    std::vector<std::string> names;
    for (const auto& [name, arguments] : kArguments)
        if (name == tracker)
            for (std::size_t begin = 0; begin < arguments.size();) {
                const std::size_t end = std::min(arguments.find(' ', begin), arguments.size());
                names.emplace_back(arguments.substr(begin, end - begin));
                begin = end + 1;
            }
    return names;
}

}  // namespace trainyard
