// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trackers that write files of ours and of others. Their kinds are in the registry from the start. What a tracker
// writes and which arguments it takes is described in its file.

#include "config/recipe/tracker_names.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

#define TRAINYARD_TRACKER_KIND(NAME) TrackerKind NAME##_kind();
TRAINYARD_TRACKERS(TRAINYARD_TRACKER_KIND)
#undef TRAINYARD_TRACKER_KIND

/// Throws UserError naming the arguments that are not among `known`.
void check_arguments(const std::string& tracker, const Value& arguments, const std::vector<std::string>& known);

}  // namespace trainyard::track
