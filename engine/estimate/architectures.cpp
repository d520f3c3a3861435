// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/architectures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "estimate/architecture_parts.h"
#include "models/spec/config_file.h"

namespace trainyard::estimate {

namespace {

using Json = nlohmann::json;
using families::ConfigKey;
using families::ModelConfig;

const std::map<std::string, Architecture>& architectures() {
    static const std::map<std::string, Architecture> all = [] {
        std::map<std::string, Architecture> made;
        for (auto* table : {decoder_architectures, encoder_architectures, sequence_architectures, vision_architectures,
                            multimodal_architectures})
            for (Architecture& one : table())
                made.emplace(one.model_type, std::move(one));
        return made;
    }();
    return all;
}

/// nullptr if models of this type are not trained, or their tensors are not known.
const families::Family* counted_family(const std::string& model_type) {
    const families::Family* family = families::find_family(model_type);
    return family != nullptr && family->lists_tensors() ? family : nullptr;
}

/// Reads what the sizes of a model depend on.
class SizeReader {
  public:
    explicit SizeReader(const ArchitectureConfig& json) : json_(json) {}

    void read(const ConfigKey& key, std::int64_t& target) const {
        const char* stated = json_.has(key.name.c_str()) ? key.name.c_str() : key.alias.c_str();
        if (!json_.has(stated)) {
            if (key.null && json_.json().contains(key.name))
                target = *key.null;
            return;
        }
        const bool may_be_none = key.member == ConfigKey::Member(&ModelConfig::n_layer);
        const std::int64_t least =
            may_be_none ? 0 : std::min(static_cast<std::int64_t>(key.least), key.null.value_or(1));
        target = json_.whole(stated, target, least);
        if (static_cast<double>(target) > key.most)
            json_.fail(stated, Message("{} is more than {:.0f}", target, key.most));
    }
    void read(const ConfigKey& key, bool& target) const { target = json_.truth(key.name.c_str(), target); }
    void read(const ConfigKey& key, std::string& target) const { target = json_.text(key.name.c_str(), target); }
    void read(const ConfigKey& key, families::JsonText& target) const {
        if (const std::string& name = key.file_name(); json_.has(name.c_str()))
            target.text = json_text(json_.json().at(name));
    }
    void read(const ConfigKey&, double&) const {}

  private:
    const ArchitectureConfig& json_;
};

/// The model of a config.json, also with values that families::read_config() refuses because they cannot be trained.
ModelConfig counted_config(const families::Family& family, const ArchitectureConfig& given, const std::string& where) {
    Json modern = given.json();
    family.modernise(modern);
    const ArchitectureConfig json(std::move(modern), where);
    const SizeReader reader(json);
    ModelConfig config = family.defaults();
    for (const std::vector<ConfigKey>* keys : {&family.keys(), &family.untrained_keys()})
        for (const ConfigKey& key : *keys)
            if (key.of_weights)  // others, such as tokens, do not change a shape
                std::visit([&](auto member) { reader.read(key, config.*member); }, key.member);
    config.num_labels = json.labels();
    for (const families::ConfigProblem& problem : family.problems(config))
        for (const ConfigKey::Member& sizes :
             {ConfigKey::Member(&ModelConfig::n_head), {&ModelConfig::hidden_sizes}, {&ModelConfig::depths}})
            if (const ConfigKey* key = families::find_key(family, problem.key); key != nullptr && key->member == sizes)
                json.fail(problem.key, problem.message);
    return config;
}

ModelTree counted_tree(const Architecture& architecture, const ArchitectureConfig& config,
                       const std::string& auto_class) {
    ModelTree tree{architecture.base_class, {}, {}, {}};
    const bool without_head = auto_class == "AutoModel";
    architecture.base(without_head ? tree.root : tree.root.child(architecture.base_name), config);
    for (const Head& head : architecture.heads)
        if (head.auto_class == auto_class) {
            tree.model_class = head.model_class;
            head.build(tree.root, config);
        }
    for (const families::LayerClass& one : architecture.modules.classes)
        if (one.auto_class == auto_class) {
            tree.model_class = one.architecture;
            tree.root.linear(one.layer, architecture.width(config), config.labels(), one.bias);
        }
    families::finish_tree(tree, architecture.modules,
                          config.truth("tie_word_embeddings", architecture.tie_word_embeddings),
                          [&](const std::string& name) {
                              const bool inner = without_head && name.starts_with(architecture.base_name + ".");
                              return inner ? name.substr(architecture.base_name.size() + 1) : name;
                          });
    return tree;
}

/// Gives the classes of a tree the names of a type that has the same network.
void rename_classes(ModelTree& tree, const families::ClassPrefixes& prefixes) {
    const auto rename = [&](std::string& name) {
        if (name.starts_with(prefixes.of_family))
            name.replace(0, prefixes.of_family.size(), prefixes.of_type);
    };
    const auto rename_in = [&](const auto& self, Module& module) -> void {
        rename(module.type);
        for (Module& child : module.children)
            self(self, child);
    };
    rename(tree.model_class);
    rename_in(rename_in, tree.root);
    std::set<std::string> renamed;
    for (std::string name : tree.no_split) {
        rename(name);
        renamed.insert(std::move(name));
    }
    tree.no_split = std::move(renamed);
}

std::set<std::string> auto_classes(const Architecture& architecture) {
    std::set<std::string> all{"AutoModel"};
    for (const Head& head : architecture.heads)
        all.insert(head.auto_class);
    for (const families::LayerClass& one : architecture.modules.classes)
        all.insert(one.auto_class);
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
    std::set<std::string> names;
    for (const auto& [name, ignored] : architectures())
        names.insert(name);
    for (const std::string& name : families::model_types())
        if (counted_family(name) != nullptr)
            names.insert(name);
    for (std::string& name : families::types_read_as_families())
        names.insert(std::move(name));
    return {names.begin(), names.end()};
}

ModelTree model_tree(const std::string& config_json, const std::string& where, const std::string& auto_class) {
    Json json = read_json(config_json);
    if (!json.is_object())
        throw UserError("{} is not a JSON object: it should be the config.json of a model", where);
    const std::optional<families::ClassPrefixes> renamed = families::read_as_family(json);
    const ArchitectureConfig config(std::move(json), where);
    const std::string type = config.text("model_type", "");
    const families::Family* family = counted_family(type);
    const auto counted = architectures().find(type);
    if (family == nullptr && counted == architectures().end())
        throw UserError("{}: model_type '{}' is not known to this version{}", where, type,
                        text::did_you_mean(type, architecture_names()));
    const std::set<std::string> classes =
        family != nullptr ? families::auto_classes(*family) : auto_classes(counted->second);
    if (!classes.contains(auto_class))
        throw UserError("{} is to be loaded with {}, and this version estimates {} of {}", where, auto_class,
                        fmt::join(classes, ", "), type);
    if (family == nullptr)
        return counted_tree(counted->second, config, auto_class);
    ModelTree tree = families::model_tree(counted_config(*family, config, where), auto_class);
    if (renamed)
        rename_classes(tree, *renamed);
    return tree;
}

}  // namespace trainyard::estimate
