// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The machines of a run: a fixed list, or machines that join and leave. The supervisor asks the pool for participants before every generation,
// and waits between two generations until there are enough.
//
// Single-threaded, driven by one poll() loop: nothing here blocks.

#include <memory>
#include <string>
#include <vector>

#include <poll.h>

#include "base/message.h"
#include "launch/supervisor/rank_machine.h"

namespace trainyard::launch {

/// A machine that can take part in the next generation.
struct Participant {
    RankMachine* machine = nullptr;
    int ranks = 1;
    std::string address;  ///< of the interface that its ranks bind to; empty: loopback
};

class MachinePool {
  public:
    virtual ~MachinePool() = default;

    /// Call while no ranks run: machines may join from now on (a pool with a listener listens).
    virtual void open() {}
    /// A generation starts with the result of the last participants(). Machines that join from now on wait for the next generation.
    virtual void close() {}
    /// Appends the descriptors to poll, in addition to the machines' own. A daemon must keep them open when it detaches.
    virtual void add_descriptors(std::vector<pollfd>& descriptors) const { (void)descriptors; }
    /// Reads everything that has arrived, without blocking.
    virtual void take() {}
    /// The machines that are connected now, ordered by machine rank; the first is the supervisor's own and has rank 0. Pointers stay valid until
    /// the pool is destroyed. A lost machine is missing here until it has joined again.
    virtual std::vector<Participant> participants() = 0;
    /// The machines that the run still waits for, as text for the user: "gpu-b, gpu-c" or "1 of 3 machines".
    virtual Message missing() const { return {}; }
    /// Number of machines that have joined since the last participants() and could take part in a larger generation.
    virtual int waiting() const { return 0; }
    /// Sentences for the journal since the last call: which machine joined, which was refused and why.
    virtual std::vector<Message> take_notes() { return {}; }
    /// Ends the run: the machines' agents exit with this code. Waits for them for at most 1 s.
    virtual void over(int exit_code, const Message& text) {
        (void)exit_code;
        (void)text;
    }
};

/// Machines that are known and connected from the start.
class FixedPool final : public MachinePool {
  public:
    void add(std::unique_ptr<RankMachine> machine, int ranks, std::string address = {});
    std::vector<Participant> participants() override;

  private:
    std::vector<std::unique_ptr<RankMachine>> machines_;
    std::vector<Participant> participants_;
};

}  // namespace trainyard::launch
