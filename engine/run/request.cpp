// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/request.h"

#include <algorithm>
#include <atomic>

#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/random_hex.h"
#include "base/regular_file.h"

namespace trainyard::run {

namespace {
constexpr std::uint64_t kLargestRequest = 1u << 20;

bool is_safe_id(const std::string& id) {
    return !id.empty() && id.size() <= 100 &&
           id.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") ==
               std::string::npos;
}

double modified_seconds(const fs::path& file) {
    std::error_code error;
    auto time = fs::last_write_time(file, error);
    if (error)
        return wall_seconds();
    return std::chrono::duration<double>(std::chrono::file_clock::to_sys(time).time_since_epoch()).count();
}
/// Times are written in whole milliseconds, so two requests in one of them would have no order.
double next_request_time() {
    static std::atomic<std::int64_t> last{0};
    std::int64_t before = last.load(), milliseconds = 0;
    do
        milliseconds = std::max(static_cast<std::int64_t>(wall_seconds() * 1000), before + 1);
    while (!last.compare_exchange_weak(before, milliseconds));
    return static_cast<double>(milliseconds) / 1000;
}
}  // namespace

std::string to_json(const Request& request) {
    return fields::to_text(request);
}

Request parse_request(const std::string& text, const std::string& origin) {
    return checked_request(fields::from_text<Request>(text, origin), origin);
}

Request checked_request(Request request, const std::string& origin) {
    // A file that was not a valid request and was refused has an outcome, but no kind.
    if (request.kind.empty() && request.outcome.empty())
        throw UserError("{}: kind is missing", origin);
    return request;
}

std::string drop_request(const RunPaths& run, Request request) {
    if (request.id.empty())
        request.id = random_uuid();
    if (request.time == 0)
        request.time = next_request_time();
    write_file_atomically(run.requests() / (request.id + ".json"), to_json(request) + "\n", false);
    return request.id;
}

std::vector<Request> pending_requests(const RunPaths& run, std::vector<Message>* problems) {
    std::vector<Request> requests;
    std::error_code error;
    for (fs::directory_iterator entry(run.requests(), error), end; !error && entry != end; entry.increment(error)) {
        const fs::path& file = entry->path();
        std::error_code ignored;
        if (file.extension() != ".json" || !fs::is_regular_file(entry->symlink_status(ignored)))
            continue;
        Request request;
        try {
            if (!is_safe_id(file.stem().string()))
                throw UserError("{}: the name of a request is letters, digits, - and _", file.string());
            request = parse_request(read_regular_file(file, kLargestRequest), file.string());
        } catch (const UserError& problem) {
            request = Request{};
            request.text = problem.message();
            if (problems != nullptr)
                problems->push_back(problem.message());
        }
        request.id = file.stem().string();
        if (request.time == 0)
            request.time = modified_seconds(file);
        requests.push_back(std::move(request));
    }
    std::sort(requests.begin(), requests.end(),
              [](const Request& a, const Request& b) { return a.time != b.time ? a.time < b.time : a.id < b.id; });
    return requests;
}

void finish_request(const RunPaths& run, const Request& request) {
    make_private_folder(run.requests_done());
    write_file_atomically(run.requests_done() / (request.id + ".json"), to_json(request) + "\n", false);
    ::unlink((run.requests() / (request.id + ".json")).c_str());
}

std::optional<Request> finished_request(const RunPaths& run, const std::string& id) {
    fs::path file = run.requests_done() / (id + ".json");
    std::error_code error;
    if (!is_safe_id(id) || !fs::exists(file, error))
        return std::nullopt;
    return parse_request(read_regular_file(file, kLargestRequest), file.string());
}

}  // namespace trainyard::run
