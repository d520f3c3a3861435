// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Two clocks: wall time to show and to store, monotonic time for durations and ordering.

#include <string>

namespace trainyard {

/// Seconds since the epoch (1970-01-01 UTC), with a fraction.
double wall_seconds();
/// Seconds of CLOCK_MONOTONIC: the same for all processes of a machine; setting the system's clock does not change it.
double monotonic_seconds();
/// `2026-11-21T07:45:12.345Z`
std::string iso_time(double wall);
/// Inverse of iso_time; throws std::invalid_argument.
double parse_iso_time(const std::string& text);
/// `20261121-074512` in local time, for folder names.
std::string compact_time(double wall);

}  // namespace trainyard
