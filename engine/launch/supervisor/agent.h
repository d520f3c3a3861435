// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks of one machine on behalf of a run whose head is elsewhere: joins, starts what the head orders, reports, and
// ends its ranks when there is no contact any more. Nothing listens here: the agent goes to the head.
//
// The lease. The agent counts heartbeats and knows when it sent each; the head sends back the newest number it has. The
// agent's lease runs from the moment it *sent* the newest one that came back, the head's from when it *received*
// something of the agent, which is later: of two machines that lose each other, the agent has always ended its ranks
// before the head continues without them. Only monotonic clocks are read, each machine its own; the time of day plays
// no part.
//
// A folder with the run's name under this machine's runs root keeps the ranks' logs (whole, where the head's copy may
// lack what the link was too slow for), event files, run.yaml, the generation that may write, and agent.json: {run_id
// head pid start_time state generation ranks}.

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/message.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/event_files.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/machine_recorder.h"
#include "launch/supervisor/rank_log.h"
#include "launch/supervisor/rank_output.h"
#include "launch/supervisor/remote_event_files.h"
#include "run/spec.h"

namespace trainyard::launch {

struct AgentOptions {
    std::string rendezvous;  ///< the run's id, or the name under which its machines meet
    Secret secret;
    std::string head_address;
    int head_port = 0;
    std::string host;       ///< as people know this machine; empty: its host name
    int machine_rank = -1;  ///< -1: whatever place is free
    int ranks = 1;
    double join_timeout_s = 600;
    /// The program of this machine's ranks if each machine got its own command line (as with torchrun); absent: the
    /// head's order.
    std::optional<run::ProgramSpec> own;
    std::optional<run::OutputSpec> output;  ///< from this machine's command line; absent: from the head's run.yaml
    std::function<void(int rank, int local_rank, std::string_view bytes, bool standard_error)> show;  ///< may be empty
    std::function<void(const Message& sentence)> tell;  ///< receives progress messages for the user
};

class Agent final : private RankListener {
  public:
    explicit Agent(AgentOptions options);
    ~Agent() override;

    /// Returns when the run is over (its exit code), when it cannot be joined (1, or 2 where the head refuses), or when
    /// the agent was stopped (130). No rank is left then.
    int run();

  private:
    enum class Stage { waiting, joining, member };

    // agent.cpp: the connection
    void wait_for_something();
    void wait_for_batch();
    void tend_connection();
    void connect();
    void take_frame(const Frame& frame);
    void take_failure();
    void take_heartbeat(const LinkHeartbeat& heartbeat);
    void beat();
    void lose(const Message& reason);
    void try_later();
    void leave(int code, const Message& sentence);
    void take_signals();
    void report(const AgentReport& report);

    // agent_ranks.cpp: what is ordered, and the ranks
    void take_order(HeadOrder order);
    void become_member(const JoinAnswer& answer);
    void start(MachineOrder order);
    void end_ranks();
    void fence(int generation);
    void send_curves(bool last);
    void write_state(const std::string& state);
    void started(int rank, const ProcessId& process) override;
    void said(int rank, const std::string& line) override;
    void wrote(int rank, std::string_view bytes, bool standard_error) override;
    void ended(int rank, int status, const Message& reason) override;
    void lost(const std::string& host, const Message& reason) override;

    AgentOptions options_;
    std::string id_;  ///< of this agent's life
    std::unique_ptr<LocalMachine> machine_;
    FileDescriptor signals_;

    Stage stage_ = Stage::waiting;
    std::unique_ptr<AgentConnection> connection_;
    double stage_since_ = 0;  ///< monotonic, as all of these
    double joining_since_ = 0;
    double next_try_ = 0;
    double pause_ = 0;          ///< before the try after that
    double refused_since_ = 0;  ///< since when connections have been refused; 0: not refused
    Message last_problem_;
    bool wait_reported_ = false;  ///< since joining_since_
    bool was_member_ = false;

    double lease_s_ = 10;
    double heartbeat_s_ = 1;
    double lease_from_ = 0;
    double beaten_ = 0;
    std::uint64_t beats_ = 0;
    std::deque<std::pair<std::uint64_t, double>> unacknowledged_;
    double round_trip_s_ = 0;

    struct RankHere {
        int local_rank = 0;
        ProcessId process;
        std::unique_ptr<RankLog> log;
        std::uint64_t dropped = 0;  ///< bytes that only the log here has
    };
    bool recipe_ = true;
    std::string run_id_;
    std::filesystem::path folder_;  ///< empty: not a member yet
    std::map<int, RankHere> ranks_;
    int generation_ = 0;
    std::unique_ptr<MachineRecorder> figures_;  ///< of this machine, while it is a member
    std::optional<RankFiles> files_;            ///< copies of what ranks write
    std::optional<EventFiles> written_;         ///< by a program of the user's
    std::optional<EventFileSender> curves_;     ///< of metrics/ in folder_
    double curves_sent_ = 0;
    double woke_ = 0;
    double started_ = 0;            ///< the ranks
    std::size_t taken_output_ = 0;  ///< bytes of ranks since the last look
    int asked_to_end_ = 0;          ///< signals
    std::optional<int> code_;
};

}  // namespace trainyard::launch
