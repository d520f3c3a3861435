// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bytes as text of 64 letters. RFC 4648.

#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

/// Which letters stand for 62 and 63: `+` and `/`, or in addresses and names of files `-` and `_`.
enum class Base64 { standard, url };

/// The bytes of `text`, with or without `=` at its end; std::nullopt: it has a letter of another kind.
std::optional<std::string> from_base64(std::string_view text, Base64 letters = Base64::standard);

}  // namespace trainyard
