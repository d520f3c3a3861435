// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Messages of a rank to the supervisor, as values, and the protocol that they belong to.
//
// Supervisor and ranks exchange JSON objects, one a line, over one socket pair per rank ($TRAINYARD_CONTROL_FD). The
// end of the stream is a message too: a rank whose supervisor is gone ends itself; a supervisor reads the rest, then
// reaps.
//
// rank -> supervisor
//   {"kind":"heartbeat","step":12,"phase":"reduce","collective":"all_reduce #31","waits_for":"all_reduce #31",
//    "own_step_s":0.02,"resident_bytes":1,"memory":{...}}        at least once a second
//   {"kind":"progress","step":12,"of":600,"epoch":0.1,"tokens":9216,"samples":144,"loss":4.2,"tokens_per_s":23000.0,
//    "step_s":0.031,"validation_loss":4.1}                       rank 0, at most 10 a second
//   {"kind":"event","event":{...}}                               appended to events.jsonl (journal.h) by the supervisor
//   {"kind":"stopping","reason":"..."}                           rank 0: the run's health ends it, without a request
//   {"kind":"outcome","id":"...","outcome":"done","text":"..."}  answer to a request
//   {"kind":"failure","message":"...","step":12,"phase":"reduce","secondary":true,"out_of_memory":true}
//                                                                before exit 1; secondary: a peer was lost
// supervisor -> rank 0
//   {"kind":"request","request":{...}}                           request.h; stop and checkpoint act at the next step
//
// Exit codes of a rank: 0 trained to the end, 75 stopped on request after a checkpoint, 1 failed, 2 bad input.
// Environment of a rank: base/environment_names.h.

#include <optional>
#include <string>
#include <variant>

#include "base/message.h"
#include "run/journal.h"
#include "run/request.h"
#include "run/state.h"

namespace trainyard::launch {

struct Heartbeat {
    std::int64_t step = 0;
    std::string phase;
    std::string collective;
    std::string waits_for;  ///< the collective that it waits in; empty: in none
    double own_step_s = 0;  ///< of the last step, without waiting for others; 0: none yet
    std::uint64_t resident_bytes = 0;
    std::optional<run::RankMemory> memory = {};

    static constexpr const char* kKind = "heartbeat";
    void fields(auto& field) const {
        field("step", step)("phase", phase)("collective", collective)("waits_for", waits_for)("own_step_s", own_step_s);
        field("resident_bytes", resident_bytes)("memory", memory).omit_if_default();
    }
};

struct ProgressReport {
    run::Progress progress;        ///< without eta_s, which is the supervisor's
    std::optional<double> step_s;  ///< seconds of one step

    static constexpr const char* kKind = "progress";
    void fields(auto& field) const {
        field("step", progress.step);
        field("of", progress.of);
        field("epoch", progress.epoch);
        field("tokens", progress.tokens);
        field("samples", progress.samples);
        field("loss", progress.loss).real().omit_if_default();
        field("validation_loss", progress.validation_loss).real().omit_if_default();
        field("tokens_per_s", progress.tokens_per_s).real().omit_if_default();
        field("step_s", step_s).real().omit_if_default();
    }
};

struct EventReport {
    run::Event event;

    static constexpr const char* kKind = "event";
    void fields(auto& field) const { field("event", event).required(); }
};

/// The ranks end without a request of the supervisor, because of the run's health.
struct StoppingReport {
    Message reason;  ///< the end of a sentence

    static constexpr const char* kKind = "stopping";
    void fields(auto& field) const { field("reason", reason); }
};

struct RequestOutcome {
    std::string id;
    std::string outcome;  ///< done | refused | failed
    Message text;

    static constexpr const char* kKind = "outcome";
    void fields(auto& field) const { field("id", id)("outcome", outcome)("text", text); }
};

struct FailureReport {
    Message message;
    std::int64_t step = 0;
    std::string phase;
    std::string collective;
    bool secondary = false;  ///< the rank only lost a peer
    bool out_of_memory = false;

    static constexpr const char* kKind = "failure";
    void fields(auto& field) const {
        field("message", message)("step", step)("phase", phase)("collective", collective)("secondary", secondary);
        field("out_of_memory", out_of_memory).omit_if_default();
    }
};

using RankMessage = std::variant<Heartbeat, ProgressReport, EventReport, StoppingReport, RequestOutcome, FailureReport>;

/// The line without its newline.
std::string rank_message_line(const RankMessage& message);
/// Throws UserError for a line that is not one of these messages.
RankMessage parse_rank_message(const std::string& line);

/// Returns the step of a heartbeat; empty for any other line.
std::optional<std::int64_t> step_of_heartbeat(const std::string& line);

/// The line, without its newline, that hands a request to rank 0, and back. Nothing for other lines. Throws UserError.
std::string request_line(const run::Request& request);
std::optional<run::Request> request_in(const std::string& line);

}  // namespace trainyard::launch
