// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in whose tracker has the name of one of Trainyard.
#include <trainyard/plugin.h>

TRAINYARD_PLUGIN("tables", [](trainyard::plugin::Registry& registry) {
    registry.add_tracker(
        "csv", [](const trainyard::plugin::TrackerContext&) { return std::unique_ptr<trainyard::plugin::Tracker>(); });
})
