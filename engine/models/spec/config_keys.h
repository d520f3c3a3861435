// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of key tables that families have in common. A name stands for the same member in all families that have it.

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "models/spec/family.h"

namespace trainyard::families::keys {

using M = ModelConfig;

/// Limit of a size in a configuration; products are checked where they are computed.
inline constexpr double kLargestSize = 1'000'000'000;

inline ConfigKey size(std::string name, std::int64_t M::*member, std::string help = {}, std::string alias = {}) {
    return {.name = std::move(name),
            .member = member,
            .of_weights = true,
            .least = 1,
            .most = kLargestSize,
            .alias = std::move(alias),
            .help = std::move(help)};
}

/// A size whose null, 0 in recipes, has a meaning of its own.
inline ConfigKey optional_size(std::string name, std::int64_t M::*member, std::string help) {
    ConfigKey key = size(std::move(name), member, std::move(help));
    key.null = 0;
    return key;
}

/// A probability of dropout.
inline ConfigKey rate(std::string name, double M::*member, std::string help = {}) {
    return {
        .name = std::move(name), .member = member, .least = 0, .most = 1, .below_most = true, .help = std::move(help)};
}

inline ConfigKey number(std::string name, double M::*member, double most, std::string help, bool of_weights = true) {
    return {.name = std::move(name),
            .member = member,
            .of_weights = of_weights,
            .least = 0,
            .most = most,
            .help = std::move(help)};
}

inline ConfigKey choice(std::string name, bool M::*member, std::string help = {}, bool of_weights = true) {
    return {.name = std::move(name), .member = member, .of_weights = of_weights, .help = std::move(help)};
}

inline ConfigKey word(std::string name, std::string M::*member, std::string help = {}) {
    return {.name = std::move(name), .member = member, .of_weights = true, .help = std::move(help)};
}

inline ConfigKey table(std::string name, JsonText M::*member, std::string help, bool of_weights = true) {
    return {.name = std::move(name), .member = member, .of_weights = of_weights, .help = std::move(help)};
}

inline ConfigKey token(std::string name, std::int64_t M::*member, std::string help = {}) {
    return {.name = std::move(name),
            .member = member,
            .least = 0,
            .most = kLargestSize,
            .null = -1,
            .help = std::move(help)};
}

/// The whole numbers from 1 on of a list; empty if it is not one.
inline std::vector<std::int64_t> sizes_of(const JsonText& text) {
    const auto list = read_json(text.text);
    std::vector<std::int64_t> sizes;
    if (!list.is_array())
        return sizes;
    for (const auto& each : list) {
        if (!each.is_number_integer() || each.get<double>() < 1 || each.get<double>() > kLargestSize)
            return {};
        sizes.push_back(each.get<std::int64_t>());
    }
    return sizes;
}

/// A table with the ids that nearly all models of text have.
inline std::vector<ConfigKey> with_token_ids(std::vector<ConfigKey> keys) {
    keys.push_back(token("bos_token_id", &M::bos_token_id));
    keys.push_back(token("eos_token_id", &M::eos_token_id));
    keys.push_back(token("pad_token_id", &M::pad_token_id));
    return keys;
}

}  // namespace trainyard::families::keys
