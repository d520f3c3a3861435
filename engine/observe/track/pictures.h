// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures of a record as PNG files. Inside this library.

#include <cstdint>
#include <string>

#include "observe/track/tracker.h"

namespace trainyard::track {

/// One of the pictures, in colours.
std::string png_of(const Pictures& pictures, std::int64_t index);

}  // namespace trainyard::track
