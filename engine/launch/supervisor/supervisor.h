#pragma once
// The process that looks after a run: has its ranks started, hears them, keeps state.json, journal and logs, hands on requests, names
// the first failure, starts all ranks anew where that is allowed, and sees to it that nothing is left behind. One thread, one poll
// loop. What ranks run, a recipe or somebody else's program, and on which machines, makes little difference here. Which of its states follows on
// which event is a table (supervisor_state.h).
//
// Names that others see: queued (until its turn has come, run/queue.h) -> starting (machines or ranks are awaited) -> running -> stopping (asked to, or a rank failed)
// -> starting (a restart) | finished | failed | stopped.

#include <csignal>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/hang.h"
#include "launch/supervisor/machine_pool.h"
#include "launch/supervisor/machine_recorder.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/program_watch.h"
#include "launch/supervisor/progress_meter.h"
#include "launch/supervisor/rank_log.h"
#include "launch/supervisor/run_folder_watch.h"
#include "launch/supervisor/supervisor_state.h"
#include "run/queue.h"

namespace trainyard::launch {

/// Limits in seconds. Tests shorten them; the defaults are what is promised.
struct SupervisorOptions {
    double grace_s = 1.0;         ///< after the first failure the others may end by themselves
    double term_s = 0.5;          ///< then SIGTERM, and after this long SIGKILL
    double program_term_s = 5;    ///< the same for programs, which may have to clean up
    double window_s = 1.0;        ///< in which a failure that explains more takes the place of an earlier one
    double heartbeat_s = 1.0;     ///< longest time between two words of a rank
    double silence_s = 10;        ///< without a word: a warning; after two heartbeats where its machine sees it stopped
    double still_s = 10;          ///< without a step, phase or collective of any rank, and ten steps' time: a warning
    double first_step_s = 60;     ///< the same before the first step of a generation
    double idle_s = 60;           ///< a program without output that uses no CPU: a warning
    double state_gap_s = 0.2;     ///< shortest time between two writings of state.json
    double figures_gap_s = 0.4;   ///< where only steps and phases have moved: every rename makes the disk work
    double state_every_s = 1.5;   ///< longest
    double request_poll_s = 1.0;  ///< look for requests this often where inotify is silent
    double backoff_s = 1.0;       ///< before a restart after a generation that was short, doubled each time up to 30
    double short_life_s = 10;     ///< what is short
    double queue_look_s = 0.5;    ///< between two looks of a run that waits for its turn
    double last_call_s = 30;      ///< when the fewest machines are there, others may still come for so long
    bool foreground = false;      ///< somebody waits at a terminal: its hang-up counts as a stop

    /// What ranks write, beside their logs.
    std::function<void(int rank, int local_rank, std::string_view bytes, bool standard_error)> output;
    /// What the journal gets.
    std::function<void(const run::Event&)> happened;
};

class Supervisor : private RankListener {
  public:
    /// Without a pool: this machine alone.
    Supervisor(PreparedRun run, SupervisorOptions options, std::unique_ptr<MachinePool> pool = nullptr);
    ~Supervisor() override;

    /// Starts all ranks, or waits for its turn or for machines from now on. Throws UserError when a rank cannot be started; those already started are
    /// killed then.
    void start();
    /// Returns when no rank is left and the last state is written: the exit code of a program that had waited. A program's own code
    /// comes through (128 + signal when a signal killed it).
    int watch();

  private:
    struct Rank {
        run::RankState* state = nullptr;
        std::size_t machine = 0;  ///< in participants_
        int local_rank = 0;
        RankLog* log = nullptr;
        double heard = 0;    ///< monotonic
        double changed = 0;  ///< monotonic, of step, phase or collective
        std::string waits_for;
        bool ended = false;
        bool killed = false;  ///< by us
        bool silent = false;  ///< warned of
    };

    // supervisor.cpp: the loop
    /// A step in the table of states; whether it leads to another state. Throws std::logic_error where the table has none.
    bool go(SupervisorEvent event);
    void open_descriptors();
    void wait_for_something();
    double next_look() const;
    void take_signals();
    bool all_ended() const;
    int finish();
    run::Status final_status() const;
    int exit_code(run::Status status) const;
    Message how_it_ended(run::Status status) const;

    // supervisor_words.cpp: what ranks say, and what is written of it
    void started(int rank, const ProcessId& process) override;
    void said(int rank, const std::string& line) override;
    void wrote(int rank, std::string_view bytes, bool standard_error) override;
    void take(Rank& rank, const Heartbeat& heartbeat);
    void take(Rank& rank, const ProgressReport& report);
    void take(Rank& rank, const EventReport& report);
    void take(Rank& rank, const StoppingReport& report);
    void take(Rank& rank, const RequestOutcome& outcome);
    void take(Rank& rank, const FailureReport& failure);
    void moved(Rank& rank, bool step);
    void read_progress(Rank& rank, std::string_view bytes, bool standard_error);
    void link_event_files(bool ended);
    void curves(const std::string& host, const EventPart& part) override;
    Rank* find(int rank);
    void set_status(run::Status status, const Message& message);
    void record(const char* kind, const Message& text, int rank = -1, std::int64_t step = -1,
                const std::string& path = {});
    void append(const run::Event& event);
    void write_backlog();
    void write_state_when_due();
    double state_due() const;

    // supervisor_folder.cpp: the run's folder is taken away
    void watch_folder();
    bool make_folder_anew();
    Message how_the_folder_was_lost() const;

    // supervisor_queue.cpp: until its turn has come
    void await_turn();
    void look_at_queue();
    void leave_queue();
    void take_queue_request(const run::Request& request);
    bool is_queued() const { return queue_.has_value(); }

    // supervisor_generations.cpp: machines come, ranks are started, and started anew
    void begin();
    void await_machines();
    void begin_when_ready();
    bool enough_machines(const std::vector<Participant>& participants, double now);
    void begin_generation(std::vector<Participant> participants);
    FileDescriptor rendezvous_socket(int& port);
    void make_ranks(const std::vector<MachineOrder>& orders);
    void grow_when_possible();
    bool begin_grown();
    void begin_anew(double wait);
    bool begin_restart();
    Message why_no_restart() const;
    void tell_machines(const char* state);

    // supervisor_ending.cpp: ranks that end or are ended
    void ended(int rank, int status, const Message& reason) override;
    void lost(const std::string& host, const Message& reason) override;
    void preempted(const std::string& host, const Message& reason) override;
    void warned(const std::string& host, const Message& text) override;
    void suspect(Rank& rank, const run::Failure& failure, const Message& reason, Weight weight);
    void settle_first_failure();
    void fail(const Message& message);
    void signal_ranks(int number);
    void end_remaining_ranks();

    // supervisor_watching.cpp: ranks that do not get on
    void watch_ranks();
    bool is_held(const RankStatus& rank_status) const;
    double stop_deadline(double now);
    void end_overdue_stop(double now);
    void watch_program(double now);
    std::vector<RankStatus> rank_statuses(double now);
    void report_hang(const Message& beginning, const std::vector<RankStatus>& ranks, std::optional<int> behind);
    double patience() const;

    // supervisor_requests.cpp
    void take_requests();
    void take_request(run::Request request);
    void stop(const run::Request& request, int signal = SIGTERM);
    void kill_all();
    void forward(const run::Request& request);
    bool rank_0_listens() const;
    void answer(run::Request request, const char* outcome, const Message& text);
    void answer_unanswered(const char* outcome, const Message& text);
    void answer_left_requests(run::Status status);

    run::RunPaths paths_;
    run::RunSpec spec_;
    run::RunState state_;
    std::filesystem::path worker_;
    FileDescriptor store_socket_;
    FileDescriptor reservation_;  ///< of port_: ranks of a program bind it some time after their start
    int port_;
    SupervisorOptions options_;
    std::unique_ptr<MachinePool> pool_;
    std::unique_ptr<MachineRecorder> machine_;  ///< figures of this one, from start() to finish()

    std::vector<Participant> participants_;  ///< of this generation
    std::size_t taking_ = 0;                 ///< whose news are taken
    std::vector<Rank> ranks_;
    std::map<int, std::unique_ptr<RankLog>> logs_;
    FirstFailure first_failure_;
    ProgressMeter meter_;
    std::optional<ProgramWatch> program_;
    EventFileReceiver far_curves_;
    SlowRanks slow_ranks_;
    FileDescriptor signals_;
    FileDescriptor inotify_;
    sigset_t old_mask_{};

    RunFolderWatch folder_;
    bool folder_is_ours_ = true;  ///< else nothing is written there any more
    Message folder_problem_;      ///< it was taken away

    bool state_changed_ = false;
    bool figures_changed_ = false;  ///< steps, phases and the like: of no haste
    bool write_failed_ = false;
    bool journal_failed_ = false;
    std::deque<run::Event> backlog_;  ///< not in the journal yet: the disk was full
    double written_ = 0;              ///< monotonic, of state.json
    double woke_ = 0;                 ///< monotonic
    std::size_t taken_output_ = 0;    ///< bytes of ranks since then
    double looked_for_requests_ = 0;

    std::optional<run::QueueWatch> queue_;  ///< as long as it waits for its turn
    bool start_asked_ = false;              ///< whatever its place is
    double looked_at_queue_ = 0;            ///< monotonic

    SupervisorState lifecycle_ = SupervisorState::queued;
    double began_ = 0;                 ///< monotonic
    double joining_since_ = 0;         ///< monotonic
    double enough_since_ = 0;          ///< the fewest machines are there; 0: not yet
    double restart_at_ = 0;            ///< not before
    double generation_began_ = 0;      ///< monotonic
    int short_lives_ = 0;              ///< generations in a row that were short
    int without_step_ = 0;             ///< generations in a row that ended before their first step
    std::int64_t newest_step_ = -1;    ///< of any rank of this generation; -1: none yet
    std::int64_t reported_step_ = -1;  ///< the newest that rank 0 of this generation has reported: all have done it

    double moved_ = 0;             ///< monotonic, of the last change of any rank
    double step_s_ = 0;            ///< longest of the last steps
    bool still_ = false;           ///< warned of
    int hangs_ = 0;                ///< reported so far
    double looked_ = 0;            ///< monotonic, at the ranks of a program
    double failing_since_ = 0;     ///< where is_failing()
    int escalation_ = 0;           ///< 0 waiting, 1 SIGTERM sent, 2 SIGKILL sent
    bool stop_saves_ = true;       ///< the stop: after a checkpoint
    Message health_stop_;          ///< why the ranks end by themselves; empty: they do not
    int stop_signal_ = 0;          ///< the signal that asked us; 0: none
    double stopping_since_ = 0;    ///< the ranks were asked to end; 0: not, or they were killed
    double stop_work_ = 0;         ///< monotonic, the last evaluation or save seen since then
    Message stop_problem_;         ///< why the stop became a kill
    std::set<std::string> taken_;  ///< ids of requests
    std::map<std::string, run::Request> unanswered_;
};

}  // namespace trainyard::launch
