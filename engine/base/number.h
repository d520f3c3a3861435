// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers in text that programs wrote: in C's notation, without white space, plus sign, separators or a language's own point. Numbers as people
// write them are decimal_number() of decimal.h, sizes are memory_size.h.

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace trainyard {

/// The number that `text` begins with, which is taken from it. std::nullopt, and nothing is taken, if there is none or it does not fit the type.
template <typename Number>
std::optional<Number> take_number(std::string_view& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// std::nullopt if the whole text is not one number from `least` to `most`. Not a number is never between two.
template <typename Number>
std::optional<Number> parse_number(std::string_view text, Number least = std::numeric_limits<Number>::lowest(),
                                   Number most = std::numeric_limits<Number>::max()) {
    const std::optional<Number> number = take_number<Number>(text);
    return number && text.empty() && *number >= least && *number <= most ? number : std::nullopt;
}

/// repr() of a Python float: `1.0`, `0.0001`, `1e-05`, `1e+16`, `inf`, `nan`.
std::string python_float(double value);

}  // namespace trainyard
