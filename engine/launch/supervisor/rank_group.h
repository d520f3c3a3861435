// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks of one generation on their machines: given orders, started, signalled, until all have ended.

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "launch/supervisor/machine_pool.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rank_orders.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::launch {

class RankGroup {
  public:
    struct Rank {
        std::size_t machine = 0;  ///< in machines()
        int local_rank = 0;
        bool ended = false;
        bool killed = false;  ///< by end()
    };

    /// Takes the port of `run`. `spec` stays valid as long as the object.
    RankGroup(PreparedRun& run, const run::RunSpec& spec);

    /// A generation on these machines, whose ranks are not started yet. Throws UserError where they have no port to
    /// meet at; the ranks stay those before then.
    void assign(std::vector<Participant> machines, Generation generation);
    /// Starts the ranks, whose first messages `listener` gets. Throws UserError where that fails: those that were
    /// started are killed then.
    void start(RankListener& listener);

    const std::vector<Participant>& machines() const { return machines_; }
    /// "gpu-a", or "gpu-a (2), gpu-b (2) and gpu-c (1)"
    Message places() const;
    /// Hosts and devices of ranks that are not started yet.
    std::vector<run::RankState> states() const;
    /// The machines, all in `state`, and those of `before` that are missing in this generation.
    std::vector<run::MachineState> machine_states(const std::vector<run::MachineState>& before,
                                                  const char* state) const;

    std::size_t size() const { return ranks_.size(); }
    const Rank& operator[](std::size_t rank) const { return ranks_[rank]; }
    bool have_ended() const;
    /// Wall seconds of the last contact with each machine.
    std::vector<double> last_contacts() const;
    /// Rank 0 can be sent requests.
    bool listens() const { return !ranks_.empty() && !ranks_.front().ended; }
    Message condition(int rank) const { return machine_of(rank).condition(rank); }

    void add_descriptors(std::vector<pollfd>& descriptors) const;
    /// Passes what has happened on the machines to `listener`.
    void take(RankListener& listener);
    /// During take() and start(): the machine whose messages are passed on.
    std::size_t sender() const { return sender_; }
    /// Its rank of that number. Nothing for a rank of another machine, about which it must not report.
    const Rank* find(int rank) const;
    /// Its rank has ended. Returns false where that was known, or the rank is another machine's.
    bool set_ended(int rank);
    /// All its ranks have ended with it. Returns those that had not before.
    std::vector<int> lose_machine();

    /// A line to rank 0.
    void send(const std::string& line) { machines_.front().machine->send(0, line); }
    /// To all ranks.
    void signal(int number);
    /// The same, to end them.
    void end(int number);

  private:
    RankMachine& machine_of(int rank) const {
        return *machines_[ranks_[static_cast<std::size_t>(rank)].machine].machine;
    }
    /// Where the ranks meet. Invalid where they need no port.
    FileDescriptor listen(int& port);

    run::RunPaths paths_;
    const run::RunSpec& spec_;
    std::filesystem::path worker_;
    FileDescriptor store_socket_;
    FileDescriptor reservation_;  ///< of port_: ranks of a program bind it some time after their start
    int port_;
    std::vector<Participant> machines_;
    std::vector<MachineOrder> orders_;
    FileDescriptor socket_;  ///< of orders_
    std::vector<Rank> ranks_;
    std::size_t sender_ = 0;
};

}  // namespace trainyard::launch
