// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The queue of a machine: runs of one runs folder that wait until those before them have started and what they need is free. No
// daemon keeps it. Each waiting run has its supervisor, a process without ranks that looks here now and then and starts them
// when its turn has come; one that was killed is passed over, as its pid and start time say. The order is the numbers in the files
// queue.json {place} of the runs' folders. Who changes it, or takes a turn, holds a lock on `.queue.lock` of the runs folder,
// which the system gives back when its holder dies. README.md says what counts as free.

#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::run {

/// Devices that a run uses on the machine of its supervisor.
struct Demand {
    std::set<std::string> gpus = {};  ///< by the numbers of CUDA_VISIBLE_DEVICES; none: the processor
    bool operator==(const Demand&) const = default;
};
Demand demand_of(const RunSpec& spec);
/// A run on the processor wants the machine for itself, one on GPUs those GPUs.
bool must_wait(const Demand& mine, const Demand& of_a_live_run);

/// A new run becomes the last one. Throws UserError when its folder cannot be written.
void enter_queue(const RunPaths& run);
/// Makes it the `place`th, from 1; beyond the end: the last. Returns its place. Throws UserError when it does not wait.
int move_in_queue(const RunPaths& run, int place);
/// Those that wait in this runs folder on this machine, the next one first.
std::vector<RunPaths> queued_runs(const fs::path& root);

/// The look of a waiting run at its queue.
class QueueWatch {
  public:
    QueueWatch(RunPaths run, const RunSpec& spec) : run_(std::move(run)), demand_(demand_of(spec)) {}

    struct Look {
        bool started = false;
        int place = 0;        ///< from 1; 0: not known yet, because the queue is locked; try again
        Message waits_for{};  ///< one sentence
    };
    /// Calls `start` when the turn has come (`at_once`: regardless of runs before it and of busy devices). What start()
    /// writes into state.json is visible before another process can look at the queue. What it throws comes through;
    /// the run waits on then.
    Look look(bool at_once, const std::function<void()>& start);

  private:
    RunPaths run_;
    Demand demand_;
    std::map<std::string, fs::file_time_type>
        over_;                               ///< runs that need not be read again, by when their states were written
    std::map<std::string, Demand> demands_;  ///< of others
};

}  // namespace trainyard::run
