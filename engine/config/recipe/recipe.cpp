// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/recipe.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/error.h"
#include "base/memory_size.h"
#include "config/recipe/recipe_fields.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"

namespace trainyard::config {

bool is_left_to_weights(const ModelRecipe& model, const std::string& key) {
    const families::Family* family = families::find_family(model.model_type);
    if (model.weights.empty() || family == nullptr || model.written.keys.contains(key))
        return false;
    return key == "task" || key == "model_type" ||
           std::ranges::any_of(family->keys(), [&](const families::ConfigKey& known) { return known.name == key; });
}

bool is_of_another_family(const ModelRecipe& model, const std::string& key) {
    const families::Family* family = families::find_family(model.model_type);
    return family != nullptr && families::find_key(*family, key) == nullptr &&
           std::ranges::find(families::all_keys(), key, &families::ConfigKey::name) != families::all_keys().end();
}

families::SampleSize sample_size(const Recipe& recipe) {
    const ModelRecipe& model = recipe.model;
    families::SampleSize size = families::SampleSize::text(recipe.data.sequence_length);
    if (model.task == families::kSeq2SeqLm)
        size.target_tokens = static_cast<double>(recipe.data.target_length);
    if (model.task == families::kMaskedLm)
        size.labels *= recipe.data.mlm_probability;
    if (model.task == families::kSpeechPretraining) {
        constexpr std::int64_t kUsualRate = 16'000;
        const auto rate = static_cast<double>(recipe.data.sampling_rate > 0 ? recipe.data.sampling_rate : kUsualRate);
        size = families::SampleSize::text(
            families::speech_frames(model, std::llround(recipe.data.max_duration_in_seconds * rate)));
    }
    if (families::find_key(families::family_of(model), "image_size") != nullptr)
        size.height = size.width = model.image_size;
    else if (recipe.data.image_size > 0 && families::reads_images(model.task))
        size.height = size.width = recipe.data.image_size;
    return size;
}

bool keeps_quantized(const ModelRecipe& model) {
    return !is_one_of(model.quantization.method, {Quantization::automatic, Quantization::no});
}

bool is_adapter(const std::string& name) {
    // Ours are lora_A and lora_B, with a suffix for each of several; PEFT has also lora_A.default, lora_embedding_A and
    // lora_magnitude_vector.
    return name.find(".lora_") != std::string::npos;
}

std::map<std::string, std::string> max_memory_of(const ModelRecipe& model) {
    std::map<std::string, std::string> limits;
    for (const std::string& word : model.max_memory) {
        const std::size_t equals = word.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == word.size())
            throw UserError("'{}': give a size for a device, such as cpu=2GB", word);
        const std::string size = word.substr(equals + 1);
        if (size.find_first_not_of("0123456789") != std::string::npos)
            parse_memory_size(size);
        limits[word.substr(0, equals)] = size;
    }
    return limits;
}

std::vector<std::string> modules_to_save(const ModelRecipe& model) {
    std::vector<std::string> modules = model.lora.modules_to_save;
    if (model.task != families::kSequenceClassification && model.task != families::kTokenClassification &&
        !families::reads_images(model.task) && model.task != families::kQuestionAnswering &&
        model.task != families::kMultipleChoice)
        return modules;
    const families::Family& family = families::family_of(model);
    for (const families::TensorShape& tensor : family.tensors(model))
        if (tensor.of_task && !tensor.name.starts_with(family.base_prefix())) {
            const std::string head = tensor.name.substr(0, tensor.name.find('.'));
            if (std::ranges::find(modules, head) == modules.end())
                modules.push_back(head);
        }
    return modules;
}

bool is_in_module(const std::string& parameter, const std::vector<std::string>& modules) {
    for (std::size_t end = parameter.rfind('.'); end != std::string::npos && end > 0;
         end = parameter.rfind('.', end - 1)) {
        const std::string_view module(parameter.data(), end);
        if (std::ranges::any_of(modules, [&](const std::string& one) {
                return module == one || (module.ends_with(one) && module[module.size() - one.size() - 1] == '.');
            }))
            return true;
    }
    return false;
}

bool is_of_adapter_file(const ModelRecipe& model, const std::string& name) {
    return is_adapter(name) || is_in_module(name, modules_to_save(model));
}

bool is_frozen(const ModelRecipe& model, const std::string& name) {
    if (model.lora.r > 0)
        return !is_of_adapter_file(model, name);
    return std::ranges::any_of(
        model.freeze, [&](const std::string& pattern) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

namespace {

std::string yaml_of(const Recipe& recipe, bool whole) {
    std::string out;
    std::string section;
    for (const Field& field : recipe_fields()) {
        const bool of_model = field.section == "model";
        if (of_model && is_of_another_family(recipe.model, field.key) && !recipe.model.written.keys.contains(field.key))
            continue;
        if (of_model && !whole && is_left_to_weights(recipe.model, field.key))
            continue;
        if (field.section != section) {
            section = field.section;
            out += section + ":\n";
        }
        out += fmt::format("{}{}: {}\n", section.empty() ? "" : "  ", field.key, field_text(field, recipe));
    }
    return out;
}

}  // namespace

std::string to_yaml(const Recipe& recipe) {
    return yaml_of(recipe, false);
}

std::string to_whole_yaml(const Recipe& recipe) {
    return yaml_of(recipe, true);
}

const std::vector<RecipeKey>& recipe_keys() {
    static const std::vector<RecipeKey> keys = [] {
        std::vector<RecipeKey> made;
        for (const Field& field : recipe_fields())
            made.push_back({field.dotted(), field.type(), field_text(field, Recipe{}), field.help});
        return made;
    }();
    return keys;
}

}  // namespace trainyard::config
