// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A text on its way through normalizers and pre-tokenizers, which still knows of every byte which part of the original text it came from
// (as NormalizedString of the tokenizers library, whose offsets these are).

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/regex.h"

namespace trainyard::tokenizers {

/// A range of bytes.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool operator==(const Span&) const = default;
};

/// A character of a new text, and how it stands to the old one: 0 takes the place of the next old character, -n of it and of the n that follow, 1 is added
/// (and counts as coming from where the character before it came from).
struct Change {
    char32_t character = 0;
    int change = 0;
};

/// How a match of a pattern is split off, with the names of tokenizer.json.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

/// A part of a text, and whether the pattern matches it.
struct Match {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool matches = false;
};

/// All of `text` in parts that match and parts that do not.
std::vector<Match> match_all(std::string_view text, const Regex& pattern);
/// Each character for which `matches` is true is a part of its own.
std::vector<Match> match_characters(std::string_view text, const std::function<bool(char32_t)>& matches);

class NormalizedText {
  public:
    /// `tracked`: without it spans() are not kept, which is quicker. `original` is valid UTF-8 of less than 4 GiB.
    explicit NormalizedText(std::string_view original, bool tracked = true) : text_(original), tracked_(tracked) {}

    const std::string& text() const { return text_; }
    bool empty() const { return text_.empty(); }
    /// Byte offset in the original of the part that this is a slice of.
    std::size_t origin() const { return origin_; }
    /// The bytes of the original that `begin` to `end` of text() came from.
    Span original(std::size_t begin, std::size_t end) const;
    NormalizedText slice(std::size_t begin, std::size_t end) const;

    /// Replaces all of the text. `skipped`: old characters that go before the first change.
    void transform(const std::vector<Change>& changes, std::size_t skipped = 0);
    void keep(const std::function<bool(char32_t)>& kept);
    void map(const std::function<char32_t(char32_t)>& mapped);
    void lower();
    /// Nothing where the text is empty.
    void prepend(const std::string& content);
    void append(const std::string& content);
    void replace(const Regex& pattern, const std::string& content);
    void strip(bool left, bool right);
    /// Canonical or compatible decomposition; `composed`: composition after it (NFD, NFKD, NFC, NFKC).
    void normalize(bool compatible, bool composed);
    /// Each byte as the character that stands for it in byte-level vocabularies.
    void to_byte_characters();
    /// Parts that are not removed; empty ones are left out.
    std::vector<NormalizedText> split(const std::vector<Match>& matches, SplitBehavior behavior) const;

  private:
    void keep_spans();

    std::string text_;
    std::vector<Span> spans_;  ///< of every byte, once the text is not the original's any more
    std::size_t origin_ = 0;
    bool tracked_ = true;
};

/// The character that stands for a byte in byte-level vocabularies, and back (-1: none does).
char32_t character_of_byte(unsigned char byte);
int byte_of_character(char32_t character);

}  // namespace trainyard::tokenizers
