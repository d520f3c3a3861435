// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Trackers without a stable protocol: their Python package writes, in a process of its own
// (resources/trackers/tracker_bridge.py). It is started for the first delivery, again after it ended, and ends with
// this process. Inside this library.

#include <memory>
#include <stop_token>
#include <string>

#include "observe/track/remote_tracker.h"

namespace trainyard::track {

/// `tracker`: its name in the bridge.
std::unique_ptr<Service> make_bridge(std::string tracker, const Value& open, std::stop_token stop);

/// TRAINYARD_PYTHON, else python3 or python on PATH; empty if there is none.
std::string bridge_python();
/// Whether that Python has a package. Starts it.
bool python_has_package(const std::string& package);

/// The text of the program. Its file is copied at configure time.
extern const char* const kBridgeProgram;

}  // namespace trainyard::track
