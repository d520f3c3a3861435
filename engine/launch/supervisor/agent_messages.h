// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages between the head of a run and its agents: JSON in the frames of agent_wire.h. Times are seconds.
//
// agent -> head   a frame of kind hello, then the message join: what this machine brings
//                 started, ended, said, failed, preempted
//                 frames of kind output (output_payload) and events (remote_event_files.h)
// head -> agent   accepted, or a frame of kind refusal
//                 start, send, signal, over
// both            heartbeat frames {"n", "ack", ...}
//
// Messages about ranks have a generation. Those of an older generation are ignored.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/rank_machine.h"

namespace trainyard::launch {

/// A head refuses agents with another number, and with another version of Trainyard, whose ranks could not train
/// together. Number 3 introduced TLS.
inline constexpr int kAgentProtocol = 3;

struct Hello {
    int protocol = kAgentProtocol;
    std::string version;

    void fields(auto& field) const {
        field.all_required();
        field("protocol", protocol).between(0, 1 << 20);
        field("version", version);
    }
};
struct Refusal {
    Message reason;
    bool final = true;  ///< coming again is of no use

    void fields(auto& field) const {
        field.all_required();
        field("reason", reason).cut_at(1000);
        field("final", final);
    }
};

struct JoinRequest {
    std::string agent;      ///< random, of this agent's life: one that comes back takes its own place
    std::string host;       ///< as people know the machine
    int machine_rank = -1;  ///< -1: whatever place is free
    int ranks = 1;

    static constexpr const char* kKind = "join";
    void fields(auto& field) const {
        field.all_required();
        field("agent", agent).cut_at(64);
        field("host", host).cut_at(255);
        field("machine_rank", machine_rank).between(-1, 1 << 20);
        field("ranks", ranks).between(1, kMostRanks);
    }
};
struct JoinAnswer {
    std::string run_id;
    std::string spec;    ///< run.yaml
    bool recipe = true;  ///< ranks are trainyard-worker of the agent's own bundle; else the order's command
    double lease_s = 10;
    double heartbeat_s = 1;

    static constexpr const char* kKind = "accepted";
    void fields(auto& field) const {
        field.all_required();
        field("run_id", run_id)("spec", spec)("recipe", recipe);
        field("lease_s", lease_s).between(0.1, 3600);
        field("heartbeat_s", heartbeat_s).between(0.01, 3600);
    }
};

struct RankStarted {
    int generation = 0;
    int rank = 0;
    ProcessId process;

    static constexpr const char* kKind = "started";
    void fields(auto& field) const {
        field.all_required();
        field("generation", generation).between(0, kMostGenerations);
        field("rank", rank).between(0, kMostWorld);
        field("pid", process.pid).between(0, 1 << 30);
        field("start_time", process.start_time);
    }
};
struct RankEnded {
    int generation = 0;
    int rank = 0;
    int status = 0;
    Message reason;

    static constexpr const char* kKind = "ended";
    void fields(auto& field) const {
        field.all_required();
        field("generation", generation).between(0, kMostGenerations);
        field("rank", rank).between(0, kMostWorld);
        field("status", status).between(0, 0xffff);
        field("reason", reason);
    }
};
struct RankSaid {
    int generation = 0;
    int rank = 0;
    std::string line;

    static constexpr const char* kKind = "said";
    void fields(auto& field) const {
        field.all_required();
        field("generation", generation).between(0, kMostGenerations);
        field("rank", rank).between(0, kMostWorld);
        field("line", line);
    }
};
struct StartFailed {
    int generation = 0;
    Message reason;

    static constexpr const char* kKind = "failed";
    void fields(auto& field) const {
        field.all_required();
        field("generation", generation).between(0, kMostGenerations);
        field("reason", reason);
    }
};
/// The machine is about to be taken away, or somebody asked its agent to stop.
struct Preempted {
    Message reason;

    static constexpr const char* kKind = "preempted";
    void fields(auto& field) const {
        field.all_required();
        field("reason", reason);
    }
};
using AgentReport = std::variant<JoinRequest, RankStarted, RankEnded, RankSaid, StartFailed, Preempted>;

struct SendOrder {
    int rank = 0;
    std::string line;

    static constexpr const char* kKind = "send";
    void fields(auto& field) const {
        field.all_required();
        field("rank", rank).between(0, kMostWorld);
        field("line", line);
    }
};
struct SignalOrder {
    int number = 0;

    static constexpr const char* kKind = "signal";
    void fields(auto& field) const {
        field.all_required();
        field("number", number).between(1, 64);
    }
};
/// The run is over, with the exit code of `trainyard launch`.
struct RunOver {
    int code = 0;
    Message text;

    static constexpr const char* kKind = "over";
    void fields(auto& field) const {
        field.all_required();
        field("code", code).between(0, 255);
        field("text", text);
    }
};
using HeadOrder = std::variant<JoinAnswer, MachineOrder, SendOrder, SignalOrder, RunOver>;

/// The text of RankMachine::condition of a rank, if it is not empty.
struct RankCondition {
    int rank = 0;
    Message text;

    void fields(auto& field) const {
        field.all_required();
        field("rank", rank).between(0, kMostWorld);
        field("text", text);
    }
};
struct LinkHeartbeat {
    std::uint64_t number = 0;        ///< of an agent, counted
    std::uint64_t acknowledged = 0;  ///< of the head: the newest number it has seen
    double round_trip_s = 0;         ///< of an agent: the newest it measured; 0: none yet
    std::vector<RankCondition> conditions = {};

    void fields(auto& field) const {
        field.all_required();
        field("n", number)("ack", acknowledged);
        field("round_trip_s", round_trip_s).optional().omit_if_default();
        field("conditions", conditions).optional().omit_if_default().at_most(kMostRanks);
    }
};

struct OutputHeader {
    int generation = 0;
    int rank = 0;
    bool standard_error = false;
};

std::string to_json(const Hello& hello);
std::string to_json(const Refusal& refusal);
std::string to_json(const AgentReport& report);
std::string to_json(const HeadOrder& order);
std::string to_json(const LinkHeartbeat& heartbeat);
std::string output_payload(const OutputHeader& header, std::string_view bytes);

// All throw WireError when the text is not what is expected.
Hello parse_hello(std::string_view json);
Refusal parse_refusal(std::string_view json);
AgentReport parse_report(std::string_view json);
HeadOrder parse_order(std::string_view json);
LinkHeartbeat parse_heartbeat(std::string_view json);
/// `payload` keeps the bytes.
OutputHeader parse_output(std::string_view payload, std::string_view& bytes);

}  // namespace trainyard::launch
