// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Spans of time of any size in words.

#include <cstdint>

#include <QString>

namespace trainyard::widgets {

/// Four significant digits at most: `812 ns`, `1.875 µs`, `318 ms`, `1.38 s`; of 100 seconds and more `8 m 31 s`.
QString nanosecond_words(std::int64_t nanoseconds);
/// A position in time, with decimals for ticks that are `step` apart: `+1.5 s`, `+318.25 ms`.
QString offset_words(std::int64_t nanoseconds, std::int64_t step);

}  // namespace trainyard::widgets
