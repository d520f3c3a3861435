// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/state.h"

#include <array>

#include "base/clock.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "run/idle_time.h"
#include "run/run_health.h"

namespace trainyard::run {

namespace {
constexpr std::array kStatusNames{"queued",   "preparing", "starting", "running",
                                  "stopping", "finished",  "failed",   "stopped"};
constexpr double kHeartbeatLimit = 10;             // seconds
constexpr std::uint64_t kLargestState = 8u << 20;  // bytes; 20,000 ranks

}  // namespace

std::span<const char* const> status_names() {
    return kStatusNames;
}

std::string to_string(Status status) {
    return kStatusNames.at(static_cast<std::size_t>(status));
}

std::string rank_name(int rank, const std::string& place) {
    return place.empty() ? std::to_string(rank) : std::to_string(rank) + " (" + place + ")";
}

Status parse_status(const std::string& text) {
    for (std::size_t i = 0; i < kStatusNames.size(); ++i)
        if (text == kStatusNames[i])
            return static_cast<Status>(i);
    throw UserError("'{}' is not a status of a run", text::printable(text, 60));
}

std::string to_json(const RunState& state) {
    return fields::to_text(state) + "\n";
}

RunState parse_state(const std::string& text, const std::string& origin) {
    return fields::from_text<RunState>(text, origin);
}

std::optional<RunState> read_state(const RunPaths& run) {
    std::error_code error;
    if (!fs::exists(run.state(), error) && !error)
        return std::nullopt;
    RunState state = parse_state(read_regular_file(run.state(), kLargestState), run.state().string());
    state.mirror = read_mirror(run);
    if (!state.idle_s && is_over(state.status))
        read_idle_time(run, state);
    return state;
}

void write_state(const RunPaths& run, RunState state, bool durable) {
    state.heartbeat = wall_seconds();
    write_file_atomically(run.state(), to_json(state), durable);
}

bool is_lost(const RunState& state, double now) {
    if (state.mirror)
        return !is_over(state.status) && state.mirror->lost && !is_unreachable(*state.mirror, now);
    // Whether a process lives can only be seen on its own host; a heartbeat from elsewhere must speak for itself.
    if (is_over(state.status) || is_waiting(state) || now - state.heartbeat <= kHeartbeatLimit)
        return false;
    return state.supervisor_host != host_name() || !is_alive(state.supervisor);
}

bool is_silent(const RunState& state, double now) {
    return !state.mirror && !is_over(state.status) && !is_waiting(state) && now - state.heartbeat > kHeartbeatLimit &&
           !is_lost(state, now);
}

std::string shown_status(const RunState& state, double now) {
    if (state.mirror && !is_over(state.status) && is_unreachable(*state.mirror, now))
        return "unreachable";
    if (is_abandoned(state, now))
        return "abandoned";
    if (is_silent(state, now))
        return "silent";
    return is_lost(state, now) ? "lost" : to_string(state.status);
}

Message shown_message(const RunState& state, double now) {
    return is_abandoned(state, now)
               ? Message("queued, but the process that waited for its turn has ended: queue it again")
               : state.message;
}

}  // namespace trainyard::run
