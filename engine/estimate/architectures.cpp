#include "estimate/architectures.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "estimate/architecture_parts.h"

namespace trainyard::estimate {

namespace {

using Json = nlohmann::json;

const std::map<std::string, Architecture>& architectures() {
    static const std::map<std::string, Architecture> all = [] {
        std::map<std::string, Architecture> made;
        for (auto* table : {decoder_architectures, encoder_architectures, sequence_architectures, vision_architectures})
            for (Architecture& one : table())
                made.emplace(one.model_type, std::move(one));
        return made;
    }();
    return all;
}

}  // namespace

std::int64_t ArchitectureConfig::whole(const std::vector<const char*>& keys, std::int64_t otherwise,
                                       std::int64_t least) const {
    for (const char* key : keys) {
        if (!has(key))
            continue;
        const Json& value = json_.at(key);
        const double number = value.is_number() ? value.get<double>() : std::nan("");
        if (!(number == std::floor(number)) || number < static_cast<double>(least) || number > 1e12)
            fail(key, Message("{} is not an integer of at least {}", json_text(value), least));
        return static_cast<std::int64_t>(number);
    }
    return otherwise;
}

double ArchitectureConfig::number(const char* key, double otherwise) const {
    if (!has(key))
        return otherwise;
    if (!json_.at(key).is_number())
        fail(key, Message("{} is not a number", json_text(json_.at(key))));
    return json_.at(key).get<double>();
}

bool ArchitectureConfig::truth(const char* key, bool otherwise) const {
    if (!has(key))
        return otherwise;
    if (!json_.at(key).is_boolean())
        fail(key, Message("{} is neither true nor false", json_text(json_.at(key))));
    return json_.at(key).get<bool>();
}

std::string ArchitectureConfig::text(const char* key, const std::string& otherwise) const {
    if (!has(key))
        return otherwise;
    if (!json_.at(key).is_string())
        fail(key, Message("{} is not text", json_text(json_.at(key))));
    return json_.at(key).get<std::string>();
}

std::vector<std::int64_t> ArchitectureConfig::list(const char* key, std::vector<std::int64_t> otherwise) const {
    if (!has(key))
        return otherwise;
    std::vector<std::int64_t> values;
    if (json_.at(key).is_array())
        for (const Json& item : json_.at(key))
            if (item.is_number_integer() && item.get<std::int64_t>() > 0)
                values.push_back(item.get<std::int64_t>());
    if (values.empty() || values.size() != json_.at(key).size() || values.size() > 1000)
        fail(key, Message("{} is not a list of positive integers", json_text(json_.at(key))));
    return values;
}

ArchitectureConfig ArchitectureConfig::table(const char* key) const {
    if (has(key) && !json_.at(key).is_object())
        fail(key, Message("{} is not a JSON object", json_text(json_.at(key))));
    return {has(key) ? json_.at(key) : Json::object(), where_ + ": " + key};
}

std::int64_t ArchitectureConfig::labels() const {
    if (has("id2label") && json_.at("id2label").is_object())
        return static_cast<std::int64_t>(json_.at("id2label").size());
    return whole("num_labels", 2);
}

void ArchitectureConfig::fail(const std::string& key, const Message& message) const {
    throw UserError("{}: {}: {}", where_, key, message);
}

std::vector<std::string> architecture_names() {
    std::vector<std::string> names;
    for (const auto& [name, ignored] : architectures())
        names.push_back(name);
    return names;
}

ModelTree model_tree(const std::string& config_json, const std::string& where, const std::string& auto_class) {
    Json json = read_json(config_json);
    if (!json.is_object())
        throw UserError("{} is not a JSON object: it should be the config.json of a model", where);
    const ArchitectureConfig config(std::move(json), where);
    const std::string type = config.text("model_type", "");
    auto found = architectures().find(type);
    if (found == architectures().end())
        throw UserError("{}: model_type '{}' is not known to this version{}", where, type,
                        text::did_you_mean(type, architecture_names()));
    const Architecture& architecture = found->second;
    auto head = architecture.heads.find(auto_class);
    if (head == architecture.heads.end()) {
        std::vector<std::string> classes;
        for (const auto& [name, ignored] : architecture.heads)
            classes.push_back(name);
        throw UserError("{} is to be loaded with {}, and this version estimates {} of {}", where, auto_class,
                        fmt::join(classes, ", "), type);
    }
    ModelTree tree;
    tree.model_class = head->second.model_class;
    tree.no_split = architecture.no_split;
    head->second.build(tree.root, config);
    const bool ties = config.truth("tie_word_embeddings", architecture.tie_word_embeddings);
    tree.tied = ties && !head->second.tied.empty() ? head->second.tied : head->second.shared;
    return tree;
}

}  // namespace trainyard::estimate
