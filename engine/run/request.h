// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// requests/: a client drops <uuid>.json by rename; the supervisor moves it to requests/done/ with the outcome written
// in.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "run/paths.h"

namespace trainyard::run {

struct Request {
    std::string id;    ///< uuid, also the file's name
    std::string kind;  ///< one of RequestBody (run/request_body.h), if it is understood
    std::map<std::string, std::string> values;
    double time = 0;
    std::string from;  ///< desktop | terminal
    // filled by the supervisor
    std::string outcome;  ///< done | refused | failed
    Message text;         ///< sentence

    void fields(auto& field) const {
        const auto is_answered = [](const Request& request) { return !request.outcome.empty(); };
        field("id", id)("kind", kind);
        field("values", values).of_any_kind();  // hand-written requests have numbers and truth values
        field("time", time).time();
        field("from", from);
        field("outcome", outcome).written_if(is_answered);
        field("text", text).written_if(is_answered);
    }
};

std::string to_json(const Request& request);
Request parse_request(const std::string& json, const std::string& origin);
/// The request as it is. Throws UserError that names `origin` if it has neither kind nor outcome.
Request checked_request(Request request, const std::string& origin);

/// Drops a request; returns its id. Throws UserError when the run's folder cannot be written. A request without a time gets one that is
/// later, by a millisecond at least, than that of the one dropped before by this process: they are answered in the order of their times.
std::string drop_request(const RunPaths& run, Request request);
/// Requests not yet taken, oldest first. A file that is not a valid request is reported in `problems` and is in the
/// list with an empty kind and the problem as its text, so that finish_request can refuse it. The id is always the
/// file's name.
std::vector<Request> pending_requests(const RunPaths& run, std::vector<Message>* problems = nullptr);
/// Writes the outcome to requests/done/ and removes the pending file.
void finish_request(const RunPaths& run, const Request& request);
std::optional<Request> finished_request(const RunPaths& run, const std::string& id);

}  // namespace trainyard::run
