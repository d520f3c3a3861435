// SPDX-License-Identifier: GPL-3.0-or-later
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.h"

#include <array>

#include <fmt/format.h>
#include <pcre2.h>

#include "base/error.h"

namespace trainyard {

namespace {

std::string words_of(int code) {
    std::array<PCRE2_UCHAR, 256> words{};
    pcre2_get_error_message(code, words.data(), words.size());
    return reinterpret_cast<const char*>(words.data());
}

pcre2_match_data* match_data() {
    thread_local const std::unique_ptr<pcre2_match_data, decltype(&pcre2_match_data_free)> data{
        pcre2_match_data_create(64, nullptr), pcre2_match_data_free};
    return data.get();
}

}  // namespace

struct Regex::Compiled {
    std::string expression;
    std::unique_ptr<pcre2_code, decltype(&pcre2_code_free)> code{nullptr, pcre2_code_free};
};

Regex::Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Regex::Regex(const std::string& expression) : compiled_(std::make_unique<Compiled>()) {
    int error = 0;
    PCRE2_SIZE at = 0;
    compiled_->expression = expression;
    compiled_->code.reset(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(expression.data()), expression.size(),
                                        PCRE2_UTF | PCRE2_UCP, &error, &at, nullptr));
    if (!compiled_->code)
        throw UserError("the regular expression '{}' cannot be used: {} (at character {})", expression, words_of(error),
                        at);
    pcre2_jit_compile(compiled_->code.get(), PCRE2_JIT_COMPLETE);  // without it, it is only slower
}

Regex Regex::literal(const std::string& text) {
    Regex regex;
    regex.literal_ = text;
    return regex;
}

bool Regex::match(std::string_view text, std::size_t at, unsigned options) const {
    const int found = pcre2_match(compiled_->code.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), at,
                                  PCRE2_NO_UTF_CHECK | options, match_data(), nullptr);
    if (found < 0 && found != PCRE2_ERROR_NOMATCH)
        throw UserError("the regular expression '{}' fails on a text of {} bytes: {}", compiled_->expression,
                        text.size(), words_of(found));
    return found >= 0;
}

bool Regex::matches_whole(std::string_view text) const {
    return compiled_ ? match(text, 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED) : text == literal_;
}

std::optional<std::string_view> Regex::first_group(std::string_view text) const {
    std::optional<std::string_view> found;
    if (!compiled_) {
        if (text.find(literal_) != std::string_view::npos)
            found = text.substr(text.find(literal_), literal_.size());
    } else if (match(text, 0, 0)) {
        const PCRE2_SIZE* place = pcre2_get_ovector_pointer(match_data());
        std::uint32_t groups = 0;
        pcre2_pattern_info(compiled_->code.get(), PCRE2_INFO_CAPTURECOUNT, &groups);
        const std::size_t group = groups > 0 && place[2] != PCRE2_UNSET ? 2 : 0;
        found = text.substr(place[group], place[group + 1] - place[group]);
    }
    return found;
}

void Regex::for_each_match(std::string_view text, const std::function<void(std::size_t, std::size_t)>& take) const {
    if (!compiled_) {
        for (std::size_t at = 0; !literal_.empty() && (at = text.find(literal_, at)) != std::string_view::npos;
             at += literal_.size())
            take(at, at + literal_.size());
        return;
    }
    std::size_t at = 0;
    std::size_t last_end = std::string_view::npos;  // an empty match right behind a match does not count
    while (at <= text.size()) {
        if (!match(text, at, 0))
            return;
        const PCRE2_SIZE* place = pcre2_get_ovector_pointer(match_data());
        const std::size_t begin = place[0], end = place[1];
        if (begin != end || begin != last_end)
            take(begin, end);
        last_end = end;
        at = end;
        if (begin == end) {
            if (end >= text.size())
                return;
            do
                ++at;
            while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
        }
    }
}

}  // namespace trainyard
