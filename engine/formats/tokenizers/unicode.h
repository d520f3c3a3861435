// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// UTF-8 and the properties of characters that tokenizers ask for (Unicode Standard; the tables are utf8proc's).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace trainyard::tokenizers {

/// Throws UserError with the byte's position where `text` is not UTF-8 (RFC 3629). `what` begins the sentence.
void check_utf8(std::string_view text, std::string_view what);

using text::begins_character;
using text::utf8_size;

/// The character at `at` of valid UTF-8.
char32_t character_at(std::string_view text, std::size_t at);
/// The character before `end`, which is not 0.
char32_t character_before(std::string_view text, std::size_t end);
std::string to_utf8(std::u32string_view characters);
bool is_ascii(std::string_view text);

bool is_whitespace(char32_t character);   ///< property White_Space
bool is_letter(char32_t character);       ///< categories L*
bool is_number(char32_t character);       ///< categories N*
bool is_punctuation(char32_t character);  ///< categories P*
bool is_mark(char32_t character);         ///< categories M*
bool is_nonspacing_mark(char32_t character);
bool is_other(char32_t character);  ///< categories Cc, Cf, Co and Cs, without characters that are not assigned
bool is_word(char32_t character);   ///< \w of Unicode Technical Standard 18: letters, marks, digits, connectors
/// The script as the pre-tokenizer UnicodeScripts tells them apart, or 0: fits any. Not that of today's Unicode
/// (script_table.h).
int script_of(char32_t character);
/// Lower case without context: one character, or two for U+0130.
std::u32string to_lower(char32_t character);

int combining_class(char32_t character);
/// Full decomposition; `compatible`: that of NFKD.
std::u32string decompose(char32_t character, bool compatible);
/// The canonical composition of two characters, or 0.
char32_t compose(char32_t first, char32_t second);

/// Ends of the extended grapheme clusters of valid UTF-8 (Unicode Standard Annex 29), in bytes.
std::vector<std::size_t> grapheme_ends(std::string_view text);

}  // namespace trainyard::tokenizers
