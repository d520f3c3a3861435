// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "base/error.h"
#include "base/letter_case.h"

namespace trainyard::text {

namespace {
std::string scaled(double value, double base, const char* const* units, int count) {
    int unit = 0;
    while (value >= base && unit + 1 < count) {
        value /= base;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} {}", value, units[0]) : fmt::format("{:.1f} {}", value, units[unit]);
}
}  // namespace

std::string_view trimmed(std::string_view text, std::string_view blanks) {
    const std::size_t first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string shell_quoted(std::string_view word) {
    std::string out = "'";
    for (const char c : word)
        c == '\'' ? out += "'\\''" : out += c;
    return out + "'";
}

std::string shell_word(std::string_view word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+";
    return word.empty() || word.find_first_not_of(kPlain) != std::string_view::npos ? shell_quoted(word)
                                                                                    : std::string(word);
}

std::string shell_words(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + shell_word(word);
    return line;
}

std::string file_size(std::uint64_t bytes) {
    static const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    return scaled(static_cast<double>(bytes), 1000.0, units, 6);
}

std::string memory_size(std::uint64_t bytes) {
    static const char* const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    return scaled(static_cast<double>(bytes), 1024.0, units, 6);
}

std::string duration(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0)
        return "?";
    if (seconds < 0.9995)
        return fmt::format("{:.0f} ms", seconds * 1000);
    if (seconds < 9.995)
        return fmt::format("{:.2f} s", seconds);
    if (seconds > 86400.0 * 36525)
        return "more than 100 years";
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    const auto two = [whole](std::int64_t large, const char* first, std::int64_t small, const char* second) {
        const std::int64_t rest = whole % large / small;
        std::string text = fmt::format("{} {}", whole / large, first);
        return rest > 0 ? text + fmt::format(" {} {}", rest, second) : text;
    };
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return two(60, "min", 1, "s");
    if (whole < 86400)
        return two(3600, "h", 60, "min");
    return two(86400, "d", 3600, "h");
}

std::string quantity(double value) {
    static const char* const letters[] = {"", " k", " M", " G", " T", " P"};
    int letter = 0;
    double size = std::fabs(value);
    while (size >= 999.5 && letter < 5) {
        size /= 1000;
        value /= 1000;
        ++letter;
    }
    if (size >= 1e6)  // beyond the prefixes, or not finite
        return fmt::format("{:.3g}{}", value, letters[letter]);
    int decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
    return fmt::format("{:.{}f}{}", value, decimals, letters[letter]);
}

std::string grouped(std::int64_t value) {
    std::string digits = std::to_string(value);
    digits.erase(0, value < 0 ? 1 : 0);  // drops the sign; the smallest number cannot be negated
    for (int place = static_cast<int>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), 1, ',');
    return value < 0 ? "-" + digits : digits;
}

namespace {
/// Letters that must be added, removed, replaced or exchanged with their neighbour to make `b` of `a`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1), above(row), before(row);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above = row;
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row.back();
}
}  // namespace

Message replaced(const Message& message, std::string_view from, std::string_view to) {
    if (!message.values().empty()) {
        std::vector<Message> values;
        for (const Message& value : message.values())
            values.push_back(replaced(value, from, to));
        return Message::from_parts(message.form(), std::move(values));
    }
    std::string text = message.text();
    for (std::size_t at = 0; !from.empty() && (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text == message.text() ? message : Message::verbatim(std::move(text));
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string small = lower(word);
    const auto begins = [&](const std::string& candidate) { return lower(candidate).starts_with(small); };
    // A word that one name alone begins with is short for it.
    if (word.size() >= 2)
        if (const auto first = std::ranges::find_if(candidates, begins);
            first != candidates.end() && std::none_of(first + 1, candidates.end(), begins))
            return *first;
    std::size_t best = std::min(std::max<std::size_t>(2, word.size() / 3), word.size() / 2) + 1;
    std::optional<std::string> found;
    for (const std::string& candidate : candidates) {
        std::size_t distance = edit_distance(small, lower(candidate));
        if (distance < best) {
            best = distance;
            found = candidate;
        }
    }
    return found;
}

Message did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
    if (auto name = nearest(word, candidates))
        return Message(": did you mean '{}'?", *name);
    constexpr std::size_t kMostListed = 24, kNearest = 5;
    std::vector<std::string> shown = candidates;
    if (shown.size() > kMostListed) {
        std::ranges::stable_sort(shown, {}, [word](const std::string& name) { return edit_distance(word, name); });
        shown.resize(kNearest);
    }
    std::string known;
    for (const std::string& candidate : shown)
        known += (known.empty() ? "" : ", ") + candidate;
    return shown.size() == candidates.size() ? Message(": known are {}", known)
                                             : Message(": the nearest of {} are {}", candidates.size(), known);
}

}  // namespace trainyard::text
