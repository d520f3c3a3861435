// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parses single values, as in CSV fields or JSON members, into elements of a column.

#include <cstdint>
#include <string_view>

#include "formats/tables/table.h"

namespace trainyard::formats {

/// Calls f(T()) with the C++ type of an integer type. Returns false, without a call, for other types.
template <class F>
bool with_integer_type(ElementType type, F&& f) {
    switch (type) {
        case ElementType::i8:
            return f(std::int8_t()), true;
        case ElementType::i16:
            return f(std::int16_t()), true;
        case ElementType::i32:
            return f(std::int32_t()), true;
        case ElementType::i64:
            return f(std::int64_t()), true;
        case ElementType::u8:
            return f(std::uint8_t()), true;
        case ElementType::u16:
            return f(std::uint16_t()), true;
        case ElementType::u32:
            return f(std::uint32_t()), true;
        case ElementType::u64:
            return f(std::uint64_t()), true;
        default:
            return false;
    }
}

/// Appends one element to `column` (without increasing its row count). False if `text` is not a value of the column's
/// type or is out of range. White space around numbers is ignored; booleans are true/True/TRUE/false/False/FALSE.
bool append_parsed(Column& column, std::string_view text);

/// Appends a number to a column of any numeric type. False if an integer type cannot represent it exactly, or if the
/// column is not numeric.
bool append_integer(Column& column, std::int64_t value);
bool append_unsigned(Column& column, std::uint64_t value);
bool append_real(Column& column, double value);

bool is_boolean(std::string_view text);
/// As std::from_chars, but allows a leading plus and surrounding white space. The whole text must be used.
bool parse_integer(std::string_view text, std::int64_t& value);
bool parse_real(std::string_view text, double& value);

/// The nearest IEEE half or bfloat16 (ties to even).
std::uint16_t to_half(float value);
std::uint16_t to_bfloat16(float value);

}  // namespace trainyard::formats
