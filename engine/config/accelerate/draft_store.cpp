// A draft as JSON: answers, keys laid over them, and the file it came from.

#include <nlohmann/json.hpp>

#include "base/json.h"
#include "base/json_writer.h"
#include "config/accelerate/draft.h"

namespace trainyard::settings {

namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;

Json to_json(const Value& value) {
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::int64_t* whole = value.integer())
        return *whole;
    if (const double* number = value.number())
        return {{"number", Value(*number).display()}};  // JSON has no infinities, and 1.0 must not come back as 1
    if (const std::string* text = value.text())
        return *text;
    if (const Date* date = std::get_if<Date>(&value.data))
        return {{"date", date->text}};
    if (const Value::List* list = value.list()) {
        Json items = Json::array();
        for (const Value& item : *list)
            items.push_back(to_json(item));
        return items;
    }
    if (const Value::Map* map = value.map()) {
        Json entries = Json::array();
        for (const Entry& entry : *map)
            entries.push_back({entry.key, to_json(entry.value)});
        return {{"map", entries}};
    }
    return nullptr;
}

/// Throws Json::exception or std::exception for what to_json() does not write.
Value from_json(const Json& json) {
    if (json.is_null())
        return {};
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_string())
        return json.get<std::string>();
    if (json.is_array()) {
        Value::List items;
        for (const Json& item : json)
            items.push_back(from_json(item));
        return Value(std::move(items));
    }
    if (json.contains("number"))
        return std::stod(json.at("number").get<std::string>());
    if (json.contains("date"))
        return Value(Date{json.at("date").get<std::string>()});
    Value::Map entries;
    for (const Json& entry : json.at("map"))
        entries.push_back({entry.at(0).get<std::string>(), from_json(entry.at(1)), 0, 0});
    return Value(std::move(entries));
}

}  // namespace

std::string Draft::store() const {
    auto overrides = [](const std::vector<Override>& all) {
        Json list = Json::array();
        for (const Override& one : all)
            list.push_back({{"path", one.path}, {"value", to_json(one.value)}, {"removed", one.removed}});
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
        if (json.at("version") != kVersion)
            return false;
        auto overrides = [](const Json& list) {
            std::vector<Override> all;
            for (const Json& one : list)
                all.push_back(
                    {one.at("path").get<std::string>(), from_json(one.at("value")), one.at("removed").get<bool>()});
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
    undo_.clear();
    redo_.clear();
    settings_ = written(state_);
    return true;
}

}  // namespace trainyard::settings
