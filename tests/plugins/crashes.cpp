// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in that ends the process while it registers its parts.
#include <csignal>

#include <trainyard/plugin.h>

TRAINYARD_PLUGIN("crashing", [](trainyard::plugin::Registry&) { std::raise(SIGKILL); })
