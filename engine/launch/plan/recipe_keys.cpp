// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/recipe_keys.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_writer.h"
#include "base/letter_case.h"
#include "launch/plan/deepspeed_file.h"
#include "launch/plan/paradigm.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/family.h"

namespace trainyard::plan {

namespace {

using Keys = std::vector<config::GivenKey>;

/// Settings of DeepSpeed that recipes have keys for.
constexpr std::pair<const char*, const char*> kDeepspeedKeys[] = {
    {"zero_stage", "parallel.zero_stage"},
    {"gradient_accumulation_steps", "training.gradient_accumulation_steps"},
    {"gradient_clipping", "training.max_grad_norm"},
    {"offload_optimizer_device", "parallel.offload_optimizer_device"},
    {"offload_optimizer_nvme_path", "parallel.offload_optimizer_nvme_path"},
    {"offload_param_device", "parallel.offload_param_device"},
    {"offload_param_nvme_path", "parallel.offload_param_nvme_path"}};

/// The setting that says whether a folder is used; empty: the setting is not a folder.
std::string device_of_folder(std::string_view name) {
    constexpr std::string_view kFolder = "_nvme_path";
    return name.ends_with(kFolder) ? std::string(name.substr(0, name.size() - kFolder.size())) + "_device" : "";
}

/// "auto" is the recipe's own value; "cpu" is where a processor has weights and state anyway, and refused for other
/// devices; "none" names no folder.
bool says_nothing(std::string_view name, const std::string& value) {
    return value == "auto" || (name.ends_with("_device") && value == "cpu") ||
           (!device_of_folder(name).empty() && value == "none");
}

void add_deepspeed_keys(Keys& keys, const settings::Settings& settings) {
    for (const auto& [name, key] : kDeepspeedKeys) {
        const std::string path = std::string("deepspeed_config.") + name;
        const Value* value = settings.find(path);
        if (value != nullptr && value->is_null())
            value = nullptr;
        std::string text = value == nullptr ? "auto" : value->display();
        // DeepSpeed's own defaults.
        if (value == nullptr && std::string_view(name) == "zero_stage")
            text = "2";
        if (const std::string device = device_of_folder(name); !device.empty()) {
            if (settings.text("deepspeed_config." + device) != "nvme")
                continue;
            if (value == nullptr || text == "none")
                text = kUsualOffloadFolder;
        }
        if (!says_nothing(name, text))
            keys.push_back({key, text, path});
    }
}

/// Settings of Megatron-LM that recipes have keys for.
constexpr std::pair<const char*, const char*> kMegatronKeys[] = {
    {"tp_degree", "parallel.tp_size"},
    {"pp_degree", "parallel.pp_size"},
    {"context_parallel_size", "parallel.cp_size"},
    {"expert_model_parallel_size", "parallel.ep_size"},
    {"sequence_parallelism", "parallel.tp_sequence_parallel"},
    {"num_micro_batches", "training.gradient_accumulation_steps"},
    {"gradient_clipping", "training.max_grad_norm"}};

void add_megatron_keys(Keys& keys, const settings::Settings& settings, const RecipeSharding& sharding) {
    const bool shares_layers = settings.integer("megatron_lm_config.megatron_lm_tp_degree", 1) > 1;
    for (const auto& [name, key] : kMegatronKeys) {
        const std::string path = std::string("megatron_lm_config.megatron_lm_") + name;
        const Value* value = settings.find(path);
        const bool counts = shares_layers || std::string_view(name) != "sequence_parallelism";
        if (counts && value != nullptr && !value->is_null())
            keys.push_back({key, value->display(), path});
    }
    if (const MegatronRecomputation recomputation = megatron_recomputation(settings); !recomputation.source.empty())
        keys.push_back({"training.activation_checkpointing", choice_name(recomputation.what), recomputation.source});
    if (sharding.zero_stage > 0)
        keys.push_back({"parallel.zero_stage", std::to_string(sharding.zero_stage), sharding.source});
}

void add_fsdp_keys(Keys& keys, const settings::Settings& settings, const RecipeSharding& sharding) {
    if (sharding.zero_stage > 0)
        keys.push_back({"parallel.zero_stage", std::to_string(sharding.zero_stage), sharding.source});
    if (!sharding.wrap.empty())
        keys.push_back({"parallel.wrap", sharding.wrap, "fsdp_config.fsdp_auto_wrap_policy"});
    if (sharding.wrap == "size")
        keys.push_back(
            {"parallel.wrap_min_params", std::to_string(sharding.wrap_min_params), "fsdp_config.fsdp_min_num_params"});
    if (const std::string path = "fsdp_config.fsdp_ignored_modules", pattern = settings.text(path);
        sharding.zero_stage == 3 && !pattern.empty() && pattern != "none")
        keys.push_back({"parallel.ignored_modules", quoted_json(pattern), path});
    if (const char* path = "fsdp_config.fsdp_cpu_ram_efficient_loading"; settings.boolean(path))
        keys.push_back({"parallel.cpu_ram_efficient_loading", "true", path});
    if (const char* path = "fsdp_config.fsdp_activation_checkpointing"; settings.boolean(path))
        keys.push_back({"training.activation_checkpointing", "full", path});
}

/// Settings of fp8 that recipes have keys for, with their flags.
struct Fp8Key {
    const char *name, *flag, *key;
};
constexpr const char* kGather = "enable_fsdp_float8_all_gather";
constexpr Fp8Key kFp8Keys[] = {{"backend", "fp8_backend", "fp8.scaling"},
                               {"margin", "fp8_margin", "fp8.margin"},
                               {"interval", "fp8_interval", "fp8.interval"},
                               {"fp8_format", "fp8_format", "fp8.fp8_format"},
                               {"amax_history_len", "fp8_amax_history_len", "fp8.amax_history_len"},
                               {"amax_compute_algo", "fp8_amax_compute_algo", "fp8.amax_compute_algo"},
                               {"override_linear_precision", "fp8_override_linear_precision", "fp8.full_precision"},
                               {kGather, "fp8_enable_fsdp_float8_all_gather", "fp8.enable_fsdp_float8_all_gather"}};

/// The products whose truth value is set: [fprop, wgrad].
std::string full_precision_of(const Value& value) {
    constexpr const char* kProducts[] = {"fprop", "dgrad", "wgrad"};
    std::vector<std::string> products;
    const Value::List* parts = value.list();
    for (std::size_t i = 0; parts != nullptr && i < std::min(parts->size(), std::size(kProducts)); ++i)
        if (const bool* is_set = (*parts)[i].boolean(); is_set != nullptr && *is_set)
            products.emplace_back(kProducts[i]);
    return fmt::format("[{}]", fmt::join(products, ", "));
}

/// The value of a recipe's key; empty: none (MS-AMP, and pure E5M2, which are refused).
std::string fp8_value(const Fp8Key& key, const settings::Settings& settings, const Value& value) {
    const std::string name = key.name, words = text::upper(value.display());
    if (name == "backend")
        return words == "AO"                                            ? "tensorwise"
               : words != "TE"                                          ? ""
               : settings.boolean("fp8_config.use_mxfp8_block_scaling") ? "mxfp8"
                                                                        : "delayed";
    if (name == "fp8_format")
        return words == "E5M2" ? "" : words;
    if (name == "override_linear_precision")
        return full_precision_of(value);
    return name == "amax_compute_algo" ? text::lower(words) : value.display();
}

/// A margin changes nothing of blocks, whose scales are powers of two.
bool is_margin_of_blocks(const settings::Settings& settings, std::string_view name) {
    return name == "margin" && settings.boolean("fp8_config.use_mxfp8_block_scaling");
}

/// Whether the scaling that the settings choose has a key; what does not go with blocks is refused as the recipe's.
bool reads(const settings::Settings& settings, std::string_view name) {
    const std::string backend = text::upper(settings.text("fp8_config.backend"));
    if (name == kGather)
        return backend == "AO";
    return name == "backend" || (backend == "TE" && !is_margin_of_blocks(settings, name));
}

void add_fp8_keys(Keys& keys, const settings::Settings& settings) {
    if (text::lower(settings.text("mixed_precision")) != "fp8")
        return;
    for (const Fp8Key& key : kFp8Keys) {
        const std::string path = std::string("fp8_config.") + key.name;
        const Value* value = settings.find(path);
        if (value == nullptr || value->is_null() || !reads(settings, key.name))
            continue;
        // The questionnaire writes it whatever the sharding is.
        const auto has = [&](std::string_view recipe_key, std::string_view of) {
            return std::ranges::any_of(
                keys, [&](const config::GivenKey& one) { return one.key == recipe_key && one.value == of; });
        };
        if (key.name == std::string_view(kGather) &&
            (!has("parallel.zero_stage", "3") || has("parallel.offload_param_device", "nvme")))
            continue;
        if (std::string found = fp8_value(key, settings, *value); !found.empty())
            keys.push_back({key.key, std::move(found), path});
    }
}

/// `source` of each is the path of a setting, or names key and file of DeepSpeed.
Keys keys_of(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh) {
    Keys keys;
    const RecipeSharding sharding = recipe_sharding(settings, asked, mesh);
    const auto add_size = [&](const char* name, std::int64_t size, std::int64_t of_mesh) {
        if (size > 1)
            keys.push_back(
                {std::string("parallel.") + name, std::to_string(size),
                 of_mesh == size ? std::string("parallelism_config.parallelism_config_") + name : sharding.source});
    };
    add_size("dp_replicate_size", sharding.dp_replicate, mesh.dp_replicate);
    add_size("dp_shard_size", sharding.dp_shard, mesh.dp_shard);
    add_size("tp_size", mesh.tp, mesh.tp);
    add_size("cp_size", mesh.cp, mesh.cp);
    add_size("sp_size", mesh.sp, mesh.sp);
    if (const std::string path = "parallelism_config.parallelism_config_cp_comm_strategy", way = settings.text(path);
        mesh.cp > 1 && !way.empty())
        keys.push_back({"parallel.cp_rotate_method", way, path});
    if (std::optional<DeepspeedFile> file = deepspeed_file_of(settings, asked))
        std::ranges::move(file->of_recipe, std::back_inserter(keys));
    else if (asked == Paradigm::deepspeed)
        add_deepspeed_keys(keys, settings);
    else if (asked == Paradigm::fsdp)
        add_fsdp_keys(keys, settings, sharding);
    else if (asked == Paradigm::megatron)
        add_megatron_keys(keys, settings, sharding);
    add_fp8_keys(keys, settings);
    if (settings.boolean("debug"))
        keys.push_back({"parallel.debug", "true", "debug"});
    return keys;
}

}  // namespace

std::vector<std::string> typed_recipe_keys(const Flags& flags, const settings::Settings& settings) {
    std::vector<std::string> keys;
    for (const auto& [flag, key] : kDeepspeedKeys)
        if (flags.has(flag) && !says_nothing(flag, flags.text(flag)))
            keys.push_back(std::string(key) + "=" + flags.text(flag));
    for (const Fp8Key& key : kFp8Keys)
        if (const auto typed = flags.typed.find(key.flag);
            typed != flags.typed.end() && !is_margin_of_blocks(settings, key.name))
            if (const std::string value = fp8_value(key, settings, typed->second); !value.empty())
                keys.push_back(std::string(key.key) + "=" + value);
    if (flags.is_on("debug"))
        keys.push_back("parallel.debug=true");
    return keys;
}

std::vector<config::GivenKey> recipe_keys(const Flags& flags, const Resolved& resolved) {
    RecipeMesh mesh;
    if (unused_mesh(flags, resolved).empty())
        mesh = recipe_mesh(resolved.settings);
    Keys keys;
    for (config::GivenKey& one : keys_of(resolved.settings, resolved.asked, mesh)) {
        const auto origin = resolved.origins.find(one.source);
        const bool typed = origin != resolved.origins.end() && origin->second == Origin::flag;
        if (typed && (one.source.starts_with("deepspeed_config.") || one.source.starts_with("fp8_config.")))
            continue;  // one of typed_recipe_keys()
        if (one.source == "debug" && !resolved.is_from_file("debug"))
            continue;
        if (origin != resolved.origins.end() && !typed && !resolved.file.empty())
            one.source += " of " + resolved.file;
        keys.push_back(std::move(one));
    }
    return keys;
}

config::Recipe with_settings(config::Recipe recipe, const settings::Settings& settings) {
    std::vector<Problem> problems;
    Keys keys = keys_of(settings, asked_paradigm(settings), recipe_mesh(settings));
    std::vector<std::string> overrides = config::overrides_of(keys, recipe, problems);
    if (const std::string precision = text::lower(settings.text("mixed_precision"));
        !precision.empty() && precision != "no" && recipe.training.mixed_precision == Precision::no) {
        keys.push_back({"training.mixed_precision", precision, "mixed_precision"});
        overrides.insert(overrides.begin(), "training.mixed_precision=" + precision);
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    config::apply_given(recipe, overrides, keys);
    if (problems = unknown_layers(recipe, settings, asked_paradigm(settings)); !problems.empty())
        throw InvalidInput(std::move(problems));
    return recipe;
}

std::vector<Problem> unknown_layers(const config::Recipe& recipe, const settings::Settings& settings, Paradigm asked) {
    const char* path = "fsdp_config.fsdp_transformer_layer_cls_to_wrap";
    if (asked != Paradigm::fsdp || settings.text("fsdp_config.fsdp_auto_wrap_policy") != "TRANSFORMER_BASED_WRAP")
        return {};
    std::vector<std::string> known;
    for (const auto& [module, name] : families::family_of(recipe.model).modules().no_split)
        known.push_back(name);
    std::vector<Problem> problems;
    std::string name;
    const std::string named = settings.text(path);
    for (std::size_t at = 0; !named.empty() && at <= named.size(); ++at) {
        if (at < named.size() && named[at] != ',') {
            if (named[at] != ' ')
                name += named[at];
            continue;
        }
        if (!name.empty() && std::ranges::find(known, name) == known.end())
            problems.push_back({"", 0, 0, path,
                                known.empty()
                                    ? Message("the model has no class {}: leave it out", name)
                                    : Message("the model has no class {}: use {}", name, fmt::join(known, ", "))});
        name.clear();
    }
    return problems;
}

}  // namespace trainyard::plan
