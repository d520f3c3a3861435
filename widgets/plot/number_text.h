// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers as charts and tiles write them: SI letters with a no-break space for values, without a space on axes;
// small ones as 3e-4; minus is U+2212.

#include <QString>

#include "widgets/plot/series.h"

namespace trainyard::widgets {

/// For an axis whose ticks are `step` apart: `0`, `2.5`, `20k`, `1.5M`, `3e-4`.
QString axis_number(double value, double step);
/// Seconds on a time axis: `30 s`, `5 min`, `2 h`, `1.5 h`.
QString axis_time(double seconds, double step);
/// Seconds since 1970 on the local clock: `14:05`, `14:05:30`, `21 Nov`, `Nov 2026`. The first tick of an axis of hours says the day, too.
QString axis_wall(double seconds, double step, bool first = false);
/// `digits` significant digits: `2.489`, `739 k`, `2.97e-4`; `NaN`, `∞`.
QString value_number(double value, int digits = 4);
/// The position on a horizontal axis in words: `step 4,600`, `1 h 49 min`, `4.82 G tok`.
QString position_text(double x, XUnit unit);
/// At most two units with no-break spaces (text::duration()): `8 h 31 min`.
QString duration_words(double seconds);

}  // namespace trainyard::widgets
