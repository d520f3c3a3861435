// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The machine of a soak run: this machine, or test hosts (tests/hosts). Has the functions that a fault uses to disturb
// a run from outside, and those that list resources which must be released when it has ended.

#include <memory>
#include <string>

#include "run/paths.h"
#include "run/state.h"
#include "soak/shapes.h"

namespace trainyard::soak {

namespace fs = std::filesystem;

/// One start of a run.
struct Leg {
    std::string resume_from;  ///< run folder as its machine sees it; empty: from the beginning
    int max_restarts = 0;
};

class Place {
  public:
    virtual ~Place() = default;

    /// Starts a detached run. Returns an empty string, or the message with which it was refused.
    virtual std::string start(const Leg& leg) = 0;
    /// Returns the folder of the run that was started last, as seen from this process, and as seen from its machine.
    virtual run::RunPaths paths() const = 0;
    virtual std::string path_there() const = 0;
    /// Sends a signal to a process of machine `machine`. Does nothing if it has exited.
    virtual void signal(std::size_t machine, const ProcessId& process, int number) = 0;
    /// Kills the agent of the second machine (SIGKILL).
    virtual void kill_agent() = 0;
    /// Runs `trainyard WORDS...` on the machine of the supervisor.
    virtual void command(const std::vector<std::string>& words) = 0;
    /// Fills or frees the disk of machine 0.
    virtual void fill_disk(bool full) = 0;
    /// Cuts the second machine off from the network, or reconnects it.
    virtual void cut(bool off) = 0;
    /// Returns a list of the processes of the run on all machines, or an empty string.
    virtual std::string processes() = 0;
    /// Returns a list of temporary files and shared memory that were not removed.
    virtual std::string files_left() = 0;
    /// Kills all remaining processes with SIGKILL.
    virtual void end_all() = 0;
    /// Returns the folder of all files that the soak wrote, to be inspected after a failure.
    virtual fs::path everything() const = 0;
    /// Returns the number of steps of a recipe, or of lines that a program has written.
    virtual std::int64_t progress() const = 0;

    std::size_t machine_of(const run::RankState& rank, const run::RunState& state) const;
    run::RunState state() const { return run::read_state(paths()).value_or(run::RunState{}); }
};

std::unique_ptr<Place> make_place(const Shape& shape);

}  // namespace trainyard::soak
