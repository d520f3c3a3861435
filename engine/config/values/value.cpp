// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/values/value.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/number.h"
#include "base/utf8.h"
#include "config/values/python_text.h"

namespace trainyard {

const Entry* entry_of(const Value::Map& map, std::string_view key) {
    auto found = std::ranges::find(map, key, &Entry::key);
    return found == map.end() ? nullptr : &*found;
}

Entry* entry_of(Value::Map& map, std::string_view key) {
    return const_cast<Entry*>(entry_of(std::as_const(map), key));
}

Value::Value(List value) : data(std::move(value)) {}
Value::Value(Map value) : data(std::move(value)) {}

const Value::List& Value::items() const& {
    static const List none;
    return is_list() ? *list() : none;
}

const Value::Map& Value::entries() const& {
    static const Map none;
    return is_map() ? *map() : none;
}

double Value::as_double() const {
    if (const double* real = number())
        return *real;
    if (const std::int64_t* whole = integer())
        return static_cast<double>(*whole);
    return boolean() != nullptr && *boolean() ? 1 : 0;
}

const Value* Value::find(std::string_view key) const {
    const Entry* entry = entry_of(entries(), key);
    return entry == nullptr ? nullptr : &entry->value;
}

std::string Value::spelling() const {
    if (text() == nullptr && !source.empty())
        return source;
    return boolean() == nullptr ? display() : *boolean() ? "true" : "false";
}

Message Value::description() const {
    constexpr std::size_t kShown = 60;
    if (is_null())
        return "nothing";
    if (is_list())
        return "a list";
    if (is_map())
        return "a table of keys";
    std::string shown = spelling();
    if (shown.size() > kShown)
        shown = std::string(text::first_bytes(shown, kShown - 3)) + "...";
    if (plain)
        return Message::verbatim(fmt::format("'{}'", shown));
    return text() != nullptr ? Message("the text \"{}\"", shown) : Message::verbatim(shown);
}

std::string Value::display() const {
    if (is_null())
        return "None";
    if (const bool* truth = boolean())
        return *truth ? "True" : "False";
    if (const std::int64_t* whole = integer())
        return std::to_string(*whole);
    if (const double* fraction = number()) {
        const std::string digits = big_integer(*this);
        return digits.empty() ? python_float(*fraction) : digits;
    }
    if (const std::string* words = text())
        return *words;
    if (const Date* date = std::get_if<Date>(&data)) {
        std::string words = date->text;
        std::ranges::replace(words, 'T', ' ');
        return words;
    }
    std::string joined;
    for (const Value& item : items())
        joined += (joined.empty() ? "" : ",") + item.display();
    for (const Entry& entry : entries())
        joined += (joined.empty() ? "" : ",") + entry.key + "=" + entry.value.display();
    return joined;
}

bool Value::operator==(const Value& other) const {
    const double* left = number();
    const double* right = other.number();
    if (left != nullptr && right != nullptr && std::isnan(*left) && std::isnan(*right))
        return true;
    if (!is_map() || !other.is_map())
        return data == other.data;
    auto by_key = [](const Map& map_to_sort) {
        std::vector<const Entry*> sorted;
        for (const Entry& entry : map_to_sort)
            sorted.push_back(&entry);
        std::ranges::stable_sort(sorted, {}, &Entry::key);
        return sorted;
    };
    return std::ranges::equal(by_key(entries()), by_key(other.entries()),
                              [](const Entry* a, const Entry* b) { return *a == *b; });
}

}  // namespace trainyard
