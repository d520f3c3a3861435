#pragma once
// Two clocks: wall time for people and files, monotonic time for durations and order.

#include <string>

namespace trainyard {

/// Seconds since 1970, with fractions.
double wall_seconds();
/// Seconds of CLOCK_MONOTONIC: same for all processes of a machine, never stepped.
double monotonic_seconds();
/// `2026-11-21T07:45:12.345Z`
std::string iso_time(double wall);
/// Inverse of iso_time; throws std::invalid_argument.
double parse_iso_time(const std::string& text);
/// `20261121-074512` in local time, for folder names.
std::string compact_time(double wall);

}  // namespace trainyard
