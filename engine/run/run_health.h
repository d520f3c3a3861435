// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a run stands as a reader sees it now. state.json is the word of a supervisor at some time; who shows it must say how old that word is,
// and must not repeat "running" after the one who said it is gone.

#include <string>

#include "base/message.h"
#include "run/state.h"

namespace trainyard::run {

/// The run is neither over nor lost, its supervisor's process is there, and it has said nothing for 10 s: it is stopped or stuck.
bool is_silent(const RunState& state, double now);

/// Whether nothing more can be written into the run's folder, because its disk is full.
bool is_disk_full(const RunPaths& run);

struct RunHealth {
    std::string
        status;  ///< as shown_status(): `running`, ..., `silent`, `lost`, `abandoned`, `unreachable`; or `disk full`
    double age_s = 0;  ///< seconds since the last word of the supervisor; of a mirror: since its host was heard
    bool current =
        true;         ///< false: what the state says of ranks and progress was true `age_s` ago, nobody says it of now
    Message message;  ///< one sentence
    std::string way_out;  ///< the command to type; empty where nothing is to be done
    Message why_type;     ///< what the command does, for the text around it
};

RunHealth run_health(const RunPaths& run, const RunState& state, double now);

/// The state to show: of a run that is lost the ranks are lost, too, and have no process but one that still lives.
RunState state_to_show(RunState state, const RunHealth& health);

}  // namespace trainyard::run
