// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether the ranks of a generation are alive and make progress: from their messages, from what they print, and from
// what their machines see. Warns of ranks that are silent, stand still or use no CPU, names the rank that the others
// wait for, and finds a hang after launch.hang_timeout_s. Has neither a clock nor processes: callers pass monotonic
// seconds.

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "launch/supervisor/hang.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/supervisor_options.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::launch {

class RankWatch {
  public:
    /// `condition`: RankMachine::condition() of a rank. References stay valid as long as the object.
    RankWatch(const SupervisorOptions& options, const run::RunSpec& spec, std::function<Message(int rank)> condition)
        : options_(options), spec_(spec), condition_(std::move(condition)) {}

    /// A generation of these ranks starts.
    void begin(const std::vector<run::RankState>& ranks, double now);
    void started(int rank, double now);
    void ended(int rank) { at(rank).ended = true; }
    /// A message of the rank has come. Returns how long it was silent, where that was reported.
    std::optional<double> heard(int rank, double now);
    /// Returns a message about a rank that holds up the others.
    std::optional<Message> heartbeat(int rank, const Heartbeat& heartbeat, double now);
    void progress(int rank, const ProgressReport& report, double now);
    /// A rank of a program has printed something; `step` as its output says, of this rank and of the run.
    void printed(int rank, std::int64_t step, std::int64_t run_step, double now);

    /// The newest step of any rank of this generation; -1: none yet.
    std::int64_t newest_step() const { return newest_step_; }
    /// The newest step that rank 0 has reported, which all ranks have done; -1: none yet.
    std::int64_t reported_step() const { return reported_step_; }

    struct Warning {
        Message text;
        std::optional<int> rank;  ///< that the others wait for
    };
    struct Findings {
        std::vector<RankStatus> ranks;  ///< of a recipe
        std::vector<Warning> warnings;
        std::optional<Warning> hang;  ///< nothing has moved for too long; has a rank
    };
    /// Checks all ranks. Returns nothing if it is too early for the next check.
    std::optional<Findings> look(double now);

    /// How long ranks that were asked to stop at `since` may take. stop_timeout_s for a program, for ranks that have
    /// done no step, and where one is held; others may do ten more steps, and evaluate and save as long as at any other
    /// time.
    double stop_deadline(double since, double now);
    /// Ranks that did not stop in time: `beginning`, and what each was doing.
    Findings overdue(const Message& beginning, double now) const;

  private:
    struct Seen {
        RankStatus status;
        double heard = 0, changed = 0;
        bool ended = false;
        bool warned = false;  ///< of its silence, or of its idleness
    };

    Seen& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
    bool any(auto&& holds) const;
    void moved(Seen& rank, std::int64_t step, double now);
    void look_at_recipe(Findings& found, double now);
    void look_at_program(Findings& found, double now);
    std::vector<RankStatus> statuses(double now) const;
    bool is_held(const RankStatus& status) const;
    bool any_held(const std::vector<RankStatus>& ranks) const;
    double patience() const;

    const SupervisorOptions& options_;
    const run::RunSpec& spec_;
    std::function<Message(int rank)> condition_;
    std::vector<Seen> ranks_;
    SlowRanks slow_;
    std::int64_t newest_step_ = -1, reported_step_ = -1;
    double moved_ = 0;    ///< the last change of any rank
    double step_s_ = 0;   ///< longest of the last steps
    bool still_ = false;  ///< warned of
    double looked_ = 0;
    double stop_work_ = 0;  ///< the last evaluation or save seen since the ranks were asked to stop
};

}  // namespace trainyard::launch
