// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the ranks of a run are ended, after a failure or when they were asked to stop, and how the end is named: first
// failure, status, exit code, message. Has no processes of its own; callers pass monotonic seconds.

#include <optional>

#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/supervisor_options.h"
#include "launch/supervisor/supervisor_state.h"
#include "run/spec.h"

namespace trainyard::launch {

class Ending {
  public:
    /// References stay valid as long as the object.
    Ending(const SupervisorOptions& options, const run::RunSpec& spec)
        : options_(options), spec_(spec), first_failure_(options.window_s) {}

    /// The ranks start again.
    void begin_generation();

    /// A rank failed: the others are ended from now on.
    void begin_failing(double now) { failing_since_ = now; }
    /// A rank has failed: adds to `seen` what is known of it. `reason`: what the rank reported, or why it was killed;
    /// may be empty.
    run::Failure suspect(const run::RankState& rank, run::Failure seen, const Message& reason, Weight weight,
                         double now);
    /// The rank that failed first, as soon as that is certain.
    const run::Failure* verdict(double now, bool all_ended) const { return first_failure_.verdict(now, all_ended); }
    /// Ranks that wait for each other are killed at once.
    void skip_grace() { signals_sent_ = 1; }
    /// The signal that the ranks are due for after a failure: SIGTERM, later SIGKILL, once each.
    std::optional<int> due_signal(double now);

    /// The ranks are asked to stop, or to make room for a machine.
    void begin_stop(double now) { stopping_since_ = now; }
    void set_saves(bool saves) { saves_ = saves; }
    bool saves() const { return saves_; }
    /// The ranks continue, or were killed.
    void end_stop() { stopping_since_ = 0; }
    /// Monotonic seconds; 0: the ranks were not asked to stop, or were killed.
    double stopping_since() const { return stopping_since_; }
    void stop_failed(const Message& problem) { stop_problem_ = problem; }
    bool has_stop_failed() const { return !stop_problem_.empty(); }
    /// The signal that asked for the stop.
    void set_signal(int number) { stop_signal_ = number; }
    /// The ranks stop because of their own health checks.
    void set_health_stop(const Message& reason) { health_stop_ = reason; }

    /// `resumable`: a rank has ended after a checkpoint, on request.
    run::Status status(const run::RunState& state, SupervisorState lifecycle, bool resumable) const;
    int exit_code(run::Status status, const run::RunState& state) const;
    /// `lasted`: seconds without idle time.
    Message sentence(run::Status status, const run::RunState& state, SupervisorState lifecycle, double lasted,
                     const run::RunPaths& paths) const;

  private:
    const SupervisorOptions& options_;
    const run::RunSpec& spec_;
    FirstFailure first_failure_;
    double failing_since_ = 0;
    int signals_sent_ = 0;  ///< 1: SIGTERM, 2: SIGKILL
    double stopping_since_ = 0;
    bool saves_ = true;  ///< the stop: after a checkpoint
    int stop_signal_ = 0;
    Message health_stop_;
    Message stop_problem_;  ///< why the stop became a kill
};

}  // namespace trainyard::launch
