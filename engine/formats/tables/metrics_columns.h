// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Recognises the names of JSONL keys and CSV columns, and values that are written as words.

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::formats {

/// Ranks names of a step column: 0 is the best one; -1: not a step.
int step_rank(std::string_view name);
/// Ranks names of a wall time column: 0 is the best one; -1: not a wall time.
int time_rank(std::string_view name);
/// Seconds since 1970 of a number of seconds or milliseconds.
double seconds_of(double number);
/// Seconds since 1970 of an ISO 8601 date and time (UTC unless it has an offset).
std::optional<double> seconds_of(std::string_view date);
/// A number in full, or nan, inf, Infinity with or without sign, in any case.
std::optional<double> number_of(std::string_view text);
/// The whole step that a number is, if it is one.
std::optional<std::int64_t> step_of(double number);

}  // namespace trainyard::formats
