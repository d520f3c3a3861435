#include "models/spec/family.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/encoder/encoder_options.h"
#include "models/spec/external/external_family.h"
#include "models/spec/gpt2/gpt2_family.h"
#include "models/spec/resnet/resnet_family.h"
#include "models/spec/t5/t5_family.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

/// A new family is one more entry here and one in models/nn/model.cpp.
const std::vector<const Family*>& all_families() {
    static const std::vector<const Family*> all = [] {
        std::vector<const Family*> made{&gpt2_family(), &t5_family(), &resnet_family()};
        for (const std::vector<const Family*>& kind : {decoder_families(), encoder_families(), external_families()})
            made.insert(made.end(), kind.begin(), kind.end());
        return made;
    }();
    return all;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Names that transformers maps on loading, of earlier and of later versions, and second names of tied tensors, of
/// which a file may hold either.
std::vector<std::string> other_spellings(const std::string& name) {
    using Pair = std::pair<std::string_view, std::string_view>;
    std::vector<std::string> found;
    // TensorFlow's names, which BERT's files have.
    for (const auto& [now, old] :
         {Pair(".LayerNorm.weight", ".LayerNorm.gamma"), Pair(".LayerNorm.bias", ".LayerNorm.beta")})
        if (name.ends_with(now))
            found.push_back(name.substr(0, name.size() - now.size()).append(old));
    // ViT since version 5.
    if (name.starts_with("vit.encoder.layer.")) {
        std::string later = name;
        for (const auto& [now, new_name] :
             {Pair("encoder.layer.", "layers."), Pair("attention.query", "q_proj"), Pair("attention.key", "k_proj"),
              Pair("attention.value", "v_proj"), Pair("attention.output.dense", "attention.o_proj"),
              Pair("intermediate.dense", "mlp.fc1"), Pair("output.dense", "mlp.fc2")})
            replace_all(later, now, new_name);
        found.push_back(later);
    }
    static const std::vector<Pair> second_names{
        {"embed_out.weight", "lm_head.weight"},  // GPT-NeoX since version 5
        {"cls.predictions.bias", "cls.predictions.decoder.bias"},
        {"lm_head.bias", "lm_head.decoder.bias"},
        {"transformer.wte.weight", "lm_head.weight"},
        {"model.embed_tokens.weight", "lm_head.weight"},
        {"model.decoder.embed_tokens.weight", "lm_head.weight"},
        {"gpt_neox.embed_in.weight", "embed_out.weight"},
        {"bert.embeddings.word_embeddings.weight", "cls.predictions.decoder.weight"},
        {"roberta.embeddings.word_embeddings.weight", "lm_head.decoder.weight"},
        {"distilbert.embeddings.word_embeddings.weight", "vocab_projector.weight"},
        {"shared.weight", "encoder.embed_tokens.weight"},
        {"shared.weight", "decoder.embed_tokens.weight"},
        {"shared.weight", "lm_head.weight"}};
    for (const auto& [first, second] : second_names)
        if (name == first)
            found.emplace_back(second);
    return found;
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
        return read_json((a.**table).text) == read_json((b.**table).text);
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
    throw UserError("model_type '{}' is not known to this version{}: use {}", model_type,
                    text::did_you_mean(model_type, model_types()), fmt::join(model_types(), " or "));
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
    std::vector<std::string> names;
    const auto add = [&](const std::string& candidate) {
        if (std::ranges::find(names, candidate) == names.end())
            names.push_back(candidate);
    };
    const auto add_without_prefix = [&](const std::string& candidate) {
        add(candidate);
        for (const Family* family : all_families())
            if (const std::string prefix = family->base_prefix(); !prefix.empty() && candidate.starts_with(prefix))
                add(candidate.substr(prefix.size()));
    };
    add_without_prefix(name);
    for (const std::string& spelling : other_spellings(name))
        add_without_prefix(spelling);
    return names;
}

}  // namespace trainyard::families
