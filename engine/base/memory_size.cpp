// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/memory_size.h"

#include <cmath>
#include <optional>
#include <string_view>

#include "base/decimal.h"
#include "base/error.h"
#include "base/letter_case.h"

namespace trainyard {

namespace {

/// Bytes per unit; bits count an eighth. Only a small b behind a capital letter means bits: "gb" is how hasty people write GB.
struct Unit {
    double factor;
    bool bits;
    std::size_t length;
};
std::optional<Unit> unit_of(const std::string& written) {
    const std::string big = text::upper(written);
    constexpr std::string_view kPrefixes = "KMGTP";
    const std::size_t size = big.size();
    if (size < 2 || big.back() != 'B')
        return std::nullopt;
    const bool binary = size >= 3 && big[size - 2] == 'I';
    const std::size_t power = kPrefixes.find(big[size - (binary ? 3 : 2)]);
    if (power == std::string_view::npos)
        return std::nullopt;
    const char prefix = written[size - (binary ? 3 : 2)];
    const auto exponent = static_cast<double>(power + 1);
    return Unit{std::pow(binary ? 1024.0 : 1000.0, exponent),
                !binary && written.back() == 'b' && prefix >= 'A' && prefix <= 'Z', binary ? 3U : 2U};
}

}  // namespace

std::int64_t parse_memory_size(const std::string& text) {
    std::string trimmed = text;
    while (!trimmed.empty() && trimmed.back() == ' ')
        trimmed.pop_back();
    const std::optional<Unit> unit = unit_of(trimmed);
    const std::optional<double> number =
        unit ? decimal_number(std::string_view(trimmed).substr(0, trimmed.size() - unit->length)) : std::nullopt;
    if (!number)
        throw UserError(
            "'{}' is not a size of memory: write a number with a unit, such as 5GB or "
            "500MiB",
            text);
    const double bytes = std::trunc(*number * unit->factor);
    if (bytes < 0)
        throw UserError("'{}' is less than no memory: write a size of 0 or more", text);
    if (bytes >= 0x1p63)
        throw UserError("'{}' is more memory than can be counted", text);
    const auto whole = static_cast<std::int64_t>(bytes);
    return unit->bits ? whole / 8 : whole;
}

}  // namespace trainyard
