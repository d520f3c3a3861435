// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Trackers of plug-ins (models/plugins/trainyard/plugin.h) as trackers of a run (observe/track/tracker.h).

namespace trainyard::worker {

/// Registers the trackers of the plug-ins that are loaded.
void register_plugin_trackers();

}  // namespace trainyard::worker
