// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/requests.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include <fmt/ranges.h>
#include <signal.h>

#include "base/error.h"
#include "base/number.h"
#include "worker/preemption.h"

namespace trainyard::worker {

namespace {

/// The whole of the text as a number.
template <class Number>
std::optional<Number> number_of(const std::map<std::string, std::string>& values, const char* name) {
    auto value = values.find(name);
    if (value == values.end())
        return std::nullopt;
    return parse_number<Number>(value->second);
}

}  // namespace

Requests::Requests(const config::Recipe& recipe, int rank, ControlChannel& channel, Reports& reports)
    : recipe_(recipe), rank_(rank), channel_(channel), reports_(reports) {}

train::StepRequests Requests::take() {
    take_signal();
    for (const run::Request& request : channel_.take_requests())
        take_request(request);
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

void Requests::take_request(const run::Request& request) {
    if (request.kind == "stop")
        return take_stop(request);
    if (request.kind == "checkpoint") {
        requested_.checkpoint = true;
        return open(Ask::checkpoint).push_back(request.id);
    }
    if (request.kind == "evaluate")
        return take_evaluation(request);
    if (request.kind == "pause")
        return take_pause(request);
    if (request.kind == "resume")
        return take_resume(request);
    if (request.kind == "set")
        return take_rate(request);
    if (request.kind == "profile")
        return take_profile(request);
    refuse(request, Message("the engine of this version cannot do '{}': it takes stop, checkpoint, evaluate, "
                            "pause, resume, set and profile",
                            request.kind));
}

void Requests::take_stop(const run::Request& request) {
    auto saving = request.values.find("checkpoint");
    requested_.stop = true;
    requested_.without_saving = saving != request.values.end() && saving->second == "false";
    open(Ask::stop).push_back(request.id);
}

void Requests::take_evaluation(const run::Request& request) {
    if (recipe_.data.validation_fraction == 0)
        return refuse(request, "nothing is held out to evaluate on: data.validation_fraction is 0");
    requested_.evaluate = true;
    open(Ask::evaluate).push_back(request.id);
}

void Requests::take_pause(const run::Request& request) {
    if (still_) {
        paused_ = true;  // also if another request has just ended the pause
        return channel_.send_outcome(request.id, "done", "paused already");
    }
    requested_.pause = true;
    open(Ask::pause).push_back(request.id);
}

void Requests::take_resume(const run::Request& request) {
    if (!std::exchange(paused_, false))
        return refuse(request, "the run is not paused");
    channel_.send_outcome(request.id, "done", "training goes on");
}

void Requests::take_rate(const run::Request& request) {
    std::optional<double> lr = number_of<double>(request.values, "lr");
    if (!lr || !(*lr > 0 && *lr <= 100) || request.values.size() != 1)
        return refuse(request, "set takes lr, a number greater than 0 and at most 100, and nothing else");
    requested_.lr = *lr;
    open(Ask::rate).push_back(request.id);
}

void Requests::take_profile(const run::Request& request) {
    constexpr std::int64_t kUsualSteps = 10, kMostSteps = 1000;
    train::ProfileWish wish{.active = kUsualSteps};
    struct Number {
        const char* key;
        std::int64_t* value;
        std::int64_t least, most;
    };
    struct Switch {
        const char* key;
        bool* value;
    };
    std::vector<Message> problems;
    std::set<std::string> known;
    for (const Number& one : {Number{"steps", &wish.active, 1, kMostSteps}, Number{"wait", &wish.wait, 0, 1'000'000},
                              Number{"warmup", &wish.warmup, 0, 1'000'000}, Number{"repeat", &wish.repeat, 1, 1000},
                              Number{"skip_first", &wish.skip_first, 0, 1'000'000}}) {
        known.insert(one.key);
        if (!request.values.contains(one.key))
            continue;
        const auto value = number_of<std::int64_t>(request.values, one.key);
        if (value && *value >= one.least && *value <= one.most)
            *one.value = *value;
        else
            problems.push_back(Message("{}, from {} to {}", one.key, one.least, one.most));
    }
    for (const Switch& one : {Switch{"record_shapes", &wish.record_shapes},
                              Switch{"profile_memory", &wish.profile_memory}, Switch{"with_flops", &wish.with_flops}}) {
        known.insert(one.key);
        const auto given = request.values.find(one.key);
        if (given == request.values.end())
            continue;
        if (given->second == "true" || given->second == "false")
            *one.value = given->second == "true";
        else
            problems.push_back(Message("{}, true or false", one.key));
    }
    if (!problems.empty())
        return refuse(request, Message("profile takes {}", Message::joined(problems, "; ")));
    for (const auto& [key, value] : request.values)
        if (!known.contains(key))
            return refuse(request, Message("profile does not know '{}': it takes {}", key, fmt::join(known, ", ")));
    if (profiling_ || !open(Ask::profile).empty())  // answered when the profile is written
        return refuse(request, "another profile is being recorded");
    requested_.profile = wish;
    open(Ask::profile).push_back(request.id);
}

void Requests::refuse(const run::Request& request, const Message& reason) {
    channel_.send_outcome(request.id, "refused", reason);
}

void Requests::answer(Ask kind, bool done, const Message& text) {
    answer(hand_over(kind), done, text);
}

void Requests::answer(const std::vector<std::string>& requests, bool done, const Message& text) {
    for (const std::string& id : requests)
        channel_.send_outcome(id, done ? "done" : "failed", text);
}

}  // namespace trainyard::worker
