#include "launch/messages.h"

#include "base/error.h"
#include "base/json.h"
#include "run/json_fields.h"

namespace trainyard::launch {

using run::json::Json;

namespace {
constexpr const char* kOrigin = "message of a rank";

ProgressReport parse_progress_report(const Json& object) {
    ProgressReport report;
    run::Progress& progress = report.progress;
    run::json::read(object, "step", progress.step, kOrigin);
    run::json::read(object, "of", progress.of, kOrigin);
    run::json::read(object, "epoch", progress.epoch, kOrigin);
    run::json::read(object, "tokens", progress.tokens, kOrigin);
    run::json::read(object, "samples", progress.samples, kOrigin);
    run::json::read_real(object, "loss", progress.loss, kOrigin);
    run::json::read_real(object, "validation_loss", progress.validation_loss, kOrigin);
    run::json::read_real(object, "tokens_per_s", progress.tokens_per_s, kOrigin);
    run::json::read_real(object, "step_s", report.step_s, kOrigin);
    return report;
}
}  // namespace

RankMessage parse_rank_message(const std::string& line) {
    Json object = run::json::parse_object(line, kOrigin);
    std::string kind;
    run::json::read(object, "kind", kind, kOrigin);
    if (kind == "heartbeat") {
        Heartbeat heartbeat;
        run::json::read(object, "step", heartbeat.step, kOrigin);
        run::json::read(object, "phase", heartbeat.phase, kOrigin);
        run::json::read(object, "collective", heartbeat.collective, kOrigin);
        run::json::read(object, "waits_for", heartbeat.waits_for, kOrigin);
        run::json::read(object, "own_step_s", heartbeat.own_step_s, kOrigin);
        run::json::read(object, "resident_bytes", heartbeat.resident_bytes, kOrigin);
        return heartbeat;
    }
    if (kind == "progress")
        return parse_progress_report(object);
    if (kind == "event" && object.contains("event"))
        return EventReport{run::parse_event(run::json::dump(object["event"]), kOrigin)};
    if (kind == "stopping") {
        StoppingReport report;
        run::json::read(object, "reason", report.reason, kOrigin);
        return report;
    }
    if (kind == "outcome") {
        RequestOutcome outcome;
        run::json::read(object, "id", outcome.id, kOrigin);
        run::json::read(object, "outcome", outcome.outcome, kOrigin);
        run::json::read(object, "text", outcome.text, kOrigin);
        return outcome;
    }
    if (kind == "failure") {
        FailureReport failure;
        run::json::read(object, "message", failure.message, kOrigin);
        run::json::read(object, "step", failure.step, kOrigin);
        run::json::read(object, "phase", failure.phase, kOrigin);
        run::json::read(object, "secondary", failure.secondary, kOrigin);
        return failure;
    }
    throw UserError(std::string(kOrigin) + " is of the unknown kind '" + kind + "'");
}

std::optional<std::int64_t> step_of_heartbeat(const std::string& line) {
    try {
        const RankMessage message = parse_rank_message(line);
        if (const auto* heartbeat = std::get_if<Heartbeat>(&message))
            return heartbeat->step;
    } catch (const UserError&) {
        // said() tells of what cannot be read
    }
    return std::nullopt;
}

std::string request_line(const run::Request& request) {
    Json object{{"kind", "request"}, {"request", parse_json(run::to_json(request))}};
    return run::json::dump(object);
}

}  // namespace trainyard::launch
