#pragma once
// Numbers as Python's float() reads them, so that a size which Accelerate takes is taken here: underscores between digits (`1_000`), the decimal
// digits of every script (Unicode category Nd), blanks of every kind around the number.

#include <optional>
#include <string_view>

namespace trainyard {

/// Nothing when the text (UTF-8) is no number. `inf`, `nan` and numbers beyond the range of a double are none either.
std::optional<double> decimal_number(std::string_view text);

}  // namespace trainyard
