// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/idle_time.h"

#include <algorithm>

namespace trainyard::run {

bool begins_pause(const Event& event) {
    return event.kind == "phase" && event.text.text().starts_with("paused after");
}

bool ends_pause(const Event& event) {
    return event.kind == "phase" && event.text.text().starts_with("training goes on");
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
