// SPDX-License-Identifier: GPL-3.0-or-later
// A draft as JSON: answers, keys laid over them, and the file it came from.

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "config/accelerate/draft.h"
#include "config/values/value_formats.h"

namespace trainyard::settings {

namespace {

using Json = nlohmann::json;

constexpr int kVersion = 2;

/// As YAML, which keeps dates and numbers that JSON does not have.
std::string stored_text(const Value& value) {
    return write_yaml({{"value", value}});
}

/// Throws std::exception if stored_text() did not write it.
Value stored_value(const std::string& text) {
    std::vector<Problem> problems;
    const Value stored = parse_yaml(text, "", problems, python_rules(problems));
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return stored.entries().at(0).value;
}

/// The YAML of a value that version 1 stored.
std::string text_of_version_1(const Json& stored) {
    if (!stored.is_structured())
        return json_text(stored);
    for (const char* kind : {"number", "date"})
        if (stored.contains(kind))
            return stored.at(kind).get<std::string>();
    const bool is_map = stored.is_object();
    std::string items;
    for (const Json& item : is_map ? stored.at("map") : stored)
        items += (items.empty() ? "" : ", ") +
                 (is_map ? json_text(item.at(0)) + ": " + text_of_version_1(item.at(1)) : text_of_version_1(item));
    return is_map ? "{" + items + "}" : "[" + items + "]";
}

}  // namespace

std::string Draft::store() const {
    auto overrides = [](const std::vector<Override>& all) {
        Json list = Json::array();
        for (const Override& one : all)
            list.push_back({{"path", one.path}, {"value", stored_text(one.value)}, {"removed", one.removed}});
        return list;
    };
    Json stored{{"version", kVersion},
                {"answers", Json::object()},
                {"overrides", overrides(state_.overrides)},
                {"dormant", overrides(state_.dormant)}};
    for (const auto& [id, answer] : state_.answers)
        stored["answers"][id] = answer;
    if (original_)
        stored["original"] = {{"text", original_->text},
                              {"file", original_->file},
                              {"format", original_->format == Format::json ? "json" : "yaml"}};
    return json_text(stored, {.indent = 2});
}

bool Draft::restore(const std::string& stored) {
    try {
        Json json = parse_json(stored);
        const int version = json.at("version").get<int>();
        if (version != 1 && version != kVersion)
            return false;
        auto overrides = [&](const Json& list) {
            std::vector<Override> all;
            for (const Json& one : list) {
                const Json& value = one.at("value");
                const std::string text = version == 1 ? "value: " + text_of_version_1(value) : value.get<std::string>();
                all.push_back({one.at("path").get<std::string>(), stored_value(text), one.at("removed").get<bool>()});
            }
            return all;
        };
        State state;
        for (const auto& [id, answer] : json.at("answers").items())
            state.answers[id] = answer.get<std::string>();
        state.overrides = overrides(json.at("overrides"));
        state.dormant = overrides(json.at("dormant"));
        std::optional<Loaded> original;
        if (json.contains("original")) {
            const Json& file = json.at("original");
            original = read_settings(file.at("text").get<std::string>(), file.at("file").get<std::string>(),
                                     file.at("format") == "json" ? Format::json : Format::yaml);
        }
        state_ = std::move(state);
        original_ = std::move(original);
    } catch (const std::exception&) {
        return false;
    }
    settings_ = written(state_);
    return true;
}

}  // namespace trainyard::settings
