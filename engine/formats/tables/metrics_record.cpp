// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/metrics_record.h"

#include <algorithm>

#include "formats/tables/metrics_columns.h"

namespace trainyard::formats {

using simdjson::dom::element;
using simdjson::dom::element_type;

namespace {
constexpr int kDeepest = 8;
}

std::string with_quoted_words(std::string_view line) {
    std::string out;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && (i == 0 || line[i - 1] != '\\'))
            quoted = !quoted;
        bool word = false;
        for (const std::string_view name : {"NaN", "-Infinity", "Infinity"})
            if (!quoted && !word && line.substr(i, name.size()) == name) {
                out.append("\"").append(name).append("\"");
                i += name.size() - 1;
                word = true;
            }
        if (!word)
            out += line[i];
    }
    return out;
}

std::optional<double> json_number(const element& value) {
    switch (value.type()) {
        case element_type::DOUBLE:
        case element_type::INT64:
        case element_type::UINT64: {
            double number = 0;
            return value.get(number) == simdjson::SUCCESS ? std::optional(number) : std::nullopt;
        }
        case element_type::STRING: {
            // As writers of strict JSON say what is not finite.
            const std::string_view word = value.get_string().value_unsafe();
            for (const std::string_view name : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})
                if (word == name)
                    return number_of(word);
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

std::optional<double> JsonReader::number(const element& value) const {
    if (quoted_ == Quoted::numbers && value.is_string())
        return number_of(value.get_string().value_unsafe());
    return json_number(value);
}

bool JsonReader::read(std::string_view line, JsonRecord& found) {
    simdjson::dom::object object;
    if (parser_.parse(line.data(), line.size(), false).get(object) == simdjson::SUCCESS) {
        take(object, found);
        return true;
    }
    if (line.find("NaN") == std::string_view::npos && line.find("Infinity") == std::string_view::npos)
        return false;
    const simdjson::padded_string mended(with_quoted_words(line));
    if (parser_.parse(mended).get(object) != simdjson::SUCCESS)
        return false;
    take(object, found);
    return true;
}

void JsonReader::take(const simdjson::dom::object& object, JsonRecord& found) {
    for (const auto [key, value] : object)
        take_field(key, value, found);
}

bool JsonReader::read_field(std::string_view key, std::string_view text, JsonRecord& found) {
    element value;
    if (!parse_value(text, value))
        return false;
    take_field(key, value, found);
    return true;
}

bool JsonReader::parse_value(std::string_view text, element& value) {
    return parser_.parse(simdjson::padded_string(text)).get(value) == simdjson::SUCCESS ||
           parser_.parse(simdjson::padded_string(with_quoted_words(text))).get(value) == simdjson::SUCCESS;
}

bool JsonReader::read_parameter(std::string_view key, std::string_view text, ParameterWords& parameters) {
    element value;
    if (!parse_value(text, value))
        return false;
    path_ = key;
    word(value, 1, parameters);
    path_.clear();
    return true;
}

void JsonReader::take_field(std::string_view key, const element& value, JsonRecord& found) {
    const std::optional<double> is = number(value);
    const int as_step = step_rank(key), as_time = time_rank(key);
    if (as_step >= 0 && as_step < found.step_rank && is && step_of(*is)) {
        if (found.step_from)
            found.numbers.push_back(*found.step_from);
        found.step_rank = as_step;
        found.step = step_of(*is);
        found.step_from.emplace(key, *is);
    } else if (as_time >= 0 && as_time < found.time_rank && is) {
        if (found.time_from)
            found.numbers.push_back(*found.time_from);
        found.time_rank = as_time;
        found.time = seconds_of(*is);
        found.time_from.emplace(key, *is);
    } else if (as_time >= 0 && as_time < found.time_rank && value.is_string()) {
        if (const auto seconds = seconds_of(value.get_string().value_unsafe())) {
            found.time = seconds;
            found.time_rank = as_time;
            found.time_from.reset();
        }
    } else if (key == "values" && value.is_object()) {
        walk(value, 1, found);  // our own tracker's
    } else if (key == "configuration" && value.is_object()) {
        words(value, 1, found.parameters);
    } else if (key == "restart" && is && step_of(*is)) {
        found.restart = step_of(*is);
    } else {
        path_ = key;
        one(value, 1, found);
        path_.clear();
    }
}

void JsonReader::one(const element& value, int depth, JsonRecord& found) {
    if (const auto is = number(value))
        found.numbers.emplace_back(path_, *is);
    else if (value.is_object() && depth < kDeepest)
        walk(value, depth + 1, found);
}

void JsonReader::walk(const element& object, int depth, JsonRecord& found) {
    const std::size_t before = path_.size();
    const simdjson::dom::object members = object.get_object().value_unsafe();
    for (const auto [key, value] : members) {
        path_.append(before == 0 ? "" : "/").append(key);
        one(value, depth, found);
        path_.resize(before);
    }
}

void JsonReader::words(const element& object, int depth, ParameterWords& parameters) {
    const std::size_t before = path_.size();
    const simdjson::dom::object members = object.get_object().value_unsafe();
    for (const auto [key, value] : members) {
        path_.append(before == 0 ? "" : "/").append(key);
        word(value, depth, parameters);
        path_.resize(before);
    }
}

void JsonReader::word(const element& value, int depth, ParameterWords& parameters) {
    if (value.is_object() && depth < kDeepest) {
        words(value, depth + 1, parameters);
        return;
    }
    std::string text =
        value.is_string() ? std::string(value.get_string().value_unsafe()) : std::string(simdjson::minify(value));
    const auto known =
        std::find_if(parameters.begin(), parameters.end(), [&](const auto& one) { return one.first == path_; });
    if (known != parameters.end())
        known->second = std::move(text);
    else
        parameters.emplace_back(path_, std::move(text));
}

}  // namespace trainyard::formats
