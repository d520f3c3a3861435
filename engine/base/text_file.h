// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Text of files that users give: UTF-8, with or without a byte order mark. Other encodings are refused by name or by
// the first byte that does not fit, because text read in the wrong encoding trains or configures without any error. All
// readers of text use these functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/filesystem.h"

namespace trainyard::text {

/// Bytes of UTF-8's byte order mark at the beginning of `head`: 3, or 0 if there is none.
std::size_t mark_bytes(std::string_view head);

/// Bytes of a file that are enough for foreign_encoding() and mark_bytes().
inline constexpr std::size_t kHeadBytes = 64;
/// The encoding that the first bytes of a text identify: "UTF-16", "UTF-32", by a byte order mark or by zeros in every
/// second byte. nullptr for all others.
const char* foreign_encoding(std::string_view head);

/// The first place of a text that is not text in UTF-8.
struct Fault {
    std::size_t at = 0;  ///< offset in the text
    bool zeros = false;  ///< two zero bytes or more; otherwise an invalid byte
    unsigned char byte = 0;
};
/// Finds invalid UTF-8 and runs of zero bytes. A single zero byte is the character U+0000, as for pandas and
/// `datasets`.
std::optional<Fault> find_fault(std::string_view text);

/// "byte 7 (0xe9) is not valid UTF-8". `offset`: of the text in its file.
Message name_fault(const Fault& fault, std::uint64_t offset);
/// The same with advice for text files, without file and line: the sentence is the same for all formats.
Message describe_fault(const Fault& fault, std::uint64_t offset);
Message describe_encoding(const char* encoding);

/// What is wrong with the text of a command's argument; std::nullopt for text in UTF-8.
std::optional<Message> argument_problem(std::string_view text);
/// Throws InvalidInput with argument_problem() for `argument`: "--prompt".
void check_argument(std::string_view text, const std::string& argument);

/// The fault of a whole text (UTF-16, invalid UTF-8, zeros) with its line; std::nullopt for text in UTF-8.
std::optional<Problem> text_problem(std::string_view text, const std::string& file);
/// The text after the byte order mark. Throws InvalidInput with text_problem().
std::string_view checked_text(std::string_view text, const std::string& file);

/// read_file() and checked_text().
std::string read_text_file(const fs::path& path, std::uint64_t limit = 64ull << 20);

}  // namespace trainyard::text
