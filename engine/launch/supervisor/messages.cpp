// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/messages.h"

#include "base/error.h"
#include "base/fields.h"

namespace trainyard::launch {

namespace {

constexpr const char* kOrigin = "message of a rank";

struct RequestOrder {
    run::Request request;

    static constexpr const char* kKind = "request";
    void fields(auto& field) const { field("request", request).required(); }
};

}  // namespace

std::string rank_message_line(const RankMessage& message) {
    return fields::to_text(message);
}

RankMessage parse_rank_message(const std::string& line) {
    return fields::from_text<RankMessage>(line, kOrigin);
}

std::optional<std::int64_t> step_of_heartbeat(const std::string& line) {
    try {
        const RankMessage message = parse_rank_message(line);
        if (const auto* heartbeat = std::get_if<Heartbeat>(&message))
            return heartbeat->step;
    } catch (const UserError&) {
        // said() reports lines that cannot be parsed
    }
    return std::nullopt;
}

std::string request_line(const run::Request& request) {
    return fields::to_text(RequestOrder{request});
}

std::optional<run::Request> request_in(const std::string& line) {
    const fields::Json message = fields::parse_object(line, "supervisor");
    if (message.value("kind", fields::Json()) != RequestOrder::kKind)
        return std::nullopt;
    return run::checked_request(fields::from_json<RequestOrder>(message, "supervisor").request, "supervisor");
}

}  // namespace trainyard::launch
