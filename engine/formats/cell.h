#pragma once
// Texts of single values, as they stand in CSV files and under JSON members, to elements of a column.

#include <cstdint>
#include <string_view>

#include "formats/table.h"

namespace trainyard::formats {

/// Appends one element to `column` (not its row count). False when `text` is no value of the column's type or out of its range. Blanks around
/// numbers are left out; booleans are true/True/TRUE/false/False/FALSE.
bool append_parsed(Column& column, std::string_view text);

/// Appends a number to a column of any numeric type. False when the type cannot hold it exactly (integers) or it is none of its kind.
bool append_integer(Column& column, std::int64_t value);
bool append_unsigned(Column& column, std::uint64_t value);
bool append_real(Column& column, double value);

bool is_boolean(std::string_view text);
/// As std::from_chars, with a leading plus and blanks around allowed; all of the text must be used.
bool parse_integer(std::string_view text, std::int64_t& value);
bool parse_real(std::string_view text, double& value);

/// Nearest IEEE half or bfloat16 (ties to even).
std::uint16_t to_half(float value);
std::uint16_t to_bfloat16(float value);

}  // namespace trainyard::formats
