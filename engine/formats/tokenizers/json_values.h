// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Values of a tokenizer.json, with one sentence about each that is missing or of another kind.

#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace trainyard::tokenizers {

using Json = nlohmann::json;

[[noreturn]] inline void throw_bad_value(const std::string& place, const std::string& key, const char* wanted) {
    throw UserError("{}: '{}' must be {}", place, key, wanted);
}

inline const Json* value_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

inline bool bool_of(const Json& object, const char* key, bool otherwise, const std::string& place) {
    const Json* value = value_of(object, key);
    if (value == nullptr)
        return otherwise;
    if (!value->is_boolean())
        throw_bad_value(place, key, "true or false");
    return value->get<bool>();
}

inline std::optional<std::string> text_of(const Json& object, const char* key, const std::string& place) {
    const Json* value = value_of(object, key);
    if (value == nullptr)
        return std::nullopt;
    if (!value->is_string())
        throw_bad_value(place, key, "text");
    return value->get<std::string>();
}

inline std::string needed_text(const Json& object, const char* key, const std::string& place) {
    if (auto text = text_of(object, key, place))
        return *text;
    throw_bad_value(place, key, "text");
}

inline std::size_t count_of(const Json& object, const char* key, std::size_t otherwise, const std::string& place) {
    const Json* value = value_of(object, key);
    if (value == nullptr)
        return otherwise;
    if (!value->is_number_unsigned() || value->get<std::uint64_t>() > 0x7fffffff)
        throw_bad_value(place, key, "a number from 0 to 2147483647");
    return value->get<std::size_t>();
}

inline const Json& needed_array(const Json& object, const char* key, const std::string& place) {
    const Json* value = object.is_object() ? value_of(object, key) : nullptr;
    if (value == nullptr || !value->is_array())
        throw_bad_value(place, key, "a list");
    return *value;
}

/// The `type` of a step.
inline std::string type_of(const Json& step, const std::string& place) {
    if (!step.is_object())
        throw UserError("{} must be an object with a 'type'", place);
    return needed_text(step, "type", place);
}

}  // namespace trainyard::tokenizers
