// SPDX-License-Identifier: GPL-3.0-or-later
// Matchers that name a message (engine/base/message.h) by its literal, so that its wording is written once in a test
// and packaging/reword finds it:
//
//     EXPECT_THAT(error.message(), says("cannot read {}: {}", file, _));
//     EXPECT_THAT(output, says("unknown key '{}': did you mean '{}'?", "stpes", "steps").after("recipe.yaml:3:5: "));
//
// packaging/check fails for a literal that the program does not have.
#pragma once

#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/error.h"

namespace trainyard::test {

/// A literal with as many placeholders as there are values.
template <std::size_t Values>
struct SaidLiteral {
    consteval SaidLiteral(const char* literal) : text(literal) {
        std::size_t found = 0, next = 0;
        for (std::size_t at = 0; Values > 0 && at < text.size(); ++at) {
            if (at + 1 < text.size() && text[at] == text[at + 1] && (text[at] == '{' || text[at] == '}')) {
                ++at;
            } else if (text[at] == '{') {
                const char digit = text[at + 1];  // of at most ten values
                found = std::max(found, digit >= '0' && digit <= '9' ? std::size_t(digit - '0') + 1 : ++next);
            }
        }
        if (found != Values)
            throw "the literal has another number of placeholders";
    }
    std::string_view text;
};

/// What a value must be: a text, a number, `_`, or a matcher of its text.
class SaidValue {
  public:
    template <typename Value>
    SaidValue(const Value& value) {
        if constexpr (std::convertible_to<const Value&, std::string>) {
            exact_ = [text = std::string(value)](const std::string&) { return text; };
        } else if constexpr (std::same_as<Value, std::filesystem::path>) {
            exact_ = [text = value.string()](const std::string&) { return text; };
        } else if constexpr (std::is_arithmetic_v<Value>) {
            exact_ = [value](const std::string& placeholder) {
                return fmt::vformat(placeholder, fmt::make_format_args(value));
            };
        } else {
            is_any_ = std::same_as<Value, std::remove_cvref_t<decltype(testing::_)>>;
            matcher_ = testing::SafeMatcherCast<const std::string&>(value);
        }
    }
    bool is_any() const { return is_any_; }
    bool is_exact() const { return exact_ != nullptr; }
    std::string text(const std::string& placeholder) const { return exact_(placeholder); }
    bool matches(const std::string& placeholder, const std::string& said) const {
        return exact_ ? said == exact_(placeholder) : is_any_ || matcher_.Matches(said);
    }
    void print(const std::string& placeholder, std::ostream& out) const {
        if (exact_)
            out << testing::PrintToString(exact_(placeholder));
        else
            matcher_.DescribeTo(&out);
    }

  private:
    std::function<std::string(const std::string& placeholder)> exact_;
    testing::Matcher<const std::string&> matcher_ = testing::_;
    bool is_any_ = false;
};

/// Matches a text that contains the message, and a Message, Problem or exception that is the message or has it as a
/// value.
/// The base makes Contains(says(...)) and the like find the functions of GoogleMock.
class SaysMatcher : public testing::MatcherDescriberInterface {
  public:
    using is_gtest_matcher = void;

    SaysMatcher(std::string_view literal, std::vector<SaidValue> values)
        : literal_(literal), values_(std::move(values)), segments_(1) {
        if (values_.empty()) {
            segments_[0] = literal;
            return;
        }
        for_each_placeholder(
            literal, [&](std::string_view text) { segments_.back() += text; },
            [&](std::size_t index, std::string_view spec) {
                placeholders_.push_back({index, fmt::format("{{:{}}}", spec)});
                segments_.emplace_back();
            });
    }

    /// The text goes directly before the message.
    SaysMatcher after(std::string text) const {
        SaysMatcher changed = *this;
        changed.before_ = std::move(text);
        return changed;
    }
    /// The text goes directly after the message.
    SaysMatcher before(std::string text) const {
        SaysMatcher changed = *this;
        changed.after_ = std::move(text);
        return changed;
    }
    /// There is nothing else before the message and the texts of after() and before().
    SaysMatcher at_start() const {
        SaysMatcher changed = *this;
        changed.at_start_ = true;
        return changed;
    }
    /// There is nothing else after them.
    SaysMatcher at_end() const {
        SaysMatcher changed = *this;
        changed.at_end_ = true;
        return changed;
    }

    template <typename Said>
    bool MatchAndExplain(const Said& said, testing::MatchResultListener* listener) const {
        if constexpr (std::same_as<Said, Problem>) {
            return is_in(said.text(), listener);
        } else if constexpr (std::same_as<Said, Message>) {
            return is_in(said, listener);
        } else if constexpr (std::derived_from<Said, std::exception>) {
            const Message message = message_of(said);
            *listener << "which says " << testing::PrintToString(message.text());
            return is_in(message, listener);
        } else if constexpr (requires { said.toStdString(); }) {
            return is_in(said.toStdString());
        } else if constexpr (std::is_pointer_v<Said>) {
            return said && is_in(std::string(said));
        } else {
            return is_in(std::string(said));
        }
    }
    void DescribeTo(std::ostream* out) const override { describe("says ", *out); }
    void DescribeNegationTo(std::ostream* out) const override { describe("does not say ", *out); }

  private:
    struct Placeholder {
        std::size_t value;
        std::string format;  ///< for one value: "{:.1f}"
    };
    static constexpr std::size_t kLongestValue = 10'000;  // that a matcher is asked for in a text

    bool is_in(const Message& message, testing::MatchResultListener* listener) const {
        const bool has_text = is_in(message.text());
        if (has_text && !is_part_of(message)) {
            *listener << "whose text is right and which does not have this literal with these values";
            return false;
        }
        return has_text;
    }
    bool is_part_of(const Message& message) const {
        if (message.form().empty())  // the text of another process, which may be the message
            return SaysMatcher(literal_, values_).is_in(message.text());
        if (message.form() == literal_ && message.values().size() == values_.size()) {
            const auto holds = [&](const Placeholder& placeholder) {
                return values_[placeholder.value].matches(placeholder.format, message.values()[placeholder.value]);
            };
            if (std::ranges::all_of(placeholders_, holds))
                return true;
        }
        return std::ranges::any_of(message.values(), [&](const Message& value) { return is_part_of(value); });
    }

    bool is_in(const std::string& text) const {
        if (has(text, segments_[0]))
            return true;
        std::string capital = segments_[0];  // with which a window begins a sentence
        if (capital.empty() || capital[0] < 'a' || capital[0] > 'z')
            return false;
        capital[0] = static_cast<char>(capital[0] - 'a' + 'A');
        return has(text, capital);
    }
    bool has(const std::string& text, const std::string& begin) const {
        const std::string first = before_ + begin;
        if (at_start_ || (first.empty() && !placeholders_.empty() && values_[placeholders_[0].value].is_any()))
            return text.starts_with(first) && continues(text, first.size(), 0);
        for (std::size_t at = text.find(first); at != std::string::npos; at = text.find(first, at + 1))
            if (continues(text, at + first.size(), 0))
                return true;
        return false;
    }
    /// Whether placeholder `index` and what follows it go from `at` on.
    bool continues(const std::string& text, std::size_t at, std::size_t index) const {
        if (index == placeholders_.size()) {
            const std::size_t end = at + after_.size();
            return text.compare(at, after_.size(), after_) == 0 && (!at_end_ || end == text.size());
        }
        const auto& [value, format] = placeholders_[index];
        const std::string& next = segments_[index + 1];
        const auto follows = [&](std::size_t end) {
            return text.compare(end, next.size(), next) == 0 && continues(text, end + next.size(), index + 1);
        };
        if (values_[value].is_exact()) {
            const std::string exact = values_[value].text(format);
            return text.compare(at, exact.size(), exact) == 0 && follows(at + exact.size());
        }
        for (std::size_t end = text.find(next, at); end != std::string::npos; end = text.find(next, end + 1)) {
            if (!values_[value].is_any() && end > at + kLongestValue)
                break;
            if (values_[value].matches(format, text.substr(at, end - at)) && follows(end))
                return true;
        }
        return false;
    }

    void describe(std::string_view verb, std::ostream& out) const {
        out << verb << testing::PrintToString(literal_);
        std::string_view separator = " with ";
        for (const Placeholder& placeholder : placeholders_) {
            out << std::exchange(separator, ", ");
            values_[placeholder.value].print(placeholder.format, out);
        }
        if (!before_.empty())
            out << " after " << testing::PrintToString(before_);
        if (!after_.empty())
            out << " before " << testing::PrintToString(after_);
        out << (at_start_ ? " at the start" : "") << (at_end_ ? " at the end" : "");
    }

    std::string literal_;
    std::vector<SaidValue> values_;
    std::vector<std::string> segments_;  ///< one more than placeholders
    std::vector<Placeholder> placeholders_;
    std::string before_, after_;
    bool at_start_ = false, at_end_ = false;
};

/// Matches what contains the message: a text, Message, Problem or exception.
template <typename... Values>
SaysMatcher says(std::type_identity_t<SaidLiteral<sizeof...(Values)>> literal, const Values&... values) {
    return SaysMatcher(literal.text, {SaidValue(values)...});
}

/// Matches what is the message and nothing else.
template <typename... Values>
SaysMatcher says_only(std::type_identity_t<SaidLiteral<sizeof...(Values)>> literal, const Values&... values) {
    return SaysMatcher(literal.text, {SaidValue(values)...}).at_start().at_end();
}

}  // namespace trainyard::test
