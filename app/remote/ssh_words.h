// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Words and paths as ssh_config writes them.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::remote {

std::string local_user();
/// `~` and `~name` replaced.
std::string with_home(const std::string& path);
/// Words between blanks; quotes hold them together, `\` escapes quotes, itself and blanks; `#` at the start of a word
/// ends the line. Nothing when a quote is never closed.
std::optional<std::vector<std::string>> split_words(std::string_view text);

}  // namespace trainyard::remote
