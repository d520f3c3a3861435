// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The states of a supervisor as a table: state x event gives the next state. No processes, clocks or files: supervisor.h does what a transition
// asks for.
//
// Events of users, ranks and machines come at any time and have an entry in every row. Events of the supervisor itself
// occur in some states only; in other states their entry is `impossible`.

#include <array>
#include <optional>
#include <string_view>

namespace trainyard::launch {

enum class SupervisorState {
    queued,            ///< waits for its turn; no ranks
    joining,           ///< machines are awaited, or the time to start again; no ranks
    running,           ///< ranks were started
    growing,           ///< the ranks were asked to save and end, for a machine that has come
    stopping,          ///< the ranks were asked to stop
    failing,           ///< a rank failed: the others end, or are ended, and all start again where that is allowed
    failing_for_good,  ///< the same, but a stop was asked for: nothing starts again
    killing,           ///< all ranks were killed on request, or because they did not stop
    cancelled,         ///< ends without ranks: stopped, killed or unable to continue before any started
};
inline constexpr std::array kSupervisorStates{
    SupervisorState::queued,           SupervisorState::joining,  SupervisorState::running,
    SupervisorState::growing,          SupervisorState::stopping, SupervisorState::failing,
    SupervisorState::failing_for_good, SupervisorState::killing,  SupervisorState::cancelled};

enum class SupervisorEvent {
    // from outside
    stop,          ///< requested by the user, a signal or a machine
    stop_refused,  ///< by rank 0
    kill,          ///< requested by the user, or a stop took too long
    rank_failed,   ///< or hangs, or was lost with its machine
    cannot_go_on,  ///< no machine, no port, no folder
    // by the supervisor
    turn_came,    ///< of a run in the queue
    start_ranks,  ///< of a generation
    grow,         ///< ranks are asked to make room for a machine
    restart,      ///< all ranks have ended, and start again
};
inline constexpr std::array kSupervisorEvents{
    SupervisorEvent::stop,        SupervisorEvent::stop_refused, SupervisorEvent::kill,
    SupervisorEvent::rank_failed, SupervisorEvent::cannot_go_on, SupervisorEvent::turn_came,
    SupervisorEvent::start_ranks, SupervisorEvent::grow,         SupervisorEvent::restart};

std::string_view to_string(SupervisorState state);
std::string_view to_string(SupervisorEvent event);

/// Empty: the event is impossible there.
std::optional<SupervisorState> next_state(SupervisorState state, SupervisorEvent event);

/// Ranks of a generation were started; they may have ended by now.
constexpr bool has_ranks(SupervisorState state) {
    return state != SupervisorState::queued && state != SupervisorState::joining && state != SupervisorState::cancelled;
}
/// True if a rank failed and the others are being ended.
constexpr bool is_failing(SupervisorState state) {
    return state == SupervisorState::failing || state == SupervisorState::failing_for_good;
}
/// True if a stop was requested while ranks were running, and is still in effect.
constexpr bool is_stop_asked(SupervisorState state) {
    return state == SupervisorState::stopping || state == SupervisorState::failing_for_good;
}
/// Ranks that end now are not started again.
constexpr bool ends_for_good(SupervisorState state) {
    return is_stop_asked(state) || state == SupervisorState::killing || state == SupervisorState::cancelled;
}

}  // namespace trainyard::launch
