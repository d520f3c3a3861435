// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts as parts of web addresses (RFC 3986).

#include <string>
#include <string_view>

namespace trainyard {

/// Letters and digits of ASCII and "-_.~" stay, other bytes are written as %XX. `keep`: further characters that stay.
std::string percent_encoded(std::string_view text, std::string_view keep = {});

}  // namespace trainyard
