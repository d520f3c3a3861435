// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the command line of `launch`, a settings file and this machine to a recipe's run that can start.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/plan/flags.h"
#include "launch/plan/probe.h"
#include "launch/plan/recipe_settings.h"
#include "launch/supervisor/join_pool.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rendezvous_settings.h"

namespace trainyard::launch {

/// Settings, machine and environment of a launch.
struct LaunchSettings {
    plan::Resolved resolved;
    settings::Machine machine;
    plan::EnvironmentMap environment;  ///< of this process
};
/// Reads the settings file and looks at the machine. `of_recipe`: the engine computes, which needs no libraries of
/// Python. Throws UserError with all problems.
LaunchSettings resolve_launch(const plan::Flags& flags, bool of_recipe = false);
plan::EnvironmentMap this_process_environment();

/// A recipe that can start on this machine, and its place among several that find each other.
struct RecipeLaunch {
    CheckedLaunch checked;
    std::optional<RendezvousSettings> rendezvous;
    std::unique_ptr<JoinPool> pool;             ///< of the head: it listens; none for --dry-run, --check
    std::string deepspeed;                      ///< plan::resolved_deepspeed()
    std::vector<Message> notes;                 ///< for people, before anything starts
    std::vector<plan::RecipeSetting> settings;  ///< what becomes of each one that was given
};
/// Throws InvalidInput with everything that is wrong. A self-check notes ways of training that are not ours instead of
/// refusing them.
/// `command`: argv, for run.yaml. `fetch`: how files of a hub are downloaded; none for --dry-run.
RecipeLaunch check_recipe(const plan::Flags& flags, const std::vector<std::string>& command,
                          const std::optional<hub::FetchOptions>& fetch = std::nullopt);
/// For other machines: nothing of this one is looked at. `notes`: about settings without effect.
run::RunSpec read_recipe(const plan::Flags& flags, const std::vector<std::string>& command,
                         std::vector<Message>& notes);

}  // namespace trainyard::launch
