// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The machines of a run that join on their own: this one (rank 0, where the supervisor is) and agents that connect over
// the network. Two modes, as in torchrun:
//
//   by number   every machine was given its number (--machine_rank, or the list of hosts of a launch over SSH): all
//               must join, in any order; a number that is taken or does not exist is refused, with a message at both
//               ends
//   by arrival  (--rdzv_backend c10d) numbers are given in the order of arrival, to at most max_machines
//
// A machine that was lost gets its former number again when its agent reconnects, in the next generation. Each machine
// announces its number of ranks; the numbers may differ.

#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/agent_listener.h"
#include "launch/supervisor/machine_pool.h"
#include "launch/supervisor/remote_machine.h"

namespace trainyard::launch {

struct JoinOptions {
    enum class Way { by_number, by_arrival };
    Way way = Way::by_number;
    int max_machines =
        1;  ///< how many start, and how long others are waited for, is the supervisor's (LaunchSpec::min_machines)
    /// The listener's port is that of the ranks' store: agents cannot connect while ranks run.
    bool port_is_the_stores = false;
    std::vector<std::string>
        hosts;  ///< by number, under the names that the user gave; may be shorter than max_machines
    LinkTimes link;
};

class JoinPool final : public MachinePool {
  public:
    /// `own` is the first machine. Listens at once, so that its port is known: throws UserError where that does not work.
    JoinPool(JoinOptions options, ListenerOptions listener, std::unique_ptr<RankMachine> own, int own_ranks);
    ~JoinPool() override;

    /// Sets the description of the run that agents receive; call before the first take(). If the listener has no
    /// rendezvous, agents must name the run.
    void tell(const std::string& run_id, const std::string& spec, bool recipe);
    int port() const { return listener_.port(); }

    void open() override;
    void close() override;
    void add_descriptors(std::vector<pollfd>& descriptors) const override;
    void take() override;
    std::vector<Participant> participants() override;
    Message missing() const override;
    int waiting() const override;
    std::vector<Message> take_notes() override;
    void over(int exit_code, const Message& text) override;

  private:
    struct Member {
        std::string agent;
        std::string address;
        int machine_rank = 0;
        int ranks = 1;
        int generation_seated = -1;  ///< of `seatings_`
        std::unique_ptr<RemoteMachine> machine;
    };

    void let_in(AgentListener::Arrival arrival);
    Member* place_for(const JoinRequest& request, Message& refusal);
    bool present(const Member& member) const { return member.machine->attached(); }
    int present_machines() const;
    std::vector<const Member*> by_rank() const;
    void note(const Message& text);

    JoinOptions options_;
    AgentListener listener_;
    std::unique_ptr<RankMachine> own_;
    int own_ranks_;
    JoinAnswer answer_;
    std::vector<std::unique_ptr<Member>> members_;  ///< in the order of arrival
    std::vector<Message> notes_;
    bool running_ = false;
    int seatings_ = 0;
};

}  // namespace trainyard::launch
