// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parses numbers as Python's float() does, so that every size that Accelerate accepts is accepted here: underscores
// between digits (`1_000`), decimal digits of any script (Unicode category Nd), any white space around the number.

#include <optional>
#include <string_view>

namespace trainyard {

/// std::nullopt if the text (UTF-8) is not a number, and also for `inf`, `nan` and numbers outside the range of a
/// double.
std::optional<double> decimal_number(std::string_view text);

}  // namespace trainyard
