// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A file's own tree brought to today's keys. Internal to the library.

#include "config/accelerate/settings_file.h"

namespace trainyard::settings {

/// Fills settings, notes and problems of `loaded`.
void normalise(const Value& root, Loaded& loaded);

}  // namespace trainyard::settings
