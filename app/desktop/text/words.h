// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers and states as the desktop writes them: SI with a no-break space, losses with four significant
// digits, times relative within a day.

#include <cstdint>
#include <optional>

#include <QString>

namespace trainyard::desktop {

/// `2.489`; `NaN` and `∞` as words; empty when absent.
QString lossText(const std::optional<double>& loss);
/// `739 k`; empty when absent.
QString rateText(const std::optional<double>& tokensPerSecond);
/// `18,420` by the locale.
QString stepText(std::int64_t step);
/// `just now`, `5 min ago`, `7 h 34 min ago`, `yesterday`, `3 days ago`, then the date. Wall seconds.
QString relativeTime(double then, double now);
/// `8 h 31 min`
QString durationText(double seconds);
/// `21 Nov 2026, 07:45:12`, for tool tips.
QString absoluteTime(double wall);

}  // namespace trainyard::desktop
