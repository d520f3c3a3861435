// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/words.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::traces {

std::string time_words(std::int64_t nanoseconds) {
    const double value = std::fabs(static_cast<double>(nanoseconds));
    const std::string sign = nanoseconds < 0 ? "-" : "";
    if (value < 1000)
        return fmt::format("{}{:.0f} ns", sign, value);
    struct Unit {
        double ns;
        const char* name;
    };
    constexpr std::array kUnits{Unit{1e3, "µs"}, Unit{1e6, "ms"}, Unit{1e9, "s"}};
    for (const Unit& unit : kUnits) {
        const double number = value / unit.ns;
        // A number that rounds to 1000 is 1.00 of the next unit; from 10 s on, the duration is written in words.
        if (number >= (unit.ns == 1e9 ? 9.995 : 999.5))
            continue;
        const int decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0;
        return fmt::format("{}{:.{}f} {}", sign, number, decimals, unit.name);
    }
    return sign + text::duration(value * 1e-9);
}

}  // namespace trainyard::traces
