// SPDX-License-Identifier: GPL-3.0-or-later
// The supervisor's table of states: every state x event by name, and what must hold of any such table.

#include "launch/supervisor/supervisor_state.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trainyard::launch {
namespace {

using State = SupervisorState;
using Event = SupervisorEvent;

/// Each transition that changes the state. What is not here stays, or is impossible.
const std::map<State, std::map<Event, State>> kChanges{
    {State::queued,
     {{Event::turn_came, State::joining},
      {Event::stop, State::cancelled},
      {Event::kill, State::cancelled},
      {Event::cannot_go_on, State::cancelled}}},
    {State::joining,
     {{Event::start_ranks, State::running},
      {Event::stop, State::cancelled},
      {Event::kill, State::cancelled},
      {Event::cannot_go_on, State::cancelled}}},
    {State::running,
     {{Event::stop, State::stopping},
      {Event::kill, State::killing},
      {Event::rank_failed, State::failing},
      {Event::grow, State::growing},
      {Event::restart, State::joining}}},  // ranks that could not all be started
    {State::growing,
     {{Event::stop, State::stopping},
      {Event::kill, State::killing},
      {Event::rank_failed, State::failing},
      {Event::restart, State::joining}}},
    {State::stopping,
     {{Event::stop_refused, State::running},
      {Event::kill, State::killing},
      {Event::rank_failed, State::failing_for_good}}},
    {State::failing,
     {{Event::stop, State::failing_for_good}, {Event::kill, State::killing}, {Event::restart, State::joining}}},
    {State::failing_for_good, {{Event::stop_refused, State::failing}, {Event::kill, State::killing}}},
};
const std::map<Event, std::set<State>> kPossible{
    {Event::turn_came, {State::queued}},
    {Event::start_ranks, {State::joining}},
    {Event::grow, {State::running}},
    {Event::restart, {State::running, State::growing, State::failing}},
};

std::string text(State state, Event event) {
    return std::string(to_string(state)) + " x " + std::string(to_string(event));
}

TEST(SupervisorStates, EveryStateAndEvent) {
    for (State state : kSupervisorStates)
        for (Event event : kSupervisorEvents) {
            const std::optional<State> next = next_state(state, event);
            const auto possible = kPossible.find(event);
            ASSERT_EQ(next.has_value(), possible == kPossible.end() || possible->second.contains(state))
                << text(state, event);
            if (!next)
                continue;
            const auto row = kChanges.find(state);
            const bool changes = row != kChanges.end() && row->second.contains(event);
            EXPECT_EQ(to_string(*next), to_string(changes ? row->second.at(event) : state)) << text(state, event);
        }
}

TEST(SupervisorStates, NamesAreAllThereAndDifferent) {
    std::set<std::string_view> names;
    for (State state : kSupervisorStates)
        names.insert(to_string(state));
    for (Event event : kSupervisorEvents)
        names.insert(to_string(event));
    EXPECT_EQ(names.size(), kSupervisorStates.size() + kSupervisorEvents.size());
    EXPECT_FALSE(names.contains(""));
}

/// All states that can follow, over any number of events that `allowed` lets through.
template <class Allowed>
std::set<State> reachable(State from, Allowed allowed) {
    std::set<State> found{from};
    for (std::vector<State> open{from}; !open.empty();) {
        const State state = open.back();
        open.pop_back();
        for (Event event : kSupervisorEvents)
            if (const auto next = next_state(state, event); next && allowed(event) && found.insert(*next).second)
                open.push_back(*next);
    }
    return found;
}

TEST(SupervisorStates, EveryStateIsReached) {
    EXPECT_EQ(reachable(State::queued, [](Event) { return true; }).size(), kSupervisorStates.size());
}

TEST(SupervisorStates, NothingStartsAfterAStopOrAKill) {
    for (State state : kSupervisorStates) {
        for (Event event : {Event::stop, Event::kill})
            for (State later : reachable(*next_state(state, event), [](Event e) { return e != Event::stop_refused; }))
                EXPECT_TRUE(ends_for_good(later)) << text(state, event) << " then " << to_string(later);
        // A kill holds whatever a rank says of a stop.
        for (State later : reachable(*next_state(state, Event::kill), [](Event) { return true; }))
            EXPECT_TRUE(later == State::killing || later == State::cancelled) << to_string(later);
    }
}

TEST(SupervisorStates, RanksComeAndGoWithTheirEvents) {
    for (State state : kSupervisorStates)
        for (Event event : kSupervisorEvents) {
            const auto next = next_state(state, event);
            if (!next)
                continue;
            EXPECT_EQ(!has_ranks(state) && has_ranks(*next), event == Event::start_ranks) << text(state, event);
            EXPECT_EQ(has_ranks(state) && !has_ranks(*next), event == Event::restart) << text(state, event);
            if (event == Event::rank_failed && has_ranks(state)) {
                EXPECT_TRUE(is_failing(*next) || *next == State::killing) << text(state, event);
            }
        }
}

}  // namespace
}  // namespace trainyard::launch
