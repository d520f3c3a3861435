// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Starts the process that sends the alarms of a run (`trainyard alarms watch`, app/alarms/watcher.h).

#include "run/paths.h"

namespace trainyard::launch {

/// Does nothing if no alarm is sent anywhere ($XDG_CONFIG_HOME/trainyard/alarms.json is missing), or the program
/// `trainyard` is not beside this one. The process belongs to nobody: it ends after the run.
void start_alarm_process(const run::RunPaths& run);

}  // namespace trainyard::launch
