// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What ranks and their machines report goes where it belongs: figures and events into the run's folder (run_report.h),
// signs of life to the watch (rank_watch.h), answers to the requests (request_inbox.h), output and event files of a
// program to its watch (program_watch.h). What changes the course of the run goes to a RunControl. Has no processes.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "launch/supervisor/first_failure.h"
#include "launch/supervisor/messages.h"
#include "launch/supervisor/program_watch.h"
#include "launch/supervisor/rank_group.h"
#include "launch/supervisor/rank_watch.h"
#include "launch/supervisor/remote_event_files.h"
#include "launch/supervisor/request_inbox.h"
#include "launch/supervisor/run_report.h"

namespace trainyard::launch {

class RunControl {
  public:
    virtual ~RunControl() = default;
    /// A rank failed. `seen`: how it ended; `reason`: what it reported, or why it was killed; may be empty.
    virtual void suspect(int rank, run::Failure seen, const Message& reason, Weight weight) = 0;
    /// The ranks stop because of the run's health, without a signal.
    virtual void stop_for_health(const Message& reason) = 0;
    /// Rank 0 does not stop, for the reason of this outcome.
    virtual void stop_refused(const RequestOutcome& outcome) = 0;
    /// A machine is about to be taken away.
    virtual void preempted(const std::string& host, const Message& reason) = 0;
};

class RankIntake final : public RankListener {
  public:
    /// References stay valid as long as the object.
    RankIntake(const run::RunPaths& paths, const run::RunSpec& spec, const SupervisorOptions& options, RankGroup& ranks,
               RunReport& report, RankWatch& watch, RequestInbox& requests, RunControl& control);

    /// Records new event files of a program, where it is time to look for them or the program has ended.
    void look_for_event_files(bool ended);
    /// Bytes that ranks have printed since the last call.
    std::size_t take_output_size() { return std::exchange(output_size_, 0); }

    void started(int rank, const ProcessId& process) override;
    void said(int rank, const std::string& line) override;
    void wrote(int rank, std::string_view bytes, bool standard_error) override;
    void curves(const std::string& host, const EventPart& part) override;
    void ended(int rank, int status, const Message& reason) override;
    void lost(const std::string& host, const Message& reason) override;
    void preempted(const std::string& host, const Message& reason) override { control_.preempted(host, reason); }
    void warned(const std::string& host, const Message& text) override;

  private:
    void take(int rank, const Heartbeat& heartbeat);
    void take(int rank, const ProgressReport& report);
    void take(int rank, const EventReport& report);
    void take(int rank, const StoppingReport& report);
    void take(int rank, const RequestOutcome& outcome);
    void take(int rank, const FailureReport& report);
    void report_running(int rank, const Message& text);

    const SupervisorOptions& options_;
    RankGroup& ranks_;
    RunReport& report_;
    RankWatch& watch_;
    RequestInbox& requests_;
    RunControl& control_;
    std::optional<ProgramWatch> program_;
    EventFileReceiver remote_curves_;
    std::size_t output_size_ = 0;
};

}  // namespace trainyard::launch
