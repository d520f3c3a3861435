#pragma once
// What a rank says to the supervisor, as values. The lines themselves are described in protocol.h.

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
};

struct ProgressReport {
    run::Progress progress;        ///< without eta_s, which is the supervisor's
    std::optional<double> step_s;  ///< seconds of one step
};

struct EventReport {
    run::Event event;
};

/// The ranks end by themselves, because of the run's health.
struct StoppingReport {
    std::string reason;  ///< the end of a sentence
};

struct RequestOutcome {
    std::string id;
    std::string outcome;  ///< done | refused | failed
    std::string text;
};

struct FailureReport {
    std::string message;
    std::int64_t step = 0;
    std::string phase;
    bool secondary = false;  ///< the rank only lost a peer
};

using RankMessage = std::variant<Heartbeat, ProgressReport, EventReport, StoppingReport, RequestOutcome, FailureReport>;

/// Throws UserError when the line is none of the messages of protocol.h.
RankMessage parse_rank_message(const std::string& line);

/// Of a heartbeat; nothing for every other line.
std::optional<std::int64_t> step_of_heartbeat(const std::string& line);

/// The line, without its newline, that hands a request to rank 0.
std::string request_line(const run::Request& request);

}  // namespace trainyard::launch
