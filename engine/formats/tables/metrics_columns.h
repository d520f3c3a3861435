#pragma once
// What the names of JSONL keys and CSV columns mean, and values that are written as words.

#include <cstdint>
#include <optional>
#include <string_view>

namespace trainyard::formats {

/// 0 is the best name of a step; -1: the name is none.
int step_rank(std::string_view name);
/// 0 is the best name of a wall time; -1: the name is none.
int time_rank(std::string_view name);
/// Seconds since 1970 of a number of seconds or milliseconds.
double seconds_of(double number);
/// Of an ISO 8601 date and time (UTC unless it names its offset).
std::optional<double> seconds_of(std::string_view date);
/// A number in full, or nan, inf, Infinity with or without sign, in any case.
std::optional<double> number_of(std::string_view text);
/// The whole step that a number is, if it is one.
std::optional<std::int64_t> step_of(double number);

}  // namespace trainyard::formats
