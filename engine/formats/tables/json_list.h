// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the objects of a JSON list are ("[{...}, {...}]"), without parsing them: the reader of tables splits files
// there, and previews cut the beginning of a remote file there.

#include <cstddef>
#include <optional>
#include <string_view>

namespace trainyard::formats {

inline constexpr std::string_view kJsonBlanks = " \t\r\n";

/// The bytes up to and with the '[' of a text that begins with a list whose first element is an object, or that has no
/// elements. Nothing for other texts. `head`: the first bytes of the text, after the byte order mark.
std::optional<std::size_t> json_list_begin(std::string_view head);

/// Finds the end of one element, in the pieces of its text.
class JsonElementEnd {
  public:
    /// Bytes of `piece` that belong to the element, or npos if it does not end in this piece.
    std::size_t find(std::string_view piece);

  private:
    std::size_t depth_ = 0;
    bool is_text_ = false, is_escaped_ = false;
};

/// The bytes of `head` up to the end of the last element that is complete; 0 if none is. `begin`: json_list_begin().
std::size_t json_list_elements_end(std::string_view head, std::size_t begin);

}  // namespace trainyard::formats
