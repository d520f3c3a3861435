// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A machine at the other end of a connection to its agent (agent.h). Contact is a lease: as long as it has heard from the agent within
// the last lease_s seconds (10; monotonic clock of this machine only) its ranks count; after that the machine is lost, its connection
// closed, and the agent, whose own lease has run out before (agent.h says why), has killed them.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/agent_messages.h"
#include "launch/supervisor/agent_wire.h"
#include "launch/supervisor/rank_machine.h"

namespace trainyard::launch {

struct LinkTimes {
    double lease_s = 10;
    double heartbeat_s = 1;
    double slow_s = 0.1;  ///< a heartbeat's way there and back that is worth a warning
};

class RemoteMachine final : public RankMachine {
  public:
    RemoteMachine(std::string host, const LinkTimes& times);
    ~RemoteMachine() override;

    /// An agent that was let in. A connection that is still there is given up for it.
    void attach(std::unique_ptr<AgentConnection> connection);
    bool attached() const { return connection_ != nullptr; }
    /// Takes in what has arrived, answers heartbeats and looks after the lease. Called by take(); by the pool between generations.
    void tend();
    /// The last words to the agent; waits up to `seconds` until it has them.
    void say_goodbye(const RunOver& over, double seconds);

    const std::string& host() const override { return host_; }
    void start(const MachineOrder& order) override;
    void add_descriptors(std::vector<pollfd>& descriptors) const override;
    void take(RankListener& listener) override;
    void send(int rank, const std::string& line) override;
    void signal(int number) override;
    bool all_ended() const override;
    Message condition(int rank) const override;
    double last_contact() const override { return last_contact_; }

  private:
    struct RankHere {
        int rank = 0;
        bool ended = false;
        Message condition;
    };

    RankHere* find(int generation, int rank);
    void take_frame(const Frame& frame);
    void take_heartbeat(const LinkHeartbeat& heartbeat);
    void take_report(const AgentReport& report);
    void lose(const Message& reason);
    void beat();
    void later(std::function<void(RankListener&)> event);

    std::string host_;
    LinkTimes times_;
    std::unique_ptr<AgentConnection> connection_;
    int generation_ = 0;
    std::vector<RankHere> ranks_;
    std::deque<std::function<void(RankListener&)>> events_;
    double beaten_ = 0;        ///< monotonic, of our last heartbeat
    double last_contact_ = 0;  ///< wall
    std::uint64_t seen_ = 0;   ///< number of the agent's newest heartbeat
    int slow_beats_ = 0;
    bool warned_of_slowness_ = false;
};

}  // namespace trainyard::launch
