#pragma once
// What a rank and its supervisor say to each other, as values. The lines themselves are described in protocol.h.

#include <optional>
#include <string>
#include <variant>

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

    static constexpr const char* kKind = "heartbeat";
    template <typename Describe>
    static void fields(Describe& field) {
        field("step", &Heartbeat::step);
        field("phase", &Heartbeat::phase);
        field("collective", &Heartbeat::collective);
        field("waits_for", &Heartbeat::waits_for);
        field("own_step_s", &Heartbeat::own_step_s);
        field("resident_bytes", &Heartbeat::resident_bytes);
    }
};

struct ProgressReport {
    run::Progress progress;        ///< without eta_s, which is the supervisor's
    std::optional<double> step_s;  ///< seconds of one step

    static constexpr const char* kKind = "progress";
    template <typename Describe>
    static void fields(Describe& field) {
        field("step", &ProgressReport::progress, &run::Progress::step);
        field("of", &ProgressReport::progress, &run::Progress::of);
        field("epoch", &ProgressReport::progress, &run::Progress::epoch);
        field("tokens", &ProgressReport::progress, &run::Progress::tokens);
        field("samples", &ProgressReport::progress, &run::Progress::samples);
        field("loss", &ProgressReport::progress, &run::Progress::loss).real().omit_if_default();
        field("validation_loss", &ProgressReport::progress, &run::Progress::validation_loss).real().omit_if_default();
        field("tokens_per_s", &ProgressReport::progress, &run::Progress::tokens_per_s).real().omit_if_default();
        field("step_s", &ProgressReport::step_s).real().omit_if_default();
    }
};

struct EventReport {
    run::Event event;

    static constexpr const char* kKind = "event";
    template <typename Describe>
    static void fields(Describe& field) {
        field("event", &EventReport::event).required();
    }
};

/// The ranks end by themselves, because of the run's health.
struct StoppingReport {
    std::string reason;  ///< the end of a sentence

    static constexpr const char* kKind = "stopping";
    template <typename Describe>
    static void fields(Describe& field) {
        field("reason", &StoppingReport::reason);
    }
};

struct RequestOutcome {
    std::string id;
    std::string outcome;  ///< done | refused | failed
    std::string text;

    static constexpr const char* kKind = "outcome";
    template <typename Describe>
    static void fields(Describe& field) {
        field("id", &RequestOutcome::id);
        field("outcome", &RequestOutcome::outcome);
        field("text", &RequestOutcome::text);
    }
};

struct FailureReport {
    std::string message;
    std::int64_t step = 0;
    std::string phase;
    std::string collective;
    bool secondary = false;  ///< the rank only lost a peer

    static constexpr const char* kKind = "failure";
    template <typename Describe>
    static void fields(Describe& field) {
        field("message", &FailureReport::message);
        field("step", &FailureReport::step);
        field("phase", &FailureReport::phase);
        field("collective", &FailureReport::collective);
        field("secondary", &FailureReport::secondary);
    }
};

using RankMessage = std::variant<Heartbeat, ProgressReport, EventReport, StoppingReport, RequestOutcome, FailureReport>;

/// The line without its newline.
std::string rank_message_line(const RankMessage& message);
/// Throws UserError when the line is none of the messages of protocol.h.
RankMessage parse_rank_message(const std::string& line);

/// Of a heartbeat; nothing for every other line.
std::optional<std::int64_t> step_of_heartbeat(const std::string& line);

/// The line, without its newline, that hands a request to rank 0, and back. Nothing for other lines. Throws UserError.
std::string request_line(const run::Request& request);
std::optional<run::Request> request_in(const std::string& line);

}  // namespace trainyard::launch
