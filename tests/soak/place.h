#pragma once
// Where the run of a soak lives: this machine, or test hosts (tests/hosts). Everything a fault needs to reach a run from outside, and everything
// that must be gone when it has ended.

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

    /// Starts detached. Empty, or the sentence with which it was refused.
    virtual std::string start(const Leg& leg) = 0;
    /// Folder of the run that was started last, as this process sees it and as its own machine does.
    virtual run::RunPaths paths() const = 0;
    virtual std::string path_there() const = 0;
    /// Sends a signal to a process of machine `machine`; nothing happens when it is gone.
    virtual void signal(std::size_t machine, const ProcessId& process, int number) = 0;
    /// Kills the agent of the second machine (SIGKILL).
    virtual void kill_agent() = 0;
    /// What `trainyard WORDS...` says on the machine of the supervisor.
    virtual void command(const std::vector<std::string>& words) = 0;
    /// The disk of machine 0 is full from now on, or no more.
    virtual void fill_disk(bool full) = 0;
    /// No packet reaches the second machine or leaves it.
    virtual void cut(bool off) = 0;
    /// Processes that belong to the run, on any machine; empty when there are none.
    virtual std::string processes() = 0;
    /// Files outside of the runs folder that nobody needs any more: temporary ones and shared memory.
    virtual std::string files_left() = 0;
    /// Ends what is still there, with SIGKILL.
    virtual void end_all() = 0;
    /// Everything that was written, for whoever looks into a finding.
    virtual fs::path everything() const = 0;
    /// Steps of a recipe, lines that a program has written.
    virtual std::int64_t progress() const = 0;

    std::size_t machine_of(const run::RankState& rank, const run::RunState& state) const;
    run::RunState state() const { return run::read_state(paths()).value_or(run::RunState{}); }
};

std::unique_ptr<Place> make_place(const Shape& shape);

}  // namespace trainyard::soak
