#pragma once
// The process that looks after a run: starts the ranks, hears them, keeps state.json, journal and logs, hands on requests, names
// the first failure and sees to it that nothing is left behind. One thread, one poll loop.
//
// Names: starting (ranks run, not all have spoken) -> running -> stopping (asked to, or a rank failed) -> finished | failed |
// stopped.

#include <csignal>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "launch/first_failure.h"
#include "launch/messages.h"
#include "launch/oom.h"
#include "launch/prepare.h"
#include "launch/progress_meter.h"
#include "launch/rank_log.h"

namespace trainyard::launch {

/// Limits in seconds. Tests shorten them; the defaults are what is promised.
struct SupervisorOptions {
    double grace_s = 1.0;         ///< after the first failure the others may end by themselves
    double term_s = 0.5;          ///< then SIGTERM, and after this long SIGKILL
    double window_s = 1.0;        ///< in which a failure that explains more takes the place of an earlier one
    double silence_s = 30;        ///< without a word of a rank, or without a step of the run: a warning
    double state_gap_s = 0.1;     ///< shortest time between two writings of state.json
    double state_every_s = 1.5;   ///< longest
    double request_poll_s = 1.0;  ///< look for requests this often where inotify is silent
};

class Supervisor {
  public:
    Supervisor(PreparedRun run, const SupervisorOptions& options);
    ~Supervisor();

    /// Starts all ranks. Throws UserError when one cannot be started; those already started are killed then.
    void start();
    /// Returns when no rank is left and the last state is written: the exit code of a program that had waited.
    int watch();

  private:
    struct Rank {
        run::RankState* state = nullptr;
        FileDescriptor control;
        FileDescriptor output;
        std::unique_ptr<RankLog> log;
        std::string inbox;    ///< received, no whole line yet
        double heard = 0;     ///< monotonic
        bool ended = true;    ///< or not started yet
        bool killed = false;  ///< by us
        bool silent = false;  ///< warned of
    };

    // supervisor.cpp
    void open_descriptors();
    void wait_for_something();
    void read_control(Rank& rank);
    void read_output(Rank& rank);
    void take_message(Rank& rank, const std::string& line);
    void take(Rank& rank, const Heartbeat& heartbeat);
    void take(Rank& rank, const ProgressReport& report);
    void take(Rank& rank, const EventReport& report);
    void take(Rank& rank, const RequestOutcome& outcome);
    void take(Rank& rank, const FailureReport& failure);
    void take_signals();
    bool all_ended() const;
    void set_status(run::Status status, const std::string& message);
    void record(const char* kind, const std::string& text, int rank = -1, std::int64_t step = -1);
    void append(const run::Event& event);
    void write_backlog();
    void write_state_when_due();
    int finish();

    // supervisor_ending.cpp: ranks that end, are ended, or are silent
    void reap();
    void take_end(Rank& rank, int wait_status);
    void suspect(Rank& rank, const run::Failure& failure, const std::string& reason, Weight weight);
    void settle_first_failure();
    void signal_ranks(int number);
    void end_remaining_ranks();
    void warn_of_silence();
    std::string how_it_ended(run::Status status) const;

    // supervisor_requests.cpp
    void take_requests();
    void take_request(run::Request request);
    void stop(const run::Request& request);
    void kill_all();
    void forward(const run::Request& request);
    void flush_outbox();
    void answer(run::Request request, const char* outcome, const std::string& text);
    void answer_left_requests(run::Status status);

    run::RunPaths paths_;
    run::RunSpec spec_;
    run::RunState state_;
    std::filesystem::path worker_;
    FileDescriptor store_socket_;
    int port_;
    SupervisorOptions options_;

    std::vector<Rank> ranks_;
    FirstFailure first_failure_;
    OomWatch oom_;
    ProgressMeter meter_;
    FileDescriptor signals_;
    FileDescriptor inotify_;
    sigset_t old_mask_{};

    bool state_changed_ = false;
    bool write_failed_ = false;
    bool journal_failed_ = false;
    std::deque<run::Event> backlog_;  ///< not in the journal yet: the disk was full
    double written_ = 0;              ///< monotonic, of state.json
    double looked_for_requests_ = 0;
    double moved_ = 0;          ///< monotonic, of the last new step
    bool still_ = false;        ///< warned of
    double failing_since_ = 0;  ///< 0: no failure
    int escalation_ = 0;        ///< 0 waiting, 1 SIGTERM sent, 2 SIGKILL sent
    bool stop_asked_ = false;
    bool kill_asked_ = false;
    std::set<std::string> taken_;  ///< ids of requests
    std::map<std::string, run::Request> unanswered_;
    std::string outbox_;  ///< for rank 0
};

}  // namespace trainyard::launch
