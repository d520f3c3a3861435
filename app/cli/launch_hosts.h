// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `trainyard launch --hosts a:2,b:2 ...`: the same run, on machines that are reached by SSH (remote/remote_run.h).

#include <memory>
#include <vector>

#include "launch/plan/flags.h"
#include "launch/plan/recipe_settings.h"
#include "remote/remote_run.h"
#include "run/spec.h"

namespace trainyard::cli {

/// A launcher that asks for passwords at the terminal, shows there what is copied and what it warns of, and is cancelled by Ctrl-C: its
/// check() and start() then throw remote::ConnectionError(cancelled).
class HostsLaunch {
  public:
    /// `spec` on the hosts of the flags; without any on this machine. Throws UserError for numbers that contradict.
    HostsLaunch(const plan::Flags& flags, run::RunSpec spec);
    ~HostsLaunch();
    HostsLaunch(const HostsLaunch&) = delete;
    HostsLaunch& operator=(const HostsLaunch&) = delete;

    remote::RemoteLauncher& launcher();
    /// Throws InvalidInput with all problems of all hosts.
    void check();
    /// After it Ctrl-C is the caller's.
    remote::StartedRun start();
    /// Takes its one line from the terminal.
    void end_line();

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Until the run's first state has come over here. Throws UserError when nothing is heard of it.
void wait_for_first_word(const run::RunPaths& paths);

/// Checks all hosts, starts, and follows as a local run is followed; with --dry-run prints the plan instead, in which
/// `settings` are those of a recipe. Returns the exit code; throws UserError with all problems.
int launch_on_hosts(const plan::Flags& flags, run::RunSpec spec, const std::vector<plan::RecipeSetting>& settings = {});

}  // namespace trainyard::cli
