// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Converts JSON of golden files to a Tree, including numbers that JSON stores as text ("inf").

#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "distributed/tensors/tree.h"

namespace trainyard::test {

using Json = nlohmann::ordered_json;

inline double number_of(const Json& json) {
    if (!json.is_string())
        return json.get<double>();
    const std::string word = json.get<std::string>();
    return word == "nan" ? std::numeric_limits<double>::quiet_NaN()
                         : (word == "-inf" ? -1 : 1) * std::numeric_limits<double>::infinity();
}

inline Tree tree_of(const Json& json) {
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string()) {
        const std::string word = json.get<std::string>();
        return word == "inf" || word == "-inf" || word == "nan" ? Tree(number_of(json)) : Tree(word);
    }
    if (json.is_array()) {
        Tree list = Tree::list();
        for (const Json& item : json)
            list.append(tree_of(item));
        return list;
    }
    if (json.is_object()) {
        Tree dict = Tree::dict();
        for (const auto& [key, value] : json.items()) {
            const bool digits = !key.empty() && key.find_first_not_of("0123456789") == std::string::npos;
            dict.set(digits ? TreeKey(static_cast<std::int64_t>(std::stoll(key))) : TreeKey(key), tree_of(value));
        }
        return dict;
    }
    return {};
}

}  // namespace trainyard::test
