#include "config/accelerate/value.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "config/accelerate/python_text.h"

namespace trainyard::settings {

namespace {

/// str() of a date, with a blank before the time.
std::string date_words(std::string text) {
    std::ranges::replace(text, 'T', ' ');
    return text;
}

}  // namespace

const Entry* entry_of(const Value::Map& map, std::string_view key) {
    auto found = std::ranges::find(map, key, &Entry::key);
    return found == map.end() ? nullptr : &*found;
}

Entry* entry_of(Value::Map& map, std::string_view key) {
    return const_cast<Entry*>(entry_of(std::as_const(map), key));
}

Value::Value(List value) : data(std::move(value)) {}
Value::Value(Map value) : data(std::move(value)) {}

double Value::as_double() const {
    if (const double* real = number())
        return *real;
    if (const std::int64_t* whole = integer())
        return static_cast<double>(*whole);
    return boolean() != nullptr && *boolean() ? 1 : 0;
}

const Value* Value::find(std::string_view key) const {
    const Map* entries = map();
    const Entry* entry = entries == nullptr ? nullptr : entry_of(*entries, key);
    return entry == nullptr ? nullptr : &entry->value;
}

Message Value::description() const {
    constexpr std::size_t kShown = 60;
    if (is_null())
        return "nothing";
    if (list() != nullptr)
        return "a list";
    if (map() != nullptr)
        return "a table of keys";
    std::string shown = text() != nullptr ? *text() : source.empty() ? display() : source;
    if (boolean() != nullptr && source.empty())
        shown = *boolean() ? "true" : "false";
    if (shown.size() > kShown) {
        std::size_t end = kShown - 3;
        while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0) == 0x80)
            --end;  // not in the middle of a character
        shown = shown.substr(0, end) + "...";
    }
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
    if (const Date* date = std::get_if<Date>(&data))
        return date_words(date->text);
    std::string joined;
    if (const List* items = list())
        for (const Value& item : *items)
            joined += (joined.empty() ? "" : ",") + item.display();
    if (const Map* entries = map())
        for (const Entry& entry : *entries)
            joined += (joined.empty() ? "" : ",") + entry.key + "=" + entry.value.display();
    return joined;
}

bool Value::operator==(const Value& other) const {
    // Not a number equals itself here: what counts is whether the file would be the same.
    const double* left = number();
    const double* right = other.number();
    if (left != nullptr && right != nullptr && std::isnan(*left) && std::isnan(*right))
        return true;
    const Map* entries = map();
    const Map* others = other.map();
    if (entries == nullptr || others == nullptr)
        return data == other.data;
    if (entries->size() != others->size())
        return false;
    auto by_key = [](const Map& map_to_sort) {
        std::vector<const Entry*> sorted;
        for (const Entry& entry : map_to_sort)
            sorted.push_back(&entry);
        std::ranges::stable_sort(sorted, {}, &Entry::key);
        return sorted;
    };
    auto mine = by_key(*entries);
    auto theirs = by_key(*others);
    return std::ranges::equal(mine, theirs, [](const Entry* a, const Entry* b) { return *a == *b; });
}

}  // namespace trainyard::settings
