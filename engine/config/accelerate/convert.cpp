// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/convert.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/values/python_text.h"

namespace trainyard::settings {

namespace {

/// `auto` where the script may decide a number.
bool is_word_for_default(const Key& key, const Value& value) {
    return value.text() != nullptr && key.effective.text() != nullptr && *value.text() == *key.effective.text();
}

/// Also `1e8`, which YAML 1.1 takes for text.
std::optional<double> number_in(std::string_view text) {
    std::string word(text::trimmed(text));
    Value value = resolve_plain(word);
    if (value.text() != nullptr) {
        std::size_t e = word.find_first_of("eE");
        if (e == std::string::npos || e + 1 >= word.size())
            return std::nullopt;
        if (word.find('.') == std::string::npos)
            word.insert(e++, ".");
        e = word.find_first_of("eE");
        if (e + 1 < word.size() && word[e + 1] != '+' && word[e + 1] != '-')
            word.insert(e + 1, "+");
        value = resolve_plain(word);
    }
    if (const std::int64_t* whole = value.integer())
        return static_cast<double>(*whole);
    if (const double* number = value.number())
        return *number;
    return std::nullopt;
}

std::optional<std::int64_t> whole(double number) {
    constexpr double kExact = 9007199254740992.0;  // 2^53
    if (std::isfinite(number) && std::floor(number) == number && std::abs(number) <= kExact)
        return static_cast<std::int64_t>(number);
    return std::nullopt;
}

std::optional<bool> truth_in(const Value& value) {
    if (const bool* truth = value.boolean())
        return *truth;
    Truth truth = Truth::neither;
    if (value.text() != nullptr)
        truth = truth_of(text::trimmed(*value.text()));
    else if (value.integer() != nullptr)
        truth = truth_of(value.display());
    if (truth == Truth::neither)
        return std::nullopt;
    return truth == Truth::yes;
}

std::optional<Value> as_boolean(const Key& key, const Value& value) {
    std::optional<bool> truth = truth_in(value);
    if (!truth || (key.keeps_words && value.text() != nullptr))
        return std::nullopt;
    return Value(*truth);
}

std::optional<Value> as_integer(const Value& value) {
    if (const double* number = value.number())
        if (auto exact = whole(*number))
            return Value(*exact);
    if (const std::string* text = value.text()) {
        Value resolved = resolve_plain(text::trimmed(*text));
        if (resolved.integer() != nullptr)
            return Value(*resolved.integer());
        if (auto digits = parse_number<std::int64_t>(
                text::trimmed(*text)))  // 08 is text in YAML 1.1, which knows octal numbers, and 8 in int()
            return Value(*digits);
        if (auto number = number_in(*text))
            if (auto exact = whole(*number))
                return Value(*exact);
    }
    return std::nullopt;
}

std::optional<Value> as_number(const Value& value) {
    if (const std::string* text = value.text()) {
        Value resolved = resolve_plain(text::trimmed(*text));
        if (resolved.integer() != nullptr)
            return Value(*resolved.integer());
        if (auto number = number_in(*text))
            return Value(*number);
    }
    return std::nullopt;
}

std::optional<Value> as_text(const Value& value) {
    if (value.is_null() || value.text() != nullptr || value.list() != nullptr || value.map() != nullptr)
        return std::nullopt;
    return Value(value.source.empty() ? value.display() : value.source);
}

std::optional<Value> as_choice(const Key& key, const Value& value) {
    std::string word;
    if (const bool* truth = value.boolean()) {
        // YAML 1.1 takes an unquoted NO for false.
        for (std::string_view choice : key.choices)
            if (text::lower(choice) == (*truth ? "yes" : "no"))
                return Value(choice);
        word = value.source;
    } else if (value.integer() != nullptr) {
        word = value.source.empty() ? value.display() : value.source;
    } else if (value.text() != nullptr) {
        word = *value.text();
    } else {
        return std::nullopt;
    }
    if (key.numbered)
        for (std::size_t i = 0; i < key.choices.size(); ++i)
            if (word == std::to_string(i + 1))
                return Value(key.choices[i]);
    if (key.ignore_case)
        for (std::string_view choice : key.choices)
            if (text::lower(word) == text::lower(choice))
                return Value(choice);
    // Accelerate's own command line has this one misspelt.
    if (text::lower(word) == "torhchxla_trace_once")
        return Value("TORCHXLA_TRACE_ONCE");
    return value.text() == nullptr && std::ranges::find(key.choices, word) != key.choices.end()
               ? std::optional<Value>(word)
               : std::nullopt;
}

std::optional<Value> as_texts(const Value& value) {
    const Value::List* items = value.list();
    if (items == nullptr) {
        std::optional<Value> one = value.text() != nullptr ? Value(*value.text()) : as_text(value);
        return one ? std::optional<Value>(Value(Value::List{*one})) : std::nullopt;
    }
    Value::List texts;
    for (const Value& item : *items) {
        std::optional<Value> text = item.text() != nullptr ? item : as_text(item);
        if (!text)
            return std::nullopt;
        texts.push_back(*text);
    }
    return Value(std::move(texts));
}

/// One truth value for all three, or `(false, false, true)` as text.
std::optional<Value> as_booleans(const Value& value) {
    if (auto all = truth_in(value))
        return Value(Value::List{*all, *all, *all});
    Value::List items;
    if (const std::string* text = value.text()) {
        std::string_view rest = text::trimmed(*text);
        if (rest.size() >= 2 && (rest.front() == '(' || rest.front() == '['))
            rest = rest.substr(1, rest.size() - 2);
        while (true) {
            std::size_t comma = std::min(rest.find(','), rest.size());
            items.emplace_back(text::trimmed(rest.substr(0, comma)));
            if (comma == rest.size())
                break;
            rest.remove_prefix(comma + 1);
        }
    } else if (const Value::List* list = value.list()) {
        items = *list;
    }
    if (items.size() != 3)
        return std::nullopt;
    for (Value& item : items) {
        std::optional<bool> truth = truth_in(item);
        if (!truth)
            return std::nullopt;
        item = Value(*truth);
    }
    return Value(std::move(items));
}

std::optional<Value> other_form(const Key& key, const Value& value) {
    if (value.is_null() || is_word_for_default(key, value))
        return std::nullopt;
    switch (key.type) {
        case Type::boolean:
            return as_boolean(key, value);
        case Type::integer:
            return as_integer(value);
        case Type::number:
            return as_number(value);
        case Type::text:
        case Type::path:
            return as_text(value);
        case Type::choice:
            return as_choice(key, value);
        case Type::texts:
            return as_texts(value);
        case Type::booleans:
            return as_booleans(value);
        case Type::table:
            return std::nullopt;
    }
    return std::nullopt;
}

std::string number_shown(double number) {
    if (auto exact = whole(number))
        return std::to_string(*exact);
    return python_float(number);
}

std::optional<Message> out_of_range(const Key& key, double number, const Message& shown) {
    if (number >= key.range.least && number <= key.range.most)
        return std::nullopt;
    if (key.name == "main_process_port")
        return Message("{} is not a port: use 0 to 65535, 0 picks a free one", shown);
    if (std::isinf(key.range.most))
        return Message("{} is too small: use {} or more", shown, number_shown(key.range.least));
    if (key.type == Type::integer && key.range.most - key.range.least <= 3) {
        std::vector<std::string> allowed;
        for (double allowed_number = key.range.least; allowed_number <= key.range.most; ++allowed_number)
            allowed.push_back(number_shown(allowed_number));
        return Message("{} is not allowed: use {}", shown, either_of(allowed));
    }
    return Message("{} is not allowed: use {} to {}", shown, number_shown(key.range.least),
                   number_shown(key.range.most));
}

std::optional<Message> bad_choice(const Key& key, const Value& value) {
    std::string word = value.text() != nullptr ? *value.text() : value.source;
    std::vector<std::string> known(key.choices.begin(), key.choices.end());
    if (std::ranges::find(known, word) != known.end() && value.text() != nullptr)
        return std::nullopt;
    for (const std::string& choice : known)
        if (text::lower(choice) == text::lower(word))
            return Message("{} is not known: did you mean '{}'?", value.description(), choice);
    if (auto near = nearest_name(word, known))
        return Message("{} is not known: did you mean '{}'?", value.description(), *near);
    return Message("{} is not known: use {}", value.description(), fmt::join(known, ", "));
}

}  // namespace

Message either_of(const std::vector<std::string>& values) {
    if (values.size() < 2)
        return Message::verbatim(values.empty() ? std::string() : values.front());
    return Message("{} or {}", fmt::join(values.begin(), values.end() - 1, ", "), values.back());
}

std::optional<std::string> nearest_name(const std::string& word, const std::vector<std::string>& names) {
    constexpr std::size_t kLongest = 100;
    return word.size() > kLongest ? std::nullopt : text::nearest(word, names);
}

Converted convert(const Key& key, Value value) {
    std::optional<Value> other = other_form(key, value);
    if (!other || *other == value)
        return {std::move(value), false};
    other->line = value.line;
    other->column = value.column;
    other->source = value.text() != nullptr ? *value.text() : value.source;
    return {std::move(*other), true};
}

std::optional<Message> complaint(const Key& key, const Value& value) {
    if (value.is_null() || is_word_for_default(key, value))
        return std::nullopt;
    const std::string* also = key.effective.text();
    switch (key.type) {
        case Type::boolean:
            if (truth_in(value))
                return std::nullopt;
            return Message("{} is not a truth value: use true or false", value.description());
        case Type::integer:
            if (const std::int64_t* number = value.integer())
                return out_of_range(key, static_cast<double>(*number), value.description());
            if (also != nullptr)
                return Message("{} is not a whole number or '{}': use one such as {}", value.description(), *also,
                               number_shown(std::max(key.range.least, 1.0)));
            return Message("{} is not a whole number: use one such as {}", value.description(),
                           number_shown(std::max(key.range.least, 1.0)));
        case Type::number:
            if (const std::int64_t* number = value.integer())
                return out_of_range(key, static_cast<double>(*number), value.description());
            if (const double* number = value.number(); number != nullptr && !std::isnan(*number))
                return out_of_range(key, *number, value.description());
            if (also != nullptr)
                return Message("{} is not a number or '{}': use one such as 1.0", value.description(), *also);
            return Message("{} is not a number: use one such as 1.0", value.description());
        case Type::text:
        case Type::path:
            if (value.list() == nullptr && value.map() == nullptr)
                return std::nullopt;
            return Message("{} is not a text: write it in one line, between quotes", value.description());
        case Type::choice:
            if (value.list() != nullptr || value.map() != nullptr)
                return Message("{} is not one of {}", value.description(), fmt::join(key.choices, ", "));
            return bad_choice(key, value);
        case Type::texts:
            if (const Value::List* items = value.list();
                items != nullptr &&
                std::ranges::all_of(*items, [](const Value& item) { return item.text() != nullptr; }))
                return std::nullopt;
            return Message("{} is not a list of texts: write one per line, each after '- '", value.description());
        case Type::booleans:
            if (const Value::List* items = value.list();
                items != nullptr && items->size() == 3 &&
                std::ranges::all_of(*items, [](const Value& item) { return item.boolean() != nullptr; }))
                return std::nullopt;
            return Message("{} is not a list of three truth values: use one such as [false, false, true]",
                           value.description());
        case Type::table:
            if (value.map() != nullptr)
                return std::nullopt;
            return Message("{} is not a table of keys", value.description());
    }
    return std::nullopt;
}

}  // namespace trainyard::settings
