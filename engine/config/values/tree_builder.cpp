// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/values/tree_builder.h"

#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "base/text_file.h"

namespace trainyard {

namespace {

std::size_t size_of(const Value& value) {
    std::size_t size = 1;
    for (const Value& item : value.items())
        size += size_of(item);
    for (const Entry& entry : value.entries())
        size += 1 + size_of(entry.value);
    return size;
}

std::size_t depth_of(const Value& value) {
    std::size_t deepest = 0;
    for (const Value& item : value.items())
        deepest = std::max(deepest, depth_of(item));
    for (const Entry& entry : value.entries())
        deepest = std::max(deepest, depth_of(entry.value));
    return value.is_list() || value.is_map() ? deepest + 1 : deepest;
}

}  // namespace

std::optional<std::string_view> TreeBuilder::checked(std::string_view text) {
    if (text.size() > rules_.most_bytes) {
        refuse(0, 0,
               Message("is {}, more than the {} allowed for settings", text::file_size(text.size()),
                       text::file_size(rules_.most_bytes)));
        return std::nullopt;
    }
    if (std::optional<Problem> problem = text::text_problem(text, file_)) {
        problems_.push_back(std::move(*problem));
        return std::nullopt;
    }
    text.remove_prefix(text::mark_bytes(text));
    if (std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
        refuse(0, 0, Message("byte {} is zero: this is not a text file", zero));
        return std::nullopt;
    }
    return text;
}

void TreeBuilder::add(Value value) {
    count(value, 1);
    if (rules_.twice != nullptr)
        check_content(value);
    place(std::move(value));
}

void TreeBuilder::begin(Value value) {
    count(value, 1);
    if (open_.size() >= kMostJsonDepth)
        refuse_depth(value);
    open_.push_back({std::move(value)});
}

Value TreeBuilder::end() {
    Open closed = std::move(open_.back());
    open_.pop_back();
    if (closed.merged.empty())
        return std::move(closed.value);
    auto& own = std::get<Value::Map>(closed.value.data);
    std::erase_if(closed.merged, [&](const Entry& entry) { return closed.lines.contains(entry.key); });
    own.insert(own.begin(), std::make_move_iterator(closed.merged.begin()),
               std::make_move_iterator(closed.merged.end()));
    return std::move(closed.value);
}

bool TreeBuilder::is_key_next() const {
    return !open_.empty() && open_.back().value.is_map() && !open_.back().key;
}

void TreeBuilder::place(Value value) {
    if (is_key_next()) {
        open_.back().key = std::move(value);
        return;
    }
    value.plain = value.plain && rules_.twice == nullptr;
    if (open_.empty()) {
        root_ = std::move(value);
    } else if (auto* items = std::get_if<Value::List>(&open_.back().value.data)) {
        items->push_back(std::move(value));
    } else {
        insert(open_.back(), std::move(value));
        open_.back().key.reset();
    }
}

void TreeBuilder::repeat(const Value& at, const Value& value) {
    count(at, size_of(value));
    if (open_.size() + depth_of(value) > kMostJsonDepth)
        refuse_depth(at);
    place(value);
}

void TreeBuilder::insert(Open& table, Value value) {
    const Value& key = *table.key;
    if (!key.is_scalar())
        return refuse(key, Message("a key must be a name, not {}", key.description()));
    const std::string& name = key.spelling();
    auto& entries = std::get<Value::Map>(table.value.data);
    if (rules_.twice != nullptr) {
        if (key.plain && name == "<<")
            return merge(table, std::move(value));
        const auto [first, is_new] = table.lines.emplace(name, key.line);
        if (!is_new) {
            rules_.twice->push_back({file_, key.line, key.column, path(),
                                     Message("given twice, first in line {}: keep one", first->second)});
            std::erase_if(entries, [&](const Entry& earlier) { return earlier.key == name; });
        }
    }
    entries.push_back({name, std::move(value), key.line, key.column});
}

/// YAML's `<<`: the keys of other tables, unless they are given here or by an earlier one.
void TreeBuilder::merge(Open& table, Value value) {
    const Value::List tables = value.is_list() ? value.items() : Value::List{std::move(value)};
    if (!std::ranges::all_of(tables, &Value::is_map))
        refuse_content(*table.key, "takes the keys of other tables: name a table (*name) or a list of tables");
    for (const Value& other : tables)
        for (const Entry& entry : other.entries())
            if (entry_of(table.merged, entry.key) == nullptr)
                table.merged.push_back(entry);
}

void TreeBuilder::check_content(const Value& value) {
    if (is_key_next() || !value.plain)
        return;
    if (value.spelling() == "=" || value.spelling() == "<<")
        refuse_content(value, Message("a bare {0} has a special meaning in YAML: write '{0}' in quotes if it is a text",
                                      value.spelling()));
    if (const Date* date = std::get_if<Date>(&value.data); date != nullptr && date->text.empty())
        refuse_content(
            value, Message("{0} is not a valid date or time: write '{0}' in quotes if it is a text", value.spelling()));
}

void TreeBuilder::count(const Value& at, std::size_t nodes) {
    nodes_ += nodes;
    if (nodes_ <= rules_.most_nodes)
        return;
    refuse(at, Message("holds more than {} values", rules_.most_nodes));
    throw Stop{};
}

void TreeBuilder::refuse_depth(const Value& at) {
    refuse(at, Message("nested deeper than {} levels", kMostJsonDepth));
    throw Stop{};
}

void TreeBuilder::refuse(int line, int column, Message message) {
    broken_ = true;
    problems_.push_back({file_, line, column, "", std::move(message)});
}

void TreeBuilder::refuse_byte(std::string_view text, std::size_t offset, Message message) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n') + 1;  // 0 in the first line
    refuse(1 + static_cast<int>(std::ranges::count(before, '\n')), 1 + static_cast<int>(before.size() - line_start),
           std::move(message));
}

void TreeBuilder::refuse_content(const Value& at, Message message) {
    of_content_.push_back({file_, at.line, at.column, path(), std::move(message)});
}

std::string TreeBuilder::path() const {
    std::string joined;
    for (const Open& open : open_)
        if (open.key && !open.key->spelling().empty())
            joined += (joined.empty() ? "" : ".") + open.key->spelling();
    return joined;
}

Value TreeBuilder::take() {
    if (broken_ && rules_.twice != nullptr)
        return {};  // what is left of a broken text says nothing about its keys
    problems_.insert(problems_.end(), of_content_.begin(), of_content_.end());
    return std::move(root_);
}

}  // namespace trainyard
