// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_pattern.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <QCoreApplication>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

namespace trainyard::widgets {

namespace {

/// Limit of PCRE2's backtracking on one line: about a tenth of a millisecond.
constexpr std::uint32_t kMatchLimit = 20'000;

char lower(char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

std::size_t find_lower(std::string_view text, std::string_view needle, std::size_t from) {
    const auto at = std::search(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), needle.begin(),
                                needle.end(), [](char a, char b) { return lower(a) == b; });
    return at == text.end() ? std::string_view::npos : static_cast<std::size_t>(at - text.begin());
}

}  // namespace

struct LogPattern::Expression {
    pcre2_code* code = nullptr;
    pcre2_match_context* limits = nullptr;
    pcre2_match_data* data = nullptr;
    std::uint64_t given_up = 0;

    Expression() = default;
    Expression(const Expression&) = delete;
    Expression& operator=(const Expression&) = delete;
    ~Expression() {
        pcre2_match_data_free(data);
        pcre2_match_context_free(limits);
        pcre2_code_free(code);
    }

    /// Searches from `from` on. Returns false if nothing is found.
    bool find(std::string_view text, std::size_t from, TextSpan& span) {
        const int found =
            pcre2_match(code, reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), from, 0, data, limits);
        if (found == PCRE2_ERROR_MATCHLIMIT || found == PCRE2_ERROR_DEPTHLIMIT || found == PCRE2_ERROR_HEAPLIMIT)
            ++given_up;
        if (found < 0)
            return false;
        const PCRE2_SIZE* ends = pcre2_get_ovector_pointer(data);
        span = {static_cast<std::uint32_t>(ends[0]), static_cast<std::uint32_t>(std::max(ends[0], ends[1]))};
        return true;
    }
};

LogPattern::LogPattern(const QString& words) : words_(words) {
    if (words.size() < 2 || !words.startsWith(QLatin1Char('/'))) {
        for (char c : words.toStdString())
            needle_ += lower(c);
        return;
    }
    QString inner = words.mid(1);
    if (inner.endsWith(QLatin1Char('/')))
        inner.chop(1);
    const std::string source = inner.toStdString();
    int error = 0;
    PCRE2_SIZE offset = 0;
    auto expression = std::make_shared<Expression>();
    expression->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(),
                                     PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_CASELESS | PCRE2_NEVER_BACKSLASH_C,
                                     &error, &offset, nullptr);
    if (expression->code == nullptr) {
        std::array<PCRE2_UCHAR, 256> message{};
        pcre2_get_error_message(error, message.data(), message.size());
        problem_ =
            QCoreApplication::translate("trainyard::widgets", "%1 is not a regular expression: %2 at character %3")
                .arg(words, QString::fromUtf8(reinterpret_cast<const char*>(message.data())))
                .arg(QString::fromStdString(source.substr(0, offset)).size() + 1);
        return;
    }
    // If the JIT does not support this machine, the interpreter is used.
    pcre2_jit_compile(expression->code, PCRE2_JIT_COMPLETE);
    expression->limits = pcre2_match_context_create(nullptr);
    pcre2_set_match_limit(expression->limits, kMatchLimit);
    expression->data = pcre2_match_data_create_from_pattern(expression->code, nullptr);
    expression_ = std::move(expression);
}

bool LogPattern::found(std::string_view text) const {
    if (expression_) {
        TextSpan span;
        return expression_->find(text, 0, span);
    }
    return needle_.empty() || (problem_.isEmpty() && find_lower(text, needle_, 0) != std::string_view::npos);
}

std::vector<TextSpan> LogPattern::places(std::string_view text, std::size_t most) const {
    std::vector<TextSpan> places;
    std::size_t from = 0;
    while (places.size() < most && from <= text.size()) {
        TextSpan span;
        if (expression_) {
            if (!expression_->find(text, from, span))
                break;
        } else {
            const std::size_t at = needle_.empty() ? std::string_view::npos : find_lower(text, needle_, from);
            if (at == std::string_view::npos)
                break;
            span = {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + needle_.size())};
        }
        from = std::max<std::size_t>(span.end, from + 1);
        if (span.end > span.begin)
            places.push_back(span);
    }
    return places;
}

std::uint64_t LogPattern::givenUp() const {
    return expression_ ? expression_->given_up : 0;
}

}  // namespace trainyard::widgets
