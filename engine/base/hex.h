// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bytes as hexadecimal digits.

#include <string>
#include <string_view>

namespace trainyard {

/// Two lower-case digits for each byte.
std::string to_hex(std::string_view bytes);

}  // namespace trainyard
