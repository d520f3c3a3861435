// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pieces of HTML. Every text of a run goes through escaped().

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::report {

/// The text for an element or a quoted attribute. Invalid UTF-8 becomes U+FFFD, control characters are escaped.
std::string escaped(std::string_view text);
/// The same of several lines.
std::string escaped_lines(std::string_view text);

/// A table whose heads and cells are HTML; numbers are aligned at the right from the second column on.
std::string table(const std::vector<std::string>& heads, const std::vector<std::vector<std::string>>& rows);

/// `text` as an element of a class.
std::string element(std::string_view name, std::string_view css_class, std::string_view html);

/// A small square in the colour of a run, from 1.
std::string swatch(int color);

/// A whole file that needs nothing else: no scripts, no external resources, colours for light and dark. `title` and
/// `subtitle` are texts, `body` is HTML; pictures in it are data.
std::string document(std::string_view title, std::string_view subtitle, std::string_view body);

}  // namespace trainyard::report
