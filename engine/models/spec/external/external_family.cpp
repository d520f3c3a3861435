// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/external/external_family.h"

#include <nlohmann/json.hpp>

#include "models/spec/config_keys.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

FamilyRow external_row(const std::string& type, const std::string& base, std::vector<ConfigKey> keys) {
    using keys::M;
    keys.push_back(keys::size("vocab_size", &M::vocab_size));
    keys.push_back(keys::size("num_labels", &M::num_labels, "Number of classes; 1: a number."));
    keys.push_back(keys::table("id2label", &M::id2label, "Names of the classes by their numbers.", false));
    keys.push_back(keys::word("problem_type", &M::problem_type));
    keys.push_back(keys::size("num_channels", &M::num_channels, "Colours of an image."));
    keys.push_back(keys::token("pad_token_id", &M::pad_token_id));
    return {.model_type = type,
            .base_architecture = base,
            .base_prefix = "",
            .head_name = "",
            .tasks = {{kSequenceClassification, base + "ForSequenceClassification"},
                      {kTokenClassification, base + "ForTokenClassification"},
                      {kImageClassification, base + "ForImageClassification"},
                      {kCausalLm, base + "ForCausalLM"}},
            .keys = std::move(keys),
            .keys_without_effect = {},
            .fixed = {}};
}

class ExternalFamily final : public Family {
  public:
    explicit ExternalFamily(FamilyRow row) : Family(std::move(row)) {}
    Network network() const override { return model_type() == kPluginModel ? Network::plugin : Network::script; }
    ModelConfig defaults() const override {
        ModelConfig config;
        config.model_type = model_type();
        config.task = kSequenceClassification;
        return config;
    }
    ModelConfig small() const override { return defaults(); }
    ModelConfig resolved(const ModelConfig& config) const override { return with_label_names(config); }
    void modernise(nlohmann::json& config) const override { count_labels(config); }
    bool lists_tensors() const override { return false; }
    bool can_pipeline() const override { return false; }
    std::vector<TensorShape> tensors(const ModelConfig&) const override { return {}; }
    std::vector<ConfigProblem> problems(const ModelConfig& config) const override {
        std::vector<ConfigProblem> found;
        if (model_type() == kPluginModel && config.plugin.empty())
            found.push_back({"plugin", {}, "missing: give the name that a plug-in has for its model"});
        check_labels(config, found);
        return found;
    }
};

}  // namespace

const std::vector<const Family*>& external_families() {
    static const ExternalFamily plugin(external_row(
        kPluginModel, "Plugin",
        {keys::word("plugin", &ModelConfig::plugin, "Name that a plug-in of `plugins` has for its model."),
         keys::table("arguments", &ModelConfig::arguments, "What the plug-in makes the model with: a table.")}));
    static const ExternalFamily script(external_row(kScriptModel, "TorchScript", {}));
    static const std::vector<const Family*> all{&plugin, &script};
    return all;
}

}  // namespace trainyard::families
