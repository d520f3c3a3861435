// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/requests.h"

#include <variant>

#include <signal.h>

#include "base/error.h"
#include "worker/preemption.h"

namespace trainyard::worker {

Requests::Requests(const config::Recipe& recipe, int rank, ControlChannel& channel, Reports& reports)
    : recipe_(recipe), rank_(rank), channel_(channel), reports_(reports) {}

train::StepRequests Requests::take() {
    take_signal();
    for (const run::Request& request : channel_.take_requests())
        try {
            std::visit([&](const auto& body) { take(request.id, body); }, run::request_body(request));
        } catch (const UserError& error) {
            refuse(request.id, error.message());
        }
    train::StepRequests mine = std::exchange(requested_, {});
    mine.pause |= paused_ && rank_ == 0;
    return mine;
}

/// This rank's machine is going away: all save and stop after the next step, as if rank 0 had been asked.
void Requests::take_signal() {
    int number = preempted_by();
    if (number == 0 || std::exchange(preempted_, true))
        return;
    requested_.stop = true;
    reports_.event_of_rank("note", Message("rank {} got {}: all ranks save a checkpoint and stop", rank_,
                                           number == SIGTERM ? "SIGTERM" : "SIGUSR1"));
}

void Requests::take(const std::string& id, const run::StopRequest& stop) {
    requested_.stop = true;
    requested_.without_saving = !stop.checkpoint;
    open(Ask::stop).push_back(id);
}

void Requests::take(const std::string& id, const run::CheckpointRequest&) {
    requested_.checkpoint = true;
    open(Ask::checkpoint).push_back(id);
}

void Requests::take(const std::string& id, const run::EvaluateRequest&) {
    if (recipe_.data.validation_fraction == 0)
        return refuse(id, "nothing is held out to evaluate on: data.validation_fraction is 0");
    requested_.evaluate = true;
    open(Ask::evaluate).push_back(id);
}

void Requests::take(const std::string& id, const run::PauseRequest&) {
    if (still_) {
        paused_ = true;  // also if another request has just ended the pause
        return channel_.send_outcome(id, "done", "paused already");
    }
    requested_.pause = true;
    open(Ask::pause).push_back(id);
}

void Requests::take(const std::string& id, const run::ResumeRequest&) {
    if (!std::exchange(paused_, false))
        return refuse(id, "the run is not paused");
    channel_.send_outcome(id, "done", "training goes on");
}

void Requests::take(const std::string& id, const run::RateRequest& rate) {
    requested_.lr = rate.lr;
    open(Ask::rate).push_back(id);
}

void Requests::take(const std::string& id, const run::ProfileRequest& profile) {
    if (profiling_ || !open(Ask::profile).empty())  // answered when the profile is written
        return refuse(id, "another profile is being recorded");
    requested_.profile = train::ProfileWish{.active = profile.steps,
                                            .wait = profile.wait,
                                            .warmup = profile.warmup,
                                            .repeat = profile.repeat,
                                            .skip_first = profile.skip_first,
                                            .record_shapes = profile.record_shapes,
                                            .profile_memory = profile.profile_memory,
                                            .with_flops = profile.with_flops};
    open(Ask::profile).push_back(id);
}

/// The supervisor answers these itself.
template <typename Other>
void Requests::take(const std::string& id, const Other&) {
    refuse(id, Message("the engine of this version cannot do '{}': it takes stop, checkpoint, evaluate, "
                       "pause, resume, set and profile",
                       Other::kKind));
}

void Requests::refuse(const std::string& id, const Message& reason) {
    channel_.send_outcome(id, "refused", reason);
}

void Requests::answer(Ask kind, bool done, const Message& text) {
    answer(hand_over(kind), done, text);
}

void Requests::answer(const std::vector<std::string>& requests, bool done, const Message& text) {
    for (const std::string& id : requests)
        channel_.send_outcome(id, done ? "done" : "failed", text);
}

}  // namespace trainyard::worker
