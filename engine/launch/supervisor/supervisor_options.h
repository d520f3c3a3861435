// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

#include "run/journal.h"

namespace trainyard::launch {

/// Limits in seconds. Tests shorten them; users rely on the defaults.
struct SupervisorOptions {
    double grace_s = 1.0;       ///< from the first failure until SIGTERM: the other ranks may end without a signal
    double term_s = 0.5;        ///< from SIGTERM until SIGKILL
    double program_term_s = 5;  ///< the same for programs, which may have to clean up
    double window_s = 1.0;      ///< in which a failure that explains more replaces an earlier one
    double heartbeat_s = 1.0;   ///< longest time between two messages of a rank
    double silence_s = 10;     ///< without a message: a warning; after two heartbeats where its machine sees it stopped
    double still_s = 10;       ///< without a step, phase or collective of any rank, and ten steps' time: a warning
    double first_step_s = 60;  ///< the same before the first step of a generation
    double idle_s = 60;        ///< a program without output that uses no CPU: a warning
    double state_gap_s = 0.2;  ///< shortest time between two writes of state.json
    double figures_gap_s =
        0.4;  ///< the same where only steps and phases have changed: each rename is work for the disk
    double state_every_s = 1.5;   ///< longest time between two writes
    double request_poll_s = 1.0;  ///< between two looks for requests where inotify reports nothing
    double backoff_s = 1.0;       ///< before a restart after a second short generation, doubled each time up to 30
    double short_life_s = 10;     ///< a generation that lived less is short
    double queue_look_s = 0.5;    ///< between two looks of a run that waits for its turn
    double last_call_s = 30;      ///< to wait for more machines when the fewest have joined
    bool foreground = false;      ///< the launch waits at a terminal, whose hang-up counts as a stop

    /// Called with the output of ranks, which is also in their logs.
    std::function<void(int rank, int local_rank, std::string_view bytes, bool standard_error)> output;
    /// Called with each event of the journal.
    std::function<void(const run::Event&)> happened;
};

}  // namespace trainyard::launch
