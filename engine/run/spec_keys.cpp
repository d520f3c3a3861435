#include "run/spec_keys.h"

#include <algorithm>

#include "base/error.h"
#include "config/recipe/yaml_tree.h"

namespace trainyard::run {

namespace {

using config::YamlValue;

void walk(const YamlValue& value, const std::string& key, FlatKeys& keys) {
    const std::string front = key.empty() ? "" : key + ".";
    switch (value.kind) {
        case YamlValue::Kind::map:
            for (const auto& [name, entry] : value.entries)
                walk(entry, front + name.text, keys);
            break;
        case YamlValue::Kind::list: {
            const bool words = std::ranges::all_of(value.items, &YamlValue::is_scalar);
            std::string text;
            for (std::size_t number = 0; number < value.items.size(); ++number) {
                const YamlValue& item = value.items[number];
                if (words)
                    text += (number == 0 ? "" : ", ") + item.text;
                else
                    walk(item, front + std::to_string(number), keys);
            }
            if (words)
                keys.emplace_back(key, text);
            break;
        }
        case YamlValue::Kind::scalar:
            keys.emplace_back(key, value.text);
            break;
        case YamlValue::Kind::null:
            if (!key.empty())
                keys.emplace_back(key, "");
            break;
    }
}
}  // namespace

FlatKeys flat_keys(const std::string& yaml, const std::string& origin) {
    FlatKeys keys;
    std::vector<Problem> problems;
    // An alias repeats what it names: a short file may come to more than any memory.
    const YamlValue root =
        config::parse_yaml(yaml, origin, problems, {.aliases = true, .most_nodes = 100'000, .most_bytes = 16u << 20});
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
