// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Regular expressions (of tokenizer.json, of names of modules): PCRE2 in UTF mode with Unicode properties, compiled just in time where that is possible.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard {

class Regex {
  public:
    /// Throws UserError with PCRE2's words and the place in the expression.
    explicit Regex(const std::string& expression);
    /// Matches exactly this text, which may be empty (no match).
    static Regex literal(const std::string& text);
    Regex(Regex&&) noexcept;
    Regex& operator=(Regex&&) noexcept;
    ~Regex();

    /// Calls `take(begin, end)` for every match from left to right, in bytes. `text` is valid UTF-8. Throws UserError where matching takes too much
    /// backtracking.
    void for_each_match(std::string_view text, const std::function<void(std::size_t, std::size_t)>& take) const;

    /// Whether the expression matches all of the text, as Python's re.fullmatch. `text` is valid UTF-8. Throws as for_each_match().
    bool matches_whole(std::string_view text) const;

    /// The first group of the first match, or all of the match where the expression has no group; nothing without a
    /// match. Points into `text`, which is valid UTF-8. Throws as for_each_match().
    std::optional<std::string_view> first_group(std::string_view text) const;

  private:
    Regex();
    bool match(std::string_view text, std::size_t at, unsigned options) const;
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
    std::string literal_;  ///< of literal(): searched for without PCRE2
};

}  // namespace trainyard
