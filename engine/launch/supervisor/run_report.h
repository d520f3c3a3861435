// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the supervisor writes into the folder of a run: state.json, the journal, records of hangs, and the logs of the
// ranks. A full disk does not end the supervision: what could not be written is written later.

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "launch/supervisor/hang.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/progress_meter.h"
#include "launch/supervisor/rank_log.h"
#include "launch/supervisor/supervisor_options.h"
#include "run/state.h"

namespace trainyard::launch {

class RunReport {
  public:
    /// `options` stays valid as long as the object.
    RunReport(run::RunPaths paths, run::RunState state, const SupervisorOptions& options)
        : paths_(std::move(paths)), options_(options), state_(std::move(state)) {
        state_.idle_s = state_.idle_s.value_or(0);
    }

    const run::RunState& state() const { return state_; }
    /// To change the state, which is written soon; `change_figures`: not in haste, for steps, phases and the like.
    run::RunState& change();
    run::RankState& change(int rank) { return change().ranks[static_cast<std::size_t>(rank)]; }
    run::RunState& change_figures();
    run::RankState& change_figures(int rank) { return change_figures().ranks[static_cast<std::size_t>(rank)]; }

    void set_status(run::Status status, const Message& message);
    void record(const char* kind, const Message& text, int rank = -1, std::int64_t step = -1,
                const std::string& path = {});
    void append(const run::Event& event);
    /// A line with the time in the supervisor's own log.
    static void print(const std::string& line);
    /// A warning with what is known of all ranks in a file of its own.
    void record_hang(const Message& sentence, const std::vector<RankStatus>& ranks, std::optional<int> behind);
    /// The time left is measured from here on.
    void restart_progress();
    void progress(const ProgressReport& report, double now);
    /// Training continues, or the run has ended: ends the idle time (run/idle_time.h).
    void end_idle_time();

    /// Opens the logs of so many ranks. Throws UserError.
    void open_logs(std::size_t ranks);
    /// The same in a folder that was made again.
    void reopen_logs(std::size_t ranks);
    RankLog& log(int rank) { return logs_[static_cast<std::size_t>(rank)]; }
    void record_lost_output();

    /// Monotonic seconds of the next write.
    double due() const;
    bool has_failed() const { return write_failed_; }
    /// `last_contacts`: with the machines of this generation.
    void write(double now, const std::vector<double>& last_contacts);
    /// Tries for 10 s when the disk is full.
    void write_last();
    /// The folder belongs to another run: nothing is written there any more.
    void abandon_folder() { has_folder_ = false; }

  private:
    void write_backlog();

    run::RunPaths paths_;
    const SupervisorOptions& options_;
    run::RunState state_;
    ProgressMeter meter_;
    std::vector<RankLog> logs_;
    std::deque<run::Event> backlog_;  ///< not in the journal yet: the disk was full
    bool has_folder_ = true;
    bool state_changed_ = false, figures_changed_ = false;
    bool restarting_ = false;  ///< the ranks have not made a step since the last restart
    bool write_failed_ = false, journal_failed_ = false;
    double written_ = 0;  ///< monotonic, of state.json
    int hangs_ = 0;       ///< recorded so far
};

}  // namespace trainyard::launch
