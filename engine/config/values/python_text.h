// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How PyYAML reads and writes scalars, so that our files are theirs, byte for byte.

#include <string>
#include <string_view>

#include "config/values/value.h"

namespace trainyard {

/// Returns the digits of a whole number of more than 64 bits, which a value stores as a floating-point number and
/// Python exactly; empty for other values.
std::string big_integer(const Value& value);

/// A scalar without quotes, as PyYAML's safe loader resolves it (YAML 1.1); text when it is nothing else.
Value resolve_plain(std::string_view text);

}  // namespace trainyard
