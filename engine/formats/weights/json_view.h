// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to readers of JSON headers: simdjson's on-demand reader over bytes in memory, names without a copy.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include <simdjson.h>

#include "base/json.h"

namespace trainyard::weights {

/// JSON text followed by the readable padding bytes that simdjson requires: the text itself where its buffer is large
/// enough, else a copy.
class JsonView {
  public:
    /// `readable`: bytes from the beginning of the text that may be read, at least its size.
    JsonView(std::string_view text, std::size_t readable) : view_(text.data(), text.size(), readable) {
        if (readable - text.size() >= simdjson::SIMDJSON_PADDING)
            return;
        const std::size_t capacity = text.size() + simdjson::SIMDJSON_PADDING;
        copy_ = std::make_unique<char[]>(capacity);
        std::memcpy(copy_.get(), text.data(), text.size());
        view_ = simdjson::padded_string_view(copy_.get(), text.size(), capacity);
    }
    const simdjson::padded_string_view& view() const { return view_; }

  private:
    std::unique_ptr<char[]> copy_;
    simdjson::padded_string_view view_;
};

/// The name of a field: a part of the text, or of the parser's memory where it has escapes.
inline simdjson::error_code name_of_field(simdjson::simdjson_result<simdjson::ondemand::field>& field,
                                          std::string_view& name) {
    simdjson::ondemand::raw_json_string raw;
    if (const simdjson::error_code error = field.key().get(raw); error != simdjson::SUCCESS)
        return error;
    // Every text of a document ends with a quote: the first part of the reader has seen to that.
    const char* end = static_cast<const char*>(::rawmemchr(raw.raw(), '"'));
    name = {raw.raw(), static_cast<std::size_t>(end - raw.raw())};
    return name.find('\\') == std::string_view::npos ? simdjson::SUCCESS : field.unescaped_key().get(name);
}

/// Checks a value that begins like null.
inline simdjson::error_code skip_null(simdjson::ondemand::value& value) {
    bool null = false;
    const simdjson::error_code error = value.is_null().get(null);
    return error != simdjson::SUCCESS ? error : null ? simdjson::SUCCESS : simdjson::N_ATOM_ERROR;
}

/// Reads a value that means nothing here: it must be JSON all the same. DEPTH_ERROR: deeper than kMostJsonDepth.
inline simdjson::error_code skip_value(simdjson::ondemand::value& value, int depth = 1) {
    using simdjson::ondemand::json_type;
    if (depth > kMostJsonDepth)
        return simdjson::DEPTH_ERROR;
    json_type type{};
    if (const simdjson::error_code error = value.type().get(type); error != simdjson::SUCCESS)
        return error;
    switch (type) {
        case json_type::string:
            return value.get_string().error();
        case json_type::number:
            return value.get_number().error();
        case json_type::boolean:
            return value.get_bool().error();
        case json_type::null:
            return skip_null(value);
        case json_type::array: {
            simdjson::ondemand::array list;
            if (const simdjson::error_code error = value.get_array().get(list); error != simdjson::SUCCESS)
                return error;
            for (auto entry : list) {
                simdjson::ondemand::value item;
                if (const simdjson::error_code error = entry.get(item); error != simdjson::SUCCESS)
                    return error;
                if (const simdjson::error_code error = skip_value(item, depth + 1); error != simdjson::SUCCESS)
                    return error;
            }
            return simdjson::SUCCESS;
        }
        case json_type::object: {
            simdjson::ondemand::object table;
            if (const simdjson::error_code error = value.get_object().get(table); error != simdjson::SUCCESS)
                return error;
            for (auto field : table) {
                std::string_view name;
                simdjson::ondemand::value item;
                if (const simdjson::error_code error = name_of_field(field, name); error != simdjson::SUCCESS)
                    return error;
                if (const simdjson::error_code error = field.value().get(item); error != simdjson::SUCCESS)
                    return error;
                if (const simdjson::error_code error = skip_value(item, depth + 1); error != simdjson::SUCCESS)
                    return error;
            }
            return simdjson::SUCCESS;
        }
        default:
            return simdjson::TAPE_ERROR;
    }
}

}  // namespace trainyard::weights
