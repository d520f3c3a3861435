// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/request_inbox.h"

#include <cstdio>

#include <sys/inotify.h>
#include <unistd.h>

#include "base/error.h"
#include "run/request_body.h"

namespace trainyard::launch {

void RequestInbox::watch_folder() {
    if (!inotify_)
        inotify_ = FileDescriptor(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    if (inotify_)
        ::inotify_add_watch(inotify_.get(), paths_.requests().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
}

std::vector<run::Request> RequestInbox::take(double now) {
    char buffer[4096];
    bool changed = false;
    while (inotify_ && ::read(inotify_.get(), buffer, sizeof buffer) > 0)
        changed = true;
    if (!changed && now - looked_ < poll_s_)
        return {};
    looked_ = now;
    std::vector<run::Request> found;
    for (run::Request& request : run::pending_requests(paths_)) {
        if (!taken_.insert(request.id).second)
            continue;
        if (request.kind.empty()) {
            answer(request, "refused", request.text);
            continue;
        }
        try {
            run::request_body(request);
            found.push_back(std::move(request));
        } catch (const UserError& error) {
            answer(request, "refused", error.message());
        }
    }
    return found;
}

std::optional<run::Request> RequestInbox::settle(const std::string& id) {
    auto found = unanswered_.extract(id);
    return found ? std::optional(std::move(found.mapped())) : std::nullopt;
}

void RequestInbox::answer(run::Request request, const std::string& outcome, const Message& text) const {
    request.outcome = outcome;
    request.text = text;
    if (request.id.starts_with("signal-") || !has_folder_)  // came as a signal, has no file
        return;
    try {
        run::finish_request(paths_, request);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
}

void RequestInbox::answer_all(const std::string& outcome, const Message& text, const std::string& kind) {
    std::erase_if(unanswered_, [&](const auto& waiting) {
        const bool answers = kind.empty() || waiting.second.kind == kind;
        if (answers)
            answer(waiting.second, outcome, text);
        return answers;
    });
}

void RequestInbox::close(run::Status status, bool stop_failed, const Message& sentence) {
    if (status != run::Status::failed) {
        answer_all("done", sentence, run::KillRequest::kKind);
        answer_all(stop_failed ? "failed" : "done", sentence, run::StopRequest::kKind);
    }
    answer_all("failed", sentence);
    for (const run::Request& request : run::pending_requests(paths_))
        if (taken_.insert(request.id).second)
            answer(request, "refused", Message("the run is over: {}", sentence));
}

}  // namespace trainyard::launch
