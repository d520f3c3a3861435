// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/number.h"

#include <cmath>

namespace trainyard {

std::string python_float(double value) {
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[32];
    auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string_view digits(buffer, static_cast<std::size_t>(end - buffer));
    std::size_t e = digits.find('e');
    int exponent = 0;
    std::string_view power = digits.substr(e + 1);
    if (power.starts_with('+'))
        power.remove_prefix(1);
    exponent = take_number<int>(power).value_or(0);
    // Python writes an exponent below 1e-4 and from 1e16 on.
    if (exponent < -4 || exponent >= 16)
        return std::string(digits);
    auto [fixed_end, fixed_error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    std::string fixed(buffer, fixed_end);
    return fixed.find('.') == std::string::npos ? fixed + ".0" : fixed;
}

}  // namespace trainyard
