// SPDX-License-Identifier: GPL-3.0-or-later
// A plug-in that fails while it registers its parts.
#include <stdexcept>

#include <trainyard/plugin.h>

TRAINYARD_PLUGIN("licensed",
                 [](trainyard::plugin::Registry&) { throw std::runtime_error("no licence for this plug-in"); })
