#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "launch/supervisor/supervisor.h"

namespace trainyard::launch {

namespace {
constexpr std::array kKinds{"stop", "kill",  "checkpoint", "evaluate", "note", "profile",
                            "set",  "pause", "resume",     "move",     "start"};
}

void Supervisor::take_requests() {
    char buffer[4096];
    bool told = false;
    while (inotify_ && ::read(inotify_.get(), buffer, sizeof buffer) > 0)
        told = true;
    double now = monotonic_seconds();
    if (!told && now - looked_for_requests_ < options_.request_poll_s)
        return;
    looked_for_requests_ = now;
    for (run::Request& request : run::pending_requests(paths_))
        if (taken_.insert(request.id).second)
            take_request(std::move(request));
}

void Supervisor::take_request(run::Request request) {
    if (request.kind.empty()) {
        answer(request, "refused", request.text);
        return;
    }
    if (std::find(kKinds.begin(), kKinds.end(), request.kind) == kKinds.end()) {
        answer(request, "refused",
               Message("unknown request '{}'{}", request.kind,
                       text::did_you_mean(request.kind, {kKinds.begin(), kKinds.end()})));
        return;
    }
    if (request.kind == "note") {
        auto text = request.values.find("text");
        if (text == request.values.end() || text->second.empty()) {
            answer(request, "refused", "a note needs values.text");
            return;
        }
        auto step = request.values.find("step");
        record("note", Message::verbatim(text->second), -1,
               step == request.values.end() ? state_.progress.step : std::strtoll(step->second.c_str(), nullptr, 10));
        answer(request, "done", "noted");
        return;
    }
    record("request", request.from.empty() ? Message("{} asked", request.kind)
                                           : Message("{} asked from the {}", request.kind, request.from));
    if (request.kind == "kill") {
        unanswered_[request.id] = request;
        kill_all();
    } else if (request.kind == "stop") {
        stop(request);
    } else if (is_queued() || request.kind == "move" || request.kind == "start") {
        take_queue_request(request);
    } else if (spec_.program) {
        answer(request, "refused", Message("a program of one's own takes stop, kill and note, not {}", request.kind));
    } else if (!rank_0_listens()) {
        answer(request, "failed", !has_ranks(lifecycle_) ? Message("no ranks run now") : Message("rank 0 has ended"));
    } else {
        forward(request);
    }
}

bool Supervisor::rank_0_listens() const {
    return has_ranks(lifecycle_) && !ranks_.empty() && !ranks_.front().ended;
}

void Supervisor::stop(const run::Request& request, int signal) {
    auto saving = request.values.find("checkpoint");
    bool saves = saving == request.values.end() || saving->second != "false";
    unanswered_[request.id] = request;
    // Two people, or a person and a script, may ask for the same: only one who wants no checkpoint any more changes what is under way.
    const bool asked = is_stop_asked(lifecycle_);
    bool gives_up_checkpoint = asked && stop_saves_ && !saves && !spec_.program;
    if (asked ? !gives_up_checkpoint : ends_for_good(lifecycle_))
        return;
    if (!asked)
        stopping_since_ = monotonic_seconds();
    go(SupervisorEvent::stop);
    stop_saves_ = saves;
    if (is_queued())
        return;  // the loop ends
    if (spec_.program) {
        if (!is_failing(lifecycle_))
            set_status(run::Status::stopping, Message("stopping: the ranks were sent {}", signal_text(signal)));
        return signal_ranks(signal);
    }
    if (!is_failing(lifecycle_))
        set_status(run::Status::stopping,
                   stop_saves_ ? Message("stopping: rank 0 was asked to save a checkpoint at the next step")
                               : Message("stopping after the step under way, without a checkpoint"));
    if (rank_0_listens())
        participants_.front().machine->send(0, request_line(request));
    else
        signal_ranks(SIGTERM);
}

void Supervisor::kill_all() {
    const bool failing = is_failing(lifecycle_);
    go(SupervisorEvent::kill);
    if (!failing)
        set_status(run::Status::stopping, "stopping now");
    signal_ranks(SIGKILL);
}

void Supervisor::forward(const run::Request& request) {
    unanswered_[request.id] = request;
    participants_.front().machine->send(0, request_line(request));
}

void Supervisor::answer(run::Request request, const char* outcome, const Message& text) {
    request.outcome = outcome;
    request.text = text;
    if (request.id.starts_with("signal-") || !folder_is_ours_)  // came as a signal, has no file
        return;
    try {
        run::finish_request(paths_, request);
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
}

void Supervisor::answer_unanswered(const char* outcome, const Message& text) {
    std::map<std::string, run::Request> left;
    left.swap(unanswered_);
    for (const auto& [id, request] : left)
        answer(request, outcome, text);
}

void Supervisor::answer_left_requests(run::Status status) {
    std::map<std::string, run::Request> left;
    left.swap(unanswered_);
    for (const auto& [id, request] : left) {
        bool ending = request.kind == "stop" || request.kind == "kill";
        bool overdue = request.kind == "stop" && !stop_problem_.empty();
        bool done = ending && !overdue && status != run::Status::failed;
        answer(request, done ? "done" : "failed", how_it_ended(status));
    }
    for (run::Request& request : run::pending_requests(paths_))
        if (taken_.insert(request.id).second)
            answer(request, "refused", Message("the run is over: {}", how_it_ended(status)));
}

}  // namespace trainyard::launch
