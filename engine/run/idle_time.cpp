// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/idle_time.h"

#include <algorithm>
#include <string_view>

namespace trainyard::run {

namespace {

/// `older`: how the text begins in journals of earlier versions, which have other messages, or texts alone.
bool is_phase(const Event& event, const Message& message, std::string_view older) {
    return event.kind == "phase" && (event.text.form() == message.form() || event.text.text().starts_with(older));
}

}  // namespace

Message paused_message(std::int64_t step) {
    return Message("paused after step {}", step);
}

Message continued_message(std::int64_t step) {
    return Message("training goes on after step {}", step);
}

bool begins_pause(const Event& event) {
    return is_phase(event, paused_message(0), "paused after");
}

bool ends_pause(const Event& event) {
    return is_phase(event, continued_message(0), "training goes on");
}

bool follow_idle_time(RunState& state, const Event& event) {
    if (ends_pause(event))
        return end_idle_time(state, event.time);
    if (state.idle_since > 0 || !(begins_pause(event) || event.kind == "restart"))
        return false;
    state.idle_since = event.time;
    return true;
}

bool end_idle_time(RunState& state, double time) {
    if (state.idle_since <= 0)
        return false;
    state.idle_s = idle_seconds(state, time);
    state.idle_since = 0;
    return true;
}

double idle_seconds(const RunState& state, double now) {
    return state.idle_s.value_or(0) + (state.idle_since > 0 ? std::max(0.0, now - state.idle_since) : 0);
}

std::optional<double> active_seconds(const RunState& state, double now) {
    if (state.started <= 0)
        return std::nullopt;
    const double end = state.ended.value_or(now);
    return std::max(0.0, end - state.started - idle_seconds(state, end));
}

void read_idle_time(const RunPaths& run, RunState& state) {
    state.idle_s = 0;
    for (const Event& event : JournalReader(run.journal()).poll()) {
        if (event.time < state.started)  // of an earlier supervisor
            continue;
        if (event.kind == "phase" && event.text.text().find(" parameters on ") != std::string::npos)
            end_idle_time(state, event.time);
        follow_idle_time(state, event);
    }
    end_idle_time(state, state.ended.value_or(state.heartbeat));
}

}  // namespace trainyard::run
