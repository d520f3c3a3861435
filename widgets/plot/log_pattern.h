// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A search pattern for logs: words (compared case-insensitively in ASCII), or a regular expression between slashes.
// Expressions are those of PCRE2, applied to the bytes of the log as UTF-8 (invalid bytes match nothing), and their
// time is bounded: a line that takes too long counts as not found and is counted, so that no expression can block the
// window.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <QString>

namespace trainyard::widgets {

struct TextSpan {
    std::uint32_t begin = 0, end = 0;  ///< bytes
    bool operator==(const TextSpan&) const = default;
};

class LogPattern {
  public:
    LogPattern() = default;
    /// `/.../` is an expression, everything else is words. For an invalid expression see problem().
    explicit LogPattern(const QString& words);

    const QString& words() const { return words_; }
    bool empty() const { return words_.isEmpty(); }
    /// An error message; empty if the pattern is valid.
    const QString& problem() const { return problem_; }
    bool found(std::string_view text) const;
    /// The matches in a text, without overlap, at most `most`.
    std::vector<TextSpan> places(std::string_view text, std::size_t most = 64) const;
    /// Number of lines on which the expression exceeded its limit.
    std::uint64_t givenUp() const;
    bool isExpression() const { return expression_ != nullptr; }

  private:
    struct Expression;
    QString words_;
    QString problem_;
    std::string needle_;  ///< lower case
    std::shared_ptr<Expression> expression_;
};

}  // namespace trainyard::widgets
