// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/supervisor_state.h"

#include <cstddef>

namespace trainyard::launch {

namespace {

using State = SupervisorState;
using Next = std::optional<SupervisorState>;

constexpr Next impossible = std::nullopt;
constexpr Next queued = State::queued, joining = State::joining, running = State::running, growing = State::growing,
               stopping = State::stopping, failing = State::failing, for_good = State::failing_for_good,
               killing = State::killing, cancelled = State::cancelled;

struct Row {
    State state;
    /// In the order of kSupervisorEvents.
    std::array<Next, kSupervisorEvents.size()> next;
};

// clang-format off
constexpr std::array<Row, kSupervisorStates.size()> kTable{{
    //                           stop       stop_refused  kill       rank_failed  cannot_go_on  turn_came    start_ranks  grow         restart
    {State::queued,             {cancelled, queued,       cancelled, queued,      cancelled,    joining,     impossible,  impossible,  impossible}},
    {State::joining,            {cancelled, joining,      cancelled, joining,     cancelled,    impossible,  running,     impossible,  impossible}},
    {State::running,            {stopping,  running,      killing,   failing,     running,      impossible,  impossible,  growing,     joining}},
    {State::growing,            {stopping,  growing,      killing,   failing,     growing,      impossible,  impossible,  impossible,  joining}},
    {State::stopping,           {stopping,  running,      killing,   for_good,    stopping,     impossible,  impossible,  impossible,  impossible}},
    {State::failing,            {for_good,  failing,      killing,   failing,     failing,      impossible,  impossible,  impossible,  joining}},
    {State::failing_for_good,   {for_good,  failing,      killing,   for_good,    for_good,     impossible,  impossible,  impossible,  impossible}},
    {State::killing,            {killing,   killing,      killing,   killing,     killing,      impossible,  impossible,  impossible,  impossible}},
    {State::cancelled,          {cancelled, cancelled,    cancelled, cancelled,   cancelled,    impossible,  impossible,  impossible,  impossible}},
}};
// clang-format on

}  // namespace

std::string_view to_string(SupervisorState state) {
    constexpr std::array<std::string_view, kSupervisorStates.size()> kNames{
        "queued", "joining", "running", "growing", "stopping", "failing", "failing_for_good", "killing", "cancelled"};
    return kNames[static_cast<std::size_t>(state)];
}

std::string_view to_string(SupervisorEvent event) {
    constexpr std::array<std::string_view, kSupervisorEvents.size()> kNames{
        "stop", "stop_refused", "kill", "rank_failed", "cannot_go_on", "turn_came", "start_ranks", "grow", "restart"};
    return kNames[static_cast<std::size_t>(event)];
}

std::optional<SupervisorState> next_state(SupervisorState state, SupervisorEvent event) {
    for (const Row& row : kTable)
        if (row.state == state)
            return row.next[static_cast<std::size_t>(event)];
    return std::nullopt;
}

}  // namespace trainyard::launch
