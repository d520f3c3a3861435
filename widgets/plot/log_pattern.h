#pragma once
// What is looked for in a log: words (compared without case, ASCII), or a regular expression between slashes. Expressions are PCRE2's,
// on the bytes of the log as UTF-8 (bytes that are none match nothing), and bounded: a line on which one takes too long counts as
// not found and is counted, so that no expression can hold the window.

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
    /// `/.../` is an expression, everything else words. A wrong expression: see problem().
    explicit LogPattern(const QString& words);

    const QString& words() const { return words_; }
    bool empty() const { return words_.isEmpty(); }
    /// Empty, or one sentence.
    const QString& problem() const { return problem_; }
    bool found(std::string_view text) const;
    /// Where, not overlapping, at most `most` places.
    std::vector<TextSpan> places(std::string_view text, std::size_t most = 64) const;
    /// Lines on which the expression was given up.
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
