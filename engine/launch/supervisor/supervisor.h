// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The process that looks after a run: one thread and one poll loop, which connects what takes in the reports of ranks
// (rank_intake.h), watches them (rank_watch.h), starts them (rank_group.h) and starts them again (restarts.h), ends
// them (ending.h), writes the run's folder (run_report.h), answers requests (request_inbox.h), waits in the queue
// (queue_turn.h) and watches over the folder (run_folder_watch.h). Which of its states follows on which event is a
// table (supervisor_state.h). Recipes and programs, this machine and others make little difference here.
//
// Status in state.json: queued (waits for its turn) -> starting (waits for machines or ranks) -> running -> stopping
// (asked to, or a rank failed) -> starting (a restart) | finished | failed | stopped.

#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/supervisor/ending.h"
#include "launch/supervisor/machine_pool.h"
#include "launch/supervisor/machine_recorder.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/queue_turn.h"
#include "launch/supervisor/rank_group.h"
#include "launch/supervisor/rank_intake.h"
#include "launch/supervisor/rank_watch.h"
#include "launch/supervisor/request_inbox.h"
#include "launch/supervisor/restarts.h"
#include "launch/supervisor/run_folder_watch.h"
#include "launch/supervisor/run_report.h"
#include "launch/supervisor/supervisor_options.h"
#include "launch/supervisor/supervisor_state.h"

namespace trainyard::launch {

class Supervisor : private RunControl {
  public:
    /// Without a pool: this machine alone.
    Supervisor(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool = nullptr);
    ~Supervisor() override;

    /// Starts all ranks, or begins to wait for its turn or for machines. Throws UserError when a rank cannot be
    /// started; those already started are killed then.
    void start();
    /// Returns when no rank is left and the last state is written: the exit code for a program that has waited. A
    /// program's own code is passed on (128 + signal when a signal killed it).
    int watch();

  private:
    /// A step in the table of states. Throws std::logic_error where the event is impossible.
    void go(SupervisorEvent event);
    void open_descriptors();
    void wait_for_something();
    double next_look() const;
    void take_signals();
    void write_state_when_due();
    int finish();

    void look_at_queue();
    void leave_queue();
    void begin();
    void await_machines(double wait_s = 0);
    void begin_when_ready();
    void begin_generation(std::vector<Participant> participants);
    void grow_when_possible();
    bool begin_restart();
    /// After a failure in which memory ran out, where the recipe lets micro-batches become smaller: whether the ranks
    /// start again. Nothing for any other failure.
    std::optional<bool> begin_smaller_batches();
    void begin_again(double wait_s);
    void report_machines(const char* state);

    bool any_resumable() const;

    void suspect(int rank, run::Failure seen, const Message& reason, Weight weight) override;
    void stop_for_health(const Message& reason) override;
    void stop_refused(const RequestOutcome& outcome) override;
    void preempted(const std::string& host, const Message& reason) override;
    void settle_first_failure();
    void fail(const Message& message);
    void watch_ranks();
    void end_remaining_ranks();
    void end_overdue_stop(double now);
    void watch_folder();
    bool make_folder_again(const Message& problem);

    void take_request(const run::Request& request);
    void take_note(const run::Request& request, const run::NoteRequest& note);
    void stop(const run::Request& request, int signal = SIGTERM);
    void kill_all();
    bool rank_0_listens() const { return has_ranks(lifecycle_) && ranks_.listens(); }

    run::RunPaths paths_;
    run::RunSpec spec_;
    SupervisorOptions options_;
    std::unique_ptr<MachinePool> pool_;
    SupervisorState lifecycle_ = SupervisorState::queued;
    RankGroup ranks_;
    RunReport report_;
    RankWatch watch_;
    Restarts restarts_;
    Ending ending_;
    QueueTurn queue_;
    RequestInbox requests_;
    RunFolderWatch folder_;
    RankIntake intake_;
    std::unique_ptr<MachineRecorder> recorder_;  ///< of this machine, from begin() to finish()

    FileDescriptor signals_;
    sigset_t old_mask_{};
    double began_ = 0;  ///< monotonic
    double woke_ = 0;   ///< monotonic
};

}  // namespace trainyard::launch
