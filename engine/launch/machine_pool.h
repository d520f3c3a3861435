#pragma once
// The machines of a run as they come and go: a fixed list for a run on known machines, or whoever joins. The supervisor asks it
// before every generation; between two generations it waits here until there are enough.
//
// One thread, one poll loop: nothing here blocks.

#include <memory>
#include <string>
#include <vector>

#include <poll.h>

#include "launch/rank_machine.h"

namespace trainyard::launch {

/// A machine that can take part in the next generation.
struct Seat {
    RankMachine* machine = nullptr;
    int ranks = 1;
    std::string address;  ///< of the interface that its ranks bind to; empty: loopback
};

class MachinePool {
  public:
    virtual ~MachinePool() = default;

    /// No ranks run: from now on machines may join (a pool with a listener listens).
    virtual void open() {}
    /// A generation begins with the machines of the last seats(): who comes now waits for the next one.
    virtual void close() {}
    /// Appends what to wait for, beside the machines' own descriptors. Also what a daemon must keep open when it detaches.
    virtual void add_descriptors(std::vector<pollfd>& descriptors) const { (void)descriptors; }
    /// Takes in all there is to take, without waiting.
    virtual void take() {}
    /// Those that are there now, in the order of their machine rank; the first one is the supervisor's own and has rank 0. The machines
    /// stay valid until the pool is destroyed; one that was lost is not among them until it has joined again.
    virtual std::vector<Seat> seats() = 0;
    /// Whom the run still waits for, for people: "gpu-b, gpu-c" or "1 of 3 machines".
    virtual std::string missing() const { return {}; }
    /// Machines that have come since the last seats() and could take part in a generation with more of them.
    virtual int waiting() const { return 0; }
    /// What happened here since the last call, for the journal: who joined, who was turned away and why.
    virtual std::vector<std::string> take_notes() { return {}; }
    /// The run is over: the machines' agents leave with this exit code. Waits for them at most a second.
    virtual void over(int exit_code, const std::string& text) {
        (void)exit_code;
        (void)text;
    }
};

/// Machines that are known and there from the start.
class FixedPool final : public MachinePool {
  public:
    void add(std::unique_ptr<RankMachine> machine, int ranks, std::string address = {});
    std::vector<Seat> seats() override;

  private:
    std::vector<std::unique_ptr<RankMachine>> machines_;
    std::vector<Seat> seats_;
};

}  // namespace trainyard::launch
