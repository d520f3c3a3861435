#include "families/family.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "families/decoder/decoder_options.h"
#include "families/encoder/encoder_options.h"
#include "families/external/external_family.h"
#include "families/gpt2/gpt2_family.h"
#include "families/resnet/resnet_family.h"
#include "families/t5/t5_family.h"
#include "families/tasks.h"

namespace trainyard::families {

namespace {

/// A new family is one more entry here and one in models/model.cpp.
const std::vector<const Family*>& all_families() {
    static const std::vector<const Family*> all = [] {
        std::vector<const Family*> made{&gpt2_family(), &t5_family(), &resnet_family()};
        for (const std::vector<const Family*>& kind : {decoder_families(), encoder_families(), external_families()})
            made.insert(made.end(), kind.begin(), kind.end());
        return made;
    }();
    return all;
}

}  // namespace

std::int64_t TensorShape::elements() const {
    std::int64_t count = 1;
    for (std::int64_t size : shape)
        count *= size;
    return count;
}

double Family::flops_per_sample(const ModelConfig& config, const SampleSize& size) const {
    const bool unknown_image = config.task == kImageClassification && size.height == 0;
    if (unknown_image)
        return 0;
    double forward = 0;
    for (double cost : block_costs(config, size))
        forward += cost;
    return 6 * forward + 4 * image_cost(config, size);
}

bool Family::same_weights(const ConfigKey& key, const ModelConfig& a, const ModelConfig& b) const {
    if (const auto* table = std::get_if<JsonText ModelConfig::*>(&key.member))
        return nlohmann::json::parse((a.**table).text, nullptr, false) ==
               nlohmann::json::parse((b.**table).text, nullptr, false);
    return std::visit([&](auto member) { return a.*member == b.*member; }, key.member);
}

const std::vector<FixedField>& Family::fixed_fields() const {
    static const std::vector<FixedField> none;
    return none;
}

std::string Family::architecture(const ModelConfig& config) const {
    for (const TaskClass& each : tasks())
        if (each.task == config.task)
            return each.architecture;
    return base_architecture();
}

const std::vector<ConfigKey>& all_keys() {
    static const std::vector<ConfigKey> all = [] {
        std::vector<ConfigKey> made;
        for (const Family* family : all_families())
            for (const ConfigKey& key : family->keys()) {
                const auto known = std::ranges::find(made, key.name, &ConfigKey::name);
                if (known == made.end())
                    made.push_back(key);
                else if (known->help.empty())
                    known->help = key.help;
            }
        return made;
    }();
    return all;
}

const ConfigKey* find_key(const Family& family, const std::string& name) {
    for (const ConfigKey& key : family.keys())
        if (key.name == name)
            return &key;
    return nullptr;
}

const std::vector<std::string>& model_types() {
    static const std::vector<std::string> types = [] {
        std::vector<std::string> made;
        for (const Family* family : all_families())
            made.push_back(family->model_type());
        return made;
    }();
    return types;
}

const Family* find_family(const std::string& model_type) {
    for (const Family* family : all_families())
        if (family->model_type() == model_type)
            return family;
    return nullptr;
}

const Family& family_of(const std::string& model_type) {
    if (const Family* family = find_family(model_type))
        return *family;
    throw UserError(fmt::format("model_type '{}' is not known to this version{}: use {}", model_type,
                                text::did_you_mean(model_type, model_types()), fmt::join(model_types(), " or ")));
}

const Family& family_of(const ModelConfig& config) {
    return family_of(config.model_type);
}

std::int64_t parameter_count(const ModelConfig& config) {
    std::int64_t count = 0;
    for (const TensorShape& tensor : family_of(config).tensors(config))
        count += tensor.elements();
    return count;
}

std::vector<std::string> stored_names(const std::string& name) {
    std::vector<std::string> names{name};
    for (const Family* family : all_families())
        if (const std::string prefix = family->base_prefix();
            !prefix.empty() && name.starts_with(prefix) &&
            std::ranges::find(names, name.substr(prefix.size())) == names.end())
            names.push_back(name.substr(family->base_prefix().size()));
    return names;
}

}  // namespace trainyard::families
