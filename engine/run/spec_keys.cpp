// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/spec_keys.h"

#include <algorithm>

#include "base/error.h"
#include "config/values/value_formats.h"

namespace trainyard::run {

namespace {

void walk(const Value& value, const std::string& key, FlatKeys& keys) {
    const std::string front = key.empty() ? "" : key + ".";
    for (const auto& [name, entry] : value.entries())
        walk(entry, front + name, keys);
    if (value.is_list()) {
        const Value::List& items = value.items();
        const bool words = std::ranges::all_of(items, &Value::is_scalar);
        std::string text;
        for (std::size_t number = 0; number < items.size(); ++number) {
            if (words)
                text += (number == 0 ? "" : ", ") + items[number].spelling();
            else
                walk(items[number], front + std::to_string(number), keys);
        }
        if (words)
            keys.emplace_back(key, text);
    } else if (value.is_scalar()) {
        keys.emplace_back(key, value.spelling());
    } else if (value.is_null() && !key.empty()) {
        keys.emplace_back(key, "");
    }
}
}  // namespace

FlatKeys flat_keys(const std::string& yaml, const std::string& origin) {
    FlatKeys keys;
    std::vector<Problem> problems;
    // An alias repeats what it names: a short file may come to more than any memory.
    const Value root =
        parse_yaml(yaml, origin, problems, {.aliases = true, .most_nodes = 100'000, .most_bytes = 16u << 20});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    walk(root, "", keys);
    constexpr std::string_view recipe = "recipe.";
    for (auto& [key, text] : keys)
        if (key.starts_with(recipe))
            key.erase(0, recipe.size());
    std::stable_sort(keys.begin(), keys.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return keys;
}

}  // namespace trainyard::run
