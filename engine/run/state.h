// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// state.json: the supervisor's word on a run, replaced atomically at every change and at least every 2 s.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/process.h"
#include "run/mirror.h"
#include "run/paths.h"

namespace trainyard::run {

enum class Status { queued, preparing, starting, running, stopping, finished, failed, stopped };

std::span<const char* const> status_names();
std::string to_string(Status status);
Status parse_status(const std::string& text);
inline bool is_over(Status status) {
    return status == Status::finished || status == Status::failed || status == Status::stopped;
}

/// Bytes that are read of names and messages. A state may come from another host, and a reader lays out and prints what
/// it says; no supervisor writes longer ones.
inline constexpr std::size_t kLongestName = 1000, kLongestMessage = 4000;

/// Most bytes that the tensors of a rank took at any time, each part for itself. Of memory that the ranks of a host
/// share
/// its part.
struct RankMemory {
    std::uint64_t weights = 0, gradients = 0, optimizer_state = 0;
    std::uint64_t rooms = 0;       ///< weights in the dtype of the products: copies, or gathered while units compute
    std::uint64_t disk_cache = 0;  ///< weights, gradients and state of a disk that stay in memory
    std::uint64_t step = 0;        ///< activations, and what backward makes

    void fields(auto& field) const {
        field("weights", weights)("gradients", gradients)("optimizer_state", optimizer_state)("rooms", rooms);
        field("disk_cache", disk_cache)("step", step);
    }
    bool operator==(const RankMemory&) const = default;
};

struct RankState {
    int rank = 0;
    std::string host;
    std::string device;  ///< "cpu", "cuda:0"
    ProcessId process;
    std::string state = "starting";  ///< starting | running | finished | failed | killed | lost (its machine is)
    std::int64_t step = 0;
    std::string phase;            ///< init, data, forward, backward, reduce, optimizer, save, evaluate, idle
    std::string last_collective;  ///< "all_reduce #1204 grads.h.3"
    std::optional<int> exit_code;
    std::optional<int> signal;
    std::uint64_t resident_bytes = 0;  ///< of pages that processes share its part
    std::optional<RankMemory> memory;  ///< nothing: not known, of programs
    std::string place;                 ///< in the mesh: "pp 1, tp 0"; empty: replicas only, or a program

    void fields(auto& field) const {
        field("rank", rank)("place", place).omit_if_default().cut_at(kLongestName);
        field("host", host)
            .cut_at(kLongestName)("device", device)
            .cut_at(kLongestName)("pid", process.pid)("start_time", process.start_time);
        field("state", state).cut_at(kLongestName)("step", step)("phase", phase).cut_at(kLongestName);
        field("last_collective", last_collective).cut_at(kLongestName)("exit", exit_code);
        field("signal", signal)("resident_bytes", resident_bytes)("memory", memory).omit_if_default();
    }
};

/// How messages name a rank: "3", or with its place "3 (pp 1, tp 0)".
std::string rank_name(int rank, const std::string& place);

struct MachineState {
    std::string host;
    int ranks = 0;
    std::string state = "waiting";  ///< waiting (has not joined) | ready | running | ended | lost
    double last_contact = 0;        ///< wall seconds; 0: this machine itself, or never

    void fields(auto& field) const {
        field("host", host).cut_at(kLongestName)("ranks", ranks)("state", state).cut_at(kLongestName);
        field("last_contact", last_contact).time().null_if_default();
    }
};

struct Progress {
    std::int64_t step = 0;
    std::int64_t of = 0;
    double epoch = 0;
    std::int64_t tokens = 0;
    std::int64_t samples = 0;
    std::optional<double> eta_s = {};            ///< median of the last 200 steps; absent before 20 steps
    std::optional<double> loss = {};             ///< last train loss
    std::optional<double> validation_loss = {};  ///< last evaluation
    std::optional<double> tokens_per_s = {};     ///< median of the last steps, all ranks together

    void fields(auto& field) const {
        field("step", step)("of", of)("epoch", epoch)("tokens", tokens)("samples", samples);
        field("eta_s", eta_s).real();
        field("loss", loss).real();
        field("validation_loss", validation_loss).real();
        field("tokens_per_s", tokens_per_s).real();
    }
};

struct Failure {
    int rank = -1;  ///< -1: the supervisor itself
    std::string host;
    std::optional<int> exit_code;
    std::optional<int> signal;
    std::int64_t step = 0;
    std::string phase;
    std::string last_collective;
    Message message;               ///< one sentence, the same on desktop and terminal
    std::vector<std::string> log;  ///< last lines of that rank's log
    double time = 0;               ///< wall seconds
    std::string place;             ///< as in RankState
    bool out_of_memory = false;

    void fields(auto& field) const {
        field("rank", rank)("place", place)
            .omit_if_default()
            .cut_at(kLongestName)("host", host)
            .cut_at(kLongestName)("exit", exit_code)("signal", signal)("step", step);
        field("phase", phase).cut_at(kLongestName);
        field("last_collective", last_collective).cut_at(kLongestName);
        field("message", message).cut_at(kLongestMessage)("log", log);
        field("time", time).time();
        field("out_of_memory", out_of_memory).omit_if_default();
    }
};

struct RunState {
    std::string run_id;
    std::string name;
    Status status = Status::preparing;
    std::string supervisor_host;
    ProcessId supervisor;
    int generation = 1;
    double created = 0;  ///< wall seconds
    double started = 0;  ///< first rank started
    std::optional<double> ended;
    /// Seconds since `started` in which nothing was trained: pauses, and from a failure to the next step. read_state()
    /// takes it from the journal where an older version has not written it.
    std::optional<double> idle_s;
    double idle_since =
        0;  ///< wall seconds of the beginning of the current idle time, which idle_s does not contain; 0: none
    double heartbeat = 0;  ///< wall seconds of this writing
    int restarts = 0;
    std::int64_t batch_size = 0;  ///< most samples of a rank's micro-batch, found where memory ran out; 0: not limited
    int queue_place = 0;          ///< from 1: of those that wait on its machine; 0: it does not wait there
    std::vector<MachineState> machines;
    std::vector<RankState> ranks;
    std::optional<Failure> first_failure;
    Progress progress;
    Message message;  ///< short sentence on what is going on or how it ended
    /// Of read_state alone, not part of the file: this is the copy of a run on another machine.
    std::optional<MirrorState> mirror;

    void fields(auto& field) const {
        field("run_id", run_id)("name", name).cut_at(kLongestName);
        field("status", status).names(status_names()).required();
        field("message", message).cut_at(kLongestMessage);
        field.table("supervisor", [this](auto& table) {
            table("host", supervisor_host)("pid", supervisor.pid)("start_time", supervisor.start_time);
            table("generation", generation);
        });
        field("created", created).time();
        field("started", started).time().null_if_default();
        field("ended", ended).time();
        field("idle_s", idle_s).between(0, 1e12);
        field("idle_since", idle_since).time().null_if_default();
        field("heartbeat", heartbeat).time();
        field("restarts", restarts);
        field("batch_size", batch_size).between(0, 1 << 20).omit_if_default();
        field("queue_place", queue_place).null_if_default();
        field("machines", machines)("ranks", ranks)("first_failure", first_failure)("progress", progress);
    }
};

std::string to_json(const RunState& state);
/// Throws UserError naming `origin` when the text is not a state. Unknown keys are ignored.
RunState parse_state(const std::string& json, const std::string& origin = "state.json");

/// Empty when there is no state yet.
std::optional<RunState> read_state(const RunPaths& run);
/// Sets the heartbeat to now and replaces the file atomically. `durable`: it survives a power cut (off for mere
/// heartbeats).
void write_state(const RunPaths& run, RunState state, bool durable = true);

/// Returns the idle seconds from the start of the ranks to `now`.
double idle_seconds(const RunState& state, double now);
/// Returns the seconds from the start of the ranks to the end (or to `now` if the run has not ended) without idle time;
/// nothing before they started.
std::optional<double> active_seconds(const RunState& state, double now);

/// Nobody looks after the run yet: it is in the queue of a cluster, whose job will. (A run in a machine's own queue
/// has a supervisor.)
inline bool is_waiting(const RunState& state) {
    return state.status == Status::queued && state.supervisor.pid == 0;
}

/// Heartbeat older than 10 s and no such process on this host: nobody looks after the run any more. Of a mirror: its
/// host said so.
bool is_lost(const RunState& state, double now);
/// The same of a run that was waiting for its turn: nothing of it is lost, and nobody starts it either.
inline bool is_abandoned(const RunState& state, double now) {
    return state.status == Status::queued && is_lost(state, now);
}
/// What to show: `running`, `failed`, ..., `lost`, `abandoned`, or `unreachable` for a mirror that hears nothing of
/// its host.
std::string shown_status(const RunState& state, double now);
/// The sentence beside it: the state's message, but for an abandoned run, which cannot speak for itself any more.
Message shown_message(const RunState& state, double now);

}  // namespace trainyard::run
