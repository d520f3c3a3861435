// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/settings.h"

#include <algorithm>

#include "base/number.h"
#include "base/truth.h"

namespace trainyard::settings {

std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
    std::size_t dot = path.find('.');
    if (dot == std::string_view::npos)
        return {std::string_view(), path};
    return {path.substr(0, dot), path.substr(dot + 1)};
}

const Value* Settings::find(std::string_view path) const {
    auto [table, key] = split_path(path);
    if (table.empty()) {
        const Entry* entry = entry_of(root_, key);
        return entry == nullptr ? nullptr : &entry->value;
    }
    const Entry* parent = entry_of(root_, table);
    const Value::Map* entries = parent == nullptr ? nullptr : parent->value.map();
    const Entry* entry = entries == nullptr ? nullptr : entry_of(*entries, key);
    return entry == nullptr ? nullptr : &entry->value;
}

void Settings::set(std::string_view path, Value value) {
    auto [table, key] = split_path(path);
    Value::Map* map = &root_;
    if (!table.empty()) {
        Entry* parent = entry_of(root_, table);
        if (parent == nullptr) {
            root_.push_back({std::string(table), Value(Value::Map{}), 0, 0});
            parent = &root_.back();
        }
        if (parent->value.map() == nullptr)
            parent->value.data = Value::Map{};
        map = std::get_if<Value::Map>(&parent->value.data);
    }
    if (Entry* entry = entry_of(*map, key))
        entry->value = std::move(value);
    else
        map->push_back({std::string(key), std::move(value), 0, 0});
}

void Settings::remove(std::string_view path) {
    auto [table, key] = split_path(path);
    if (table.empty()) {
        std::erase_if(root_, [name = key](const Entry& entry) { return entry.key == name; });
        return;
    }
    Entry* parent = entry_of(root_, table);
    Value::Map* map = parent == nullptr ? nullptr : std::get_if<Value::Map>(&parent->value.data);
    if (map == nullptr)
        return;
    std::size_t removed = std::erase_if(*map, [name = key](const Entry& entry) { return entry.key == name; });
    if (removed != 0 && map->empty())
        std::erase_if(root_, [name = table](const Entry& entry) { return entry.key == name; });
}

bool Settings::boolean(std::string_view path, bool otherwise) const {
    const Value* value = find(path);
    if (value == nullptr)
        return otherwise;
    if (const bool* truth = value->boolean())
        return *truth;
    std::string spelled;
    if (value->text() != nullptr)
        spelled = *value->text();
    else if (value->integer() != nullptr)
        spelled = value->display();
    Truth truth = truth_of(spelled);
    return truth == Truth::neither ? otherwise : truth == Truth::yes;
}

std::int64_t Settings::integer(std::string_view path, std::int64_t otherwise) const {
    const Value* value = find(path);
    if (value == nullptr)
        return otherwise;
    if (const std::int64_t* whole = value->integer())
        return *whole;
    const std::string* text = value->text();
    return text == nullptr ? otherwise : parse_number<std::int64_t>(*text).value_or(otherwise);
}

std::string Settings::text(std::string_view path, std::string_view otherwise) const {
    const Value* value = find(path);
    return value == nullptr || value->is_null() ? std::string(otherwise) : value->display();
}

std::vector<std::pair<std::string, Value>> Settings::leaves() const {
    std::vector<std::pair<std::string, Value>> all;
    for (const Entry& entry : root_) {
        const Value::Map* map = entry.value.map();
        if (map == nullptr) {
            all.emplace_back(entry.key, entry.value);
            continue;
        }
        for (const Entry& nested : *map)
            all.emplace_back(entry.key + "." + nested.key, nested.value);
    }
    return all;
}

bool Settings::operator==(const Settings& other) const {
    return Value(root_) == Value(other.root_);
}

bool is_nothing(const Value& value) {
    return value.is_null() || (value.is_map() && value.entries().empty());
}

Value::Map Settings::saved() const {
    Value::Map kept = root_;
    std::erase_if(kept, [](const Entry& entry) { return is_nothing(entry.value); });
    return kept;
}

}  // namespace trainyard::settings
