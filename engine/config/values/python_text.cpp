// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/values/python_text.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/number.h"
#include "base/utf8.h"

namespace trainyard {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Walks over a scalar while a pattern of PyYAML's resolver is matched against it.
class Walk {
  public:
    explicit Walk(std::string_view text) : rest_(text) {}

    bool done() const { return rest_.empty(); }
    char peek() const { return rest_.empty() ? '\0' : rest_.front(); }
    bool take(char wanted) {
        if (peek() != wanted || rest_.empty())
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take_any(std::string_view wanted) {
        if (rest_.empty() || wanted.find(rest_.front()) == std::string_view::npos)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::size_t run(std::string_view wanted) {
        std::size_t count = std::min(rest_.find_first_not_of(wanted), rest_.size());
        rest_.remove_prefix(count);
        return count;
    }
    /// Consumes at most `most` digits; returns false if there are fewer than `least`.
    bool digits(std::size_t least, std::size_t most) {
        std::size_t count = 0;
        while (count < most && count < rest_.size() && is_digit(rest_[count]))
            ++count;
        rest_.remove_prefix(count);
        return count >= least;
    }
    /// (:[0-5]?[0-9])+
    bool sixties() {
        std::size_t groups = 0;
        while (peek() == ':') {
            std::string_view part = rest_.substr(1);
            std::size_t length = 0;
            if (part.size() >= 2 && part[0] >= '0' && part[0] <= '5' && is_digit(part[1]))
                length = 2;
            else if (!part.empty() && is_digit(part[0]))
                length = 1;
            if (length == 0)
                return false;
            rest_.remove_prefix(1 + length);
            ++groups;
        }
        return groups > 0;
    }

  private:
    std::string_view rest_;
};

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kDigitsAndLine = "0123456789_";

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, text) != words.end();
}

bool is_integer(std::string_view text) {
    Walk sign(text);
    sign.take_any("-+");
    {
        Walk walk = sign;
        if (walk.take('0')) {
            if (walk.done())
                return true;
            Walk binary = walk;
            if (binary.take('b') && binary.run("01_") > 0 && binary.done())
                return true;
            Walk hexadecimal = walk;
            if (hexadecimal.take('x') && hexadecimal.run("0123456789abcdefABCDEF_") > 0 && hexadecimal.done())
                return true;
            return walk.run("01234567_") > 0 && walk.done();
        }
    }
    Walk walk = sign;
    if (!walk.take_any("123456789"))
        return false;
    walk.run(kDigitsAndLine);
    return walk.done() || (walk.sixties() && walk.done());
}

bool has_exponent_or_end(Walk walk) {
    if (walk.done())
        return true;
    return walk.take_any("eE") && walk.take_any("-+") && walk.run(kDigits) > 0 && walk.done();
}

bool is_float(std::string_view text) {
    if (is_one_of(text, {".nan", ".NaN", ".NAN"}))
        return true;
    Walk walk(text);
    {
        Walk point = walk;
        if (point.take('.') && is_digit(point.peek())) {
            point.run(kDigitsAndLine);
            return has_exponent_or_end(point);
        }
    }
    bool sign = walk.take_any("-+");
    if (is_one_of(text.substr(sign ? 1 : 0), {".inf", ".Inf", ".INF"}))
        return true;
    if (!is_digit(walk.peek()))
        return false;
    walk.run(kDigitsAndLine);
    Walk sixties = walk;
    if (sixties.sixties()) {
        if (!sixties.take('.'))
            return false;
        sixties.run(kDigitsAndLine);
        return sixties.done();
    }
    if (!walk.take('.'))
        return false;
    walk.run(kDigitsAndLine);
    return has_exponent_or_end(walk);
}

bool is_date(std::string_view text) {
    Walk walk(text);
    if (!walk.digits(4, 4) || !walk.take('-'))
        return false;
    {
        Walk day = walk;
        if (day.digits(2, 2) && day.take('-') && day.digits(2, 2) && day.done())
            return true;
    }
    if (!walk.digits(1, 2) || !walk.take('-') || !walk.digits(1, 2))
        return false;
    if (!walk.take_any("Tt") && walk.run(" \t") == 0)
        return false;
    if (!walk.digits(1, 2) || !walk.take(':') || !walk.digits(2, 2) || !walk.take(':') || !walk.digits(2, 2))
        return false;
    if (walk.take('.'))
        walk.run(kDigits);
    walk.run(" \t");
    if (walk.take('Z') || walk.done())
        return walk.done();
    if (!walk.take_any("-+") || !walk.digits(1, 2))
        return false;
    if (walk.take(':') && !walk.digits(2, 2))
        return false;
    return walk.done();
}

/// The parts of a text that is_date() takes.
struct Moment {
    int year = 0, month = 0, day = 0;
    bool has_time = false;
    int hour = 0, minute = 0, second = 0;
    std::string fraction;  ///< digits
    std::string zone;      ///< as isoformat() writes it; empty: none
    int zone_minutes = 0;  ///< without its sign
};

Moment moment_of(std::string_view text) {
    Moment moment;
    std::size_t at = 0;
    const auto number = [&](bool is_there = true) {
        int value = 0;
        while (is_there && at < text.size() && is_digit(text[at]))
            value = value * 10 + (text[at++] - '0');
        return value;
    };
    const auto next = [&] { return number(++at <= text.size()); };
    moment.year = number();
    moment.month = next();
    moment.day = next();
    moment.has_time = at < text.size();
    if (!moment.has_time)
        return moment;
    at = text.find_first_of(kDigits, at);
    moment.hour = number();
    moment.minute = next();
    moment.second = next();
    if (at < text.size() && text[at] == '.') {
        const std::size_t end = std::min(text.find_first_not_of(kDigits, at + 1), text.size());
        moment.fraction = text.substr(at + 1, end - at - 1);
        at = end;
    }
    at = std::min(text.find_first_not_of(" \t", at), text.size());
    if (at == text.size())
        return moment;
    const char sign = text[at];
    const int hours = sign == 'Z' ? 0 : next();
    const int minutes = sign == 'Z' || at >= text.size() ? 0 : next();
    moment.zone_minutes = hours * 60 + minutes;
    // timedelta has no minus nought.
    moment.zone = fmt::format("{}{:02}:{:02}", sign == '-' && moment.zone_minutes > 0 ? '-' : '+',
                              moment.zone_minutes / 60, moment.zone_minutes % 60);
    return moment;
}

bool is_possible(const Moment& moment) {
    const std::chrono::year_month_day day{std::chrono::year(moment.year),
                                          std::chrono::month(static_cast<unsigned>(moment.month)),
                                          std::chrono::day(static_cast<unsigned>(moment.day))};
    return moment.year > 0 && day.ok() && moment.hour < 24 && moment.minute < 60 && moment.second < 60 &&
           moment.zone_minutes < 24 * 60;
}

/// isoformat() of what PyYAML makes of it.
std::string iso_text(const Moment& moment) {
    std::string text = fmt::format("{:04}-{:02}-{:02}", moment.year, moment.month, moment.day);
    if (!moment.has_time)
        return text;
    text += fmt::format("T{:02}:{:02}:{:02}", moment.hour, moment.minute, moment.second);
    std::string micro = moment.fraction.substr(0, 6);
    micro.resize(6, '0');
    if (micro != "000000")
        text += "." + micro;
    return text + moment.zone;
}

std::string without_lines(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '_');
    return plain;
}

/// Nothing when it does not fit 64 bits.
std::optional<std::int64_t> integer_of(std::string_view text) {
    std::string plain = without_lines(text);
    std::string_view digits = plain;
    bool negative = digits.starts_with('-');
    if (negative || digits.starts_with('+'))
        digits.remove_prefix(1);
    __extension__ using Wide = __int128;
    constexpr Wide kLimit = Wide(std::numeric_limits<std::int64_t>::max()) + 1;
    Wide total = 0;
    auto add_part = [&total](std::string_view part, int base) {
        std::uint64_t value = 0;
        auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value, base);
        if (error == std::errc::result_out_of_range)
            return false;
        total += value;
        return total <= kLimit;
    };
    if (digits.starts_with("0b") || digits.starts_with("0x")) {
        // `0x_` alone is all lines: Python fails on it, here it is nothing.
        if (!add_part(digits.substr(2), digits[1] == 'b' ? 2 : 16))
            return std::nullopt;
    } else if (digits.size() > 1 && digits[0] == '0') {
        if (!add_part(digits, 8))
            return std::nullopt;
    } else {
        while (true) {
            std::size_t colon = std::min(digits.find(':'), digits.size());
            total *= 60;
            if (!add_part(digits.substr(0, colon), 10))
                return std::nullopt;
            if (colon == digits.size())
                break;
            digits.remove_prefix(colon + 1);
        }
    }
    if (negative)
        total = -total;
    if (total >= kLimit)
        return std::nullopt;
    return static_cast<std::int64_t>(total);
}

double plain_float(std::string_view digits) {
    double value = 0;
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc::result_out_of_range)
        return digits.find("e-") != std::string_view::npos || digits.find("E-") != std::string_view::npos
                   ? 0.0
                   : std::numeric_limits<double>::infinity();
    return value;
}

double float_of(std::string_view text) {
    std::string plain = without_lines(text);
    std::string_view digits = plain;
    double sign = digits.starts_with('-') ? -1.0 : 1.0;
    if (digits.starts_with('-') || digits.starts_with('+'))
        digits.remove_prefix(1);
    if (is_one_of(digits, {".inf", ".Inf", ".INF"}))
        return sign * std::numeric_limits<double>::infinity();
    if (is_one_of(digits, {".nan", ".NaN", ".NAN"}))
        return std::numeric_limits<double>::quiet_NaN();
    double total = 0;
    while (true) {
        std::size_t colon = std::min(digits.find(':'), digits.size());
        total = total * 60 + plain_float(digits.substr(0, colon));
        if (colon == digits.size())
            return sign * total;
        digits.remove_prefix(colon + 1);
    }
}

}  // namespace

Value resolve_plain(std::string_view text) {
    Value value;
    if (text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"})) {
        value.data = std::monostate();
    } else if (is_one_of(text, {"yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
        value.data = true;
    } else if (is_one_of(text, {"no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
        value.data = false;
    } else if (is_integer(text)) {
        if (auto whole = integer_of(text))
            value.data = *whole;
        else
            value.data = float_of(text);
    } else if (is_float(text)) {
        value.data = float_of(text);
    } else if (is_date(text)) {
        const Moment moment = moment_of(text);
        value.data = Date{is_possible(moment) ? iso_text(moment) : std::string()};
    } else {
        value.data = std::string(text);
    }
    if (value.text() == nullptr)
        value.source = std::string(text);
    return value;
}

std::string big_integer(const Value& value) {
    if (value.number() == nullptr || value.source.empty())
        return {};
    std::string digits = without_lines(value.source);
    if (digits.front() == '+')
        digits.erase(0, 1);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    const bool whole =
        first < digits.size() && digits[first] != '0' && digits.find_first_not_of(kDigits, first) == std::string::npos;
    return whole ? digits : std::string();
}

}  // namespace trainyard
