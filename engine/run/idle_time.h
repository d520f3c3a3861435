// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Follows the time of a run in which nothing was trained: pauses, and from a failure to the next step. The supervisor
// writes it into state.json (RunState::idle_s, idle_since), from the events that it appends to the journal.

#include "run/journal.h"
#include "run/state.h"

namespace trainyard::run {

/// The texts of the events (kind phase) that begin and end a pause of training. Readers know the events by them.
Message paused_message(std::int64_t step);
Message continued_message(std::int64_t step);

/// Whether a pause of training begins or ends with this event.
bool begins_pause(const Event& event);
bool ends_pause(const Event& event);

/// Begins or ends the idle time if the event is the beginning or the end of a pause, or a restart. Returns whether the
/// state has changed.
bool follow_idle_time(RunState& state, const Event& event);
/// Training continues at `time` (wall seconds), or the run has ended. Returns whether the state has changed.
bool end_idle_time(RunState& state, double time);

/// Sets the idle time of a run that has ended from its journal, where the next step after a restart is not recorded:
/// its idle time ends when the ranks have built the model.
void read_idle_time(const RunPaths& run, RunState& state);

}  // namespace trainyard::run
