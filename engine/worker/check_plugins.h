// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// trainyard-worker check-plugins: loads the plug-ins of a recipe and looks for the parts that the recipe names, for
// launch/supervisor/plugin_check.h. In a process of its own, since a library may crash.

namespace trainyard::worker {

/// Reads a launch::PluginOrder from standard input and prints a launch::PluginAnswer.
int check_plugins();

}  // namespace trainyard::worker
