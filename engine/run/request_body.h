// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a request asks for: a type for each kind, whose values are described once for the writer and the reader. The
// file has them as texts (run/request.h), because requests may be written by hand.

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "base/message.h"
#include "run/request.h"

namespace trainyard::run {

/// Bounds of a number, and whether the value must be there.
struct ValueRule {
    std::int64_t least = std::numeric_limits<std::int64_t>::min(), most = std::numeric_limits<std::int64_t>::max();
    bool is_above = false;  ///< `least` itself is not allowed
    bool is_required = false;
};

struct StopRequest {
    static constexpr const char* kKind = "stop";
    bool checkpoint = true;  ///< false: end after the step under way, saving nothing
    void values(auto& value) { value("checkpoint", checkpoint); }
};
/// Ends the ranks at once.
struct KillRequest {
    static constexpr const char* kKind = "kill";
    void values(auto&) {}
};
struct CheckpointRequest {
    static constexpr const char* kKind = "checkpoint";
    void values(auto&) {}
};
struct EvaluateRequest {
    static constexpr const char* kKind = "evaluate";
    void values(auto&) {}
};
struct NoteRequest {
    static constexpr const char* kKind = "note";
    Message text;
    std::optional<std::int64_t> step;  ///< nothing: the newest one
    void values(auto& value) {
        value("text", text, ValueRule{.is_required = true});
        value("step", step);
    }
};
/// Numbers of steps and what to record, as in config::ProfileRecipe.
struct ProfileRequest {
    static constexpr const char* kKind = "profile";
    static constexpr std::int64_t kMostSteps = 1000, kMostRepeats = 1000, kMostOtherSteps = 1'000'000;
    std::int64_t steps = 10, wait = 0, warmup = 0, repeat = 1, skip_first = 0;
    bool record_shapes = false, profile_memory = false, with_flops = false;
    void values(auto& value) {
        value("steps", steps, ValueRule{.least = 1, .most = kMostSteps});
        value("wait", wait, ValueRule{.least = 0, .most = kMostOtherSteps});
        value("warmup", warmup, ValueRule{.least = 0, .most = kMostOtherSteps});
        value("repeat", repeat, ValueRule{.least = 1, .most = kMostRepeats});
        value("skip_first", skip_first, ValueRule{.least = 0, .most = kMostOtherSteps});
        value("record_shapes", record_shapes);
        value("profile_memory", profile_memory);
        value("with_flops", with_flops);
    }
};
/// The highest learning rate from the next step on.
struct RateRequest {
    static constexpr const char* kKind = "set";
    double lr = 0;
    void values(auto& value) {
        value("lr", lr, ValueRule{.least = 0, .most = 100, .is_above = true, .is_required = true});
    }
};
struct PauseRequest {
    static constexpr const char* kKind = "pause";
    void values(auto&) {}
};
struct ResumeRequest {
    static constexpr const char* kKind = "resume";
    void values(auto&) {}
};
/// The new place of a run in the queue.
struct MoveRequest {
    static constexpr const char* kKind = "move";
    std::int64_t place = 0;  ///< from 1: the next one of the queue
    void values(auto& value) {
        value("place", place, ValueRule{.least = 1, .most = std::numeric_limits<int>::max(), .is_required = true});
    }
};
/// Starts a run of the queue, whatever is before it.
struct StartRequest {
    static constexpr const char* kKind = "start";
    void values(auto&) {}
};

using RequestBody = std::variant<StopRequest, KillRequest, CheckpointRequest, EvaluateRequest, NoteRequest,
                                 ProfileRequest, RateRequest, PauseRequest, ResumeRequest, MoveRequest, StartRequest>;

/// The request for drop_request(). Values that have their default are left out. `from`: desktop | terminal
Request make_request(const RequestBody& body, std::string from);
/// Throws UserError with the reason for which the request is to be refused: its kind or a value is not known, or a
/// value is wrong or missing. Kinds without values ignore those that are there.
RequestBody request_body(const Request& request);

}  // namespace trainyard::run
