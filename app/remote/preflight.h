// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of this machine before a run starts. Independent checks run in parallel, the others after those they need. The
// next run() skips checks that have passed. The results have the format of the table that RemoteLauncher fills for
// hosts.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "remote/remote_run.h"
#include "remote/session.h"

namespace trainyard::remote {

class Preflight {
  public:
    struct Step {
        std::string check;
        std::vector<std::string> needs;  ///< checks that must not have failed
        /// Performs the check and fills in the result except `check` and `host`. `cancelled` is a descriptor that
        /// becomes readable on cancellation.
        std::function<CheckResult(int cancelled)> run;
    };

    Preflight(std::string host, std::vector<Step> steps);
    /// Called on the threads of the checks, one call at a time.
    std::function<void(const CheckResult&)> on_check;

    /// Runs all steps that have not passed, each on its own thread. Returns true if none failed. Blocks.
    bool run();
    /// Thread-safe. run() returns soon; unfinished steps are `waiting` again.
    void cancel() { cancelled_->set(); }
    std::vector<CheckResult> results() const;

  private:
    void tell(std::size_t step, CheckResult result);
    std::string host_;
    std::vector<Step> steps_;
    std::shared_ptr<Cancel> cancelled_ = std::make_shared<Cancel>();
    mutable std::mutex mutex_;
    std::mutex telling_;
    std::vector<CheckResult> results_;
};

/// A run on this machine, as far as it can be checked before the start.
struct LocalTask {
    std::filesystem::path recipe;                    ///< or `program`
    std::vector<std::string> program;                ///< argv of a rank: `python3 train.py --lr 1`, `./train`
    bool is_script = false;                          ///< program[0] is a Python interpreter that runs the rest
    std::filesystem::path directory;                 ///< working directory of the program; empty: the current directory
    std::map<std::string, std::string> environment;  ///< variables of the program, in addition to those of this process
    int ranks = 1;
    std::filesystem::path settings_file;  ///< settings of the launch; empty: none
    int port = 0;                         ///< rendezvous port; 0: any free port
    std::filesystem::path place;          ///< folder of runs; empty: run::runs_root()
    std::filesystem::path worker;         ///< empty: launch::worker_path()
};
/// Identifiers of the checks in their order, with their display names.
std::vector<std::pair<std::string, std::string>> local_checks(const LocalTask& task);
/// Whether a run cannot be started at all while this check fails, here or on a host. The others (memory, torch, a
/// script, GPUs in use, the network) are a forecast: the run may be started all the same.
bool stops_launch(const std::string& check);
std::vector<Preflight::Step> local_steps(const LocalTask& task);
/// The checks that a host of a run performs on itself (launch_checks.h), besides those that prevent any launch
/// (launch::check_spec): memory, disk space, ports; interpreter, torch and script of a program. `ports` must be free;
/// 0: any.
std::vector<Preflight::Step> host_steps(const run::RunSpec& spec, const std::filesystem::path& run_dir, int ranks,
                                        const std::vector<int>& ports);

}  // namespace trainyard::remote
