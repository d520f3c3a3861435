// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The ranks of one machine, as the supervisor of a run sees them: on this machine (child processes) or on another one (an agent at
// the other end of a connection). The supervisor knows no other difference between the two.
//
// One thread, one poll loop: nothing here blocks. Ranks are named by their rank in the whole run.

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>

#include "base/message.h"
#include "base/process.h"
#include "launch/supervisor/remote_event_files.h"

namespace trainyard::launch {

inline constexpr int kMostRanks = 4096;     ///< of a machine
inline constexpr int kMostWorld = 1 << 20;  ///< ranks of a run
inline constexpr int kMostGenerations = 1 << 30;

struct RankOrder {
    int rank = 0;
    int local_rank = 0;
    std::map<std::string, std::string> environment;  ///< beside MachineOrder::environment

    void fields(auto& field) const {
        field.all_required();
        field("rank", rank).between(0, kMostWorld);
        field("local_rank", local_rank).between(0, kMostRanks);
        field("environment", environment);
    }
};

/// One generation of a machine's ranks.
struct MachineOrder {
    int generation = 1;
    int machine_rank = 0;                            ///< GROUP_RANK
    std::vector<std::string> command;                ///< argv of every rank; started without a shell
    std::map<std::string, std::string> environment;  ///< set on top of the machine's own
    std::filesystem::path directory;                 ///< to start in; empty: the machine's own
    bool share_cores = false;   ///< OMP_NUM_THREADS is its cores / ranks where neither order nor machine sets it
    bool cpu_affinity = false;  ///< each rank gets cores of its own, near its GPU (LOCAL_RANK's)
    std::vector<RankOrder> ranks;
    int store_socket = -1;  ///< listening, for the machine of rank 0: handed to rank 0 ($TRAINYARD_STORE_FD)

    /// An order to another machine. The socket means nothing there.
    static constexpr const char* kKind = "start";
    void fields(auto& field) const {
        field.all_required();
        field("generation", generation).between(0, kMostGenerations);
        field("machine_rank", machine_rank).between(0, kMostWorld);
        field("command", command)("environment", environment)("directory", directory)("share_cores", share_cores);
        field("cpu_affinity", cpu_affinity);
        field("ranks", ranks).at_most(kMostRanks);
    }
};

/// Receives the events of the ranks of a machine, in the order in which they were seen.
class RankListener {
  public:
    virtual ~RankListener() = default;
    virtual void started(int rank, const ProcessId& process) = 0;
    /// One line of the control channel (messages.h), without its newline.
    virtual void said(int rank, const std::string& line) = 0;
    virtual void wrote(int rank, std::string_view bytes, bool standard_error) = 0;
    /// `status` as of waitpid; `reason` says what only that machine can know (its out-of-memory killer struck, ...), else empty.
    virtual void ended(int rank, int status, const Message& reason) = 0;
    /// The machine could not start a rank, or there has been no contact for too long: none of its ranks counts any more. A machine
    /// that comes back takes part in the next generation only.
    virtual void lost(const std::string& host, const Message& reason) = 0;
    /// The machine is about to be preempted (its agent got SIGTERM): handled like a request to stop the run.
    virtual void preempted(const std::string& host, const Message& reason) {
        (void)host;
        (void)reason;
    }
    /// A piece of an event file of that machine: curves of its ranks.
    virtual void curves(const std::string& host, const EventPart& part) {
        (void)host;
        (void)part;
    }
    /// A notice for the user about a machine or the link to it; nothing has failed.
    virtual void warned(const std::string& host, const Message& text) {
        (void)host;
        (void)text;
    }
};

class RankMachine {
  public:
    /// Kills the remaining ranks, with everything they started.
    virtual ~RankMachine() = default;

    virtual const std::string& host() const = 0;  ///< as shown to the user
    /// All ranks of the last order have ended by then. Throws UserError when it is clear at once that they cannot be started.
    virtual void start(const MachineOrder& order) = 0;
    /// Appends the descriptors to poll.
    virtual void add_descriptors(std::vector<pollfd>& descriptors) const = 0;
    /// Reads all pending input, without blocking.
    virtual void take(RankListener& listener) = 0;
    /// Sends a line to a rank's control channel, with a newline added; dropped if the rank has ended.
    virtual void send(int rank, const std::string& line) = 0;
    /// Sends a signal to the process group of every rank that has not ended.
    virtual void signal(int number) = 0;
    virtual bool all_ended() const = 0;

    /// What the machine sees of a rank from outside, for the report of a hang: "is stopped (SIGSTOP)", "waits in the kernel for
    /// nfs_wait", "used no CPU for 12 s"; empty: nothing special, or not known.
    virtual Message condition(int rank) const {
        (void)rank;
        return {};
    }
    /// Wall-clock time (seconds) of the last message of its agent; 0: this machine.
    virtual double last_contact() const { return 0; }
};

}  // namespace trainyard::launch
