// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/config_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "models/spec/rotary.h"

namespace trainyard::families {

namespace {

constexpr const char* kQuantization = "quantization_config";

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// Fields of all configurations of transformers (PreTrainedConfig) about loading, calling and text generation.
const std::set<std::string>& common_keys_without_effect() {
    static const std::set<std::string> keys{
        // origin and loading
        "model_type", "architectures", "transformers_version", "_name_or_path", "name_or_path", "_commit_hash",
        "auto_map", "dtype", "torch_dtype", "torchscript", "tf_legacy_loss", "use_bfloat16", "_attn_implementation",
        "attn_implementation", "_attn_implementation_internal", "_attn_implementation_autoset", "tokenizer_class",
        "prefix",
        // outputs of a call, and memory use
        "use_cache", "return_dict", "output_hidden_states", "output_attentions", "output_past",
        "gradient_checkpointing", "chunk_size_feed_forward", "tie_last_hidden_states",
        // heads of other tasks
        "finetuning_task", "id2label", "label2id", "num_labels", "_num_labels", "problem_type", "task_specific_params",
        // generation
        "max_length", "min_length", "do_sample", "early_stopping", "num_beams", "num_beam_groups", "diversity_penalty",
        "temperature", "top_k", "top_p", "typical_p", "repetition_penalty", "length_penalty", "no_repeat_ngram_size",
        "encoder_no_repeat_ngram_size", "bad_words_ids", "num_return_sequences", "output_scores",
        "return_dict_in_generate", "forced_bos_token_id", "forced_eos_token_id", "remove_invalid_values",
        "exponential_decay_length_penalty", "suppress_tokens", "begin_suppress_tokens", "sep_token_id",
        "decoder_start_token_id"};
    return keys;
}

/// Whether the field requests nothing: null, false, 0 or empty.
bool asks_for_nothing(const Json& value) {
    return value.is_null() || value == false || value == 0 || (value.is_structured() && value.empty());
}

class ConfigReader {
  public:
    ConfigReader(const Json& json, const std::string& where, const Family& family)
        : json_(json), where_(where), family_(family) {}

    ConfigFile read() {
        ConfigFile file{family_.defaults(), {}, {}};
        for (const ConfigKey& key : family_.keys())
            if (const Json* value = find(key))
                std::visit([&](auto member) { take(key, *value, file.config.*member); }, key.member);
        refuse_unknown(file.refused);
        for (const ConfigProblem& problem : family_.problems(file.config))
            if (problem.others.empty())
                file.refused.push_back(Message("{}: {}", problem.key, problem.message));
            else  // contradicting values do not describe a model
                fail(problem.key, problem.message);
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
        return file;
    }

  private:
    void fail(const std::string& key, Message message) { problems_.push_back({where_, 0, 0, key, std::move(message)}); }

    /// The family's own name of a key takes precedence over the common one. Null means the default, unless the key
    /// gives it a meaning.
    const Json* find(const ConfigKey& key) {
        const Json* found = nullptr;
        for (const std::string& name : {key.file_name(), key.alias}) {
            auto entry = name.empty() ? json_.end() : json_.find(name);
            if (entry == json_.end() || (entry->is_null() && !key.null))
                continue;
            if (found == nullptr)
                found = &*entry;
            else if (*found != *entry)
                fail(key.alias, Message("is {}, but {} is {}, and both are the same: keep one", entry->dump(),
                                        key.file_name(), found->dump()));
        }
        return found;
    }

    void take(const ConfigKey& key, const Json& value, std::int64_t& target) {
        if (value.is_null()) {
            target = *key.null;
            return;
        }
        // Llama 3 has several tokens that end a text. The first stands for them here:
        // inference/generate/generation_config.h reads all, and write_config() keeps them.
        if (value.is_array() && key.name == "eos_token_id") {
            target = key.null.value_or(target);
            for (auto token = value.rbegin(); token != value.rend(); ++token)
                take(key, token->is_array() ? Json() : *token, target);
            return;
        }
        if (!value.is_number_integer() || value.get<double>() < key.least || value.get<double>() > key.most)
            return fail(key.file_name(),
                        key.null ? Message("must be a whole number from {:.0f} to {:.0f} or null", key.least, key.most)
                                 : Message("must be a whole number from {:.0f} to {:.0f}", key.least, key.most));
        target = value.get<std::int64_t>();
    }
    void take(const ConfigKey& key, const Json& value, double& target) {
        if (value.is_null()) {
            target = static_cast<double>(*key.null);
            return;
        }
        const double number = value.is_number() ? value.get<double>() : std::nan("");
        if (!(number >= key.least && (key.below_most ? number < key.most : number <= key.most)))
            return fail(key.file_name(), key.below_most
                                             ? Message("must be a number from {} to below {}", key.least, key.most)
                                             : Message("must be a number from {} to {}", key.least, key.most));
        target = number;
    }
    void take(const ConfigKey& key, const Json& value, bool& target) {
        if (!value.is_boolean())
            return fail(key.file_name(), "must be true or false");
        target = value.get<bool>();
    }
    void take(const ConfigKey& key, const Json& value, std::string& target) {
        if (!value.is_string())
            return fail(key.file_name(), "must be a text");
        target = value.get<std::string>();
    }

    void take(const ConfigKey& key, const Json& value, JsonText& target) {
        if (!value.is_structured())
            return fail(key.file_name(), "must be a table or a list");
        target.text = json_text(value);
    }

    /// Keys and values of a quantization_config of bitsandbytes that transformers does not write.
    static void refuse_quantization(const Json& quantization, std::vector<Message>& refused) {
        const auto refuse = [&](const std::string& name, const Json& value, const Message& wanted) {
            refused.push_back(Message("{}.{} is {}: it must be {}", kQuantization, name, json_text(value), wanted));
        };
        for (const auto& [name, value] : quantization.items()) {
            if (name == "quant_method" || name == "bnb_4bit_quant_storage" || name == "llm_int8_skip_modules" ||
                value.is_null())
                continue;
            const bool is_flag = name.starts_with("load_in_") || name.starts_with("_load_in_") ||
                                 name == "bnb_4bit_use_double_quant" || name == "llm_int8_enable_fp32_cpu_offload" ||
                                 name == "llm_int8_has_fp16_weight";
            if (name == "bnb_4bit_quant_type") {
                if (value != "nf4" && value != "fp4")
                    refuse(name, value, "nf4 or fp4");
            } else if (name == "bnb_4bit_compute_dtype") {
                if (value != "float32" && value != "bfloat16" && value != "float16")
                    refuse(name, value, "float32, bfloat16 or float16");
            } else if (name == "llm_int8_threshold") {
                if (!value.is_number() || value.get<double>() < 0)
                    refuse(name, value, "a magnitude, 0 or more");
            } else if (!is_flag) {
                refused.push_back(
                    Message("{}.{} is not a key of bitsandbytes' configuration, so this version cannot tell what it "
                            "changes: remove it if it does not affect the weights",
                            kQuantization, name));
            } else if (!value.is_boolean()) {
                refuse(name, value, "true or false");
            }
        }
        if (quantization.value("load_in_4bit", Json()) == true && quantization.value("load_in_8bit", Json()) == true)
            refused.push_back(
                Message("{} asks for 4 and for 8 bits: set load_in_4bit or load_in_8bit to false", kQuantization));
    }

    /// Weights in fp8 are decoded by their scales (weights/quantization/fp8_blocks.h), and products are computed with
    /// their values: what describes blocks, codes and activations has no effect.
    static void refuse_fp8(const Json& quantization, std::vector<Message>& refused) {
        static const std::set<std::string_view> known{
            "quant_method", "activation_scheme", "weight_block_size", "modules_to_not_convert", "dequantize",
            "fmt",          "scale_fmt"};
        for (const auto& [name, value] : quantization.items())
            if (!known.contains(name) && !value.is_null())
                refused.push_back(
                    Message("{}.{} is not a key of the configuration of fp8, so this version cannot tell what it "
                            "changes: remove it if it does not affect the weights",
                            kQuantization, name));
    }

    void refuse_unknown(std::vector<Message>& refused) const {
        std::set<std::string> known = common_keys_without_effect();
        known.insert(family_.keys_without_effect().begin(), family_.keys_without_effect().end());
        for (const ConfigKey& key : family_.keys())
            known.insert({key.file_name(), key.alias});
        for (const FixedField& field : family_.fixed_fields()) {
            known.insert(field.name);
            if (auto value = json_.find(field.name);
                value != json_.end() && !value->is_null() && *value != parse_json(field.value))
                refused.push_back(
                    Message("{}: this version computes {} only, not {}", field.name, field.value, value->dump()));
        }
        const auto quantization = json_.find(kQuantization);
        if (quantization != json_.end() && !quantization->is_null()) {
            known.insert(kQuantization);
            if (quantization->is_object() && quantization->value("quant_method", Json()) == "bitsandbytes")
                refuse_quantization(*quantization, refused);
            const Json method = quantization->is_object() ? quantization->value("quant_method", Json()) : Json();
            if (method == "fp8")
                refuse_fp8(*quantization, refused);
            else if (method != "bitsandbytes")
                refused.push_back(
                    Message("{}: weights that {} quantized cannot be read: this version reads those of "
                            "bitsandbytes and fp8 with scales",
                            kQuantization,
                            method.is_null() ? Message("an unknown method") : Message::verbatim(json_text(method))));
        }
        for (const auto& [name, value] : json_.items())
            if (!known.contains(name) && !asks_for_nothing(value))
                refused.push_back(
                    Message("{}: this version does not know the field, so it cannot tell what it changes ({} is not a "
                            "field of {}): remove it if it does not affect training",
                            name, name, family_.model_type()));
    }

    const Json& json_;
    const std::string& where_;
    const Family& family_;
    std::vector<Problem> problems_;
};

Json value_of(const ConfigKey& key, const ModelConfig& config) {
    return std::visit(
        [&](auto member) -> Json {
            if constexpr (std::is_same_v<decltype(member), JsonText ModelConfig::*>) {
                const std::string& text = (config.*member).text;
                return text.empty() ? Json() : parse_json(text);
            } else {
                Json value = config.*member;
                if (key.null && value == *key.null)
                    return Json();
                if constexpr (std::is_same_v<decltype(member), double ModelConfig::*>)
                    if (const double number = config.*member; key.integer_if_whole && number == std::floor(number))
                        return static_cast<std::int64_t>(number);
                return value;
            }
        },
        key.member);
}

/// Of transformers' names for the dtype of weights the one that the file has; `dtype` since version 5.
void set_dtype(OrderedJson& json, const std::string& dtype) {
    const bool older = json.contains("torch_dtype") && !json.contains("dtype");
    json.erase("torch_dtype");
    json[older ? "torch_dtype" : "dtype"] = dtype;
}

/// Phi-3 has its length of training beside rope_parameters, and transformers uses its default without that field.
void set_original_length(OrderedJson& json) {
    const auto rope = json.find("rope_parameters");
    if (rope != json.end() && rope->is_object() && rope->value("rope_type", "") == "longrope" &&
        rope->contains("original_max_position_embeddings"))
        json["original_max_position_embeddings"] = rope->at("original_max_position_embeddings");
}

void set_key(OrderedJson& json, const ConfigKey& key, const ModelConfig& config) {
    if (!key.alias.empty())
        json.erase(key.alias);
    const Json value = value_of(key, config);
    if (value == "" || (value.is_null() && std::holds_alternative<JsonText ModelConfig::*>(key.member))) {
        json.erase(key.file_name());
        return;
    }
    json[key.file_name()] = parse_ordered_json(json_text(value));
    if (key.name == "rope_parameters")
        set_original_length(json);
    if (key.name == "id2label" && json.contains("label2id")) {  // the same backwards
        json["label2id"] = OrderedJson::object();
        for (const auto& [number, label] : json[key.name].items())
            json["label2id"][label.is_string() ? label.get<std::string>() : json_text(label)] =
                std::strtoll(number.c_str(), nullptr, 10);
    }
}

/// Sets the keys whose values differ from those that the file has. Returns false if the file cannot be read.
bool set_changed_keys(OrderedJson& json, const Family& family, const ModelConfig& config) {
    // A field can change the meaning of another one that the file lacks (T5): what was written is read again.
    constexpr int kMostPasses = 3;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        Json modern = parse_json(json_text(json));
        family.modernise(modern);
        ModelConfig was;
        try {
            was = family.resolved(read_config(json_text(json), "").config);
        } catch (const UserError&) {
            return false;
        }
        std::vector<const ConfigKey*> changed;
        for (const ConfigKey& key : family.keys())
            if (value_of(key, was) != value_of(key, config))
                changed.push_back(&key);
        if (changed.empty())
            return true;
        const auto is_spelled_otherwise = [&](const ConfigKey* key) {
            const std::string& name = key->file_name();
            return modern.contains(name) && (!json.contains(name) || parse_json(json_text(json[name])) != modern[name]);
        };
        if (std::ranges::any_of(changed, is_spelled_otherwise))
            json = parse_ordered_json(json_text(modern));  // without the older fields, which would contradict
        for (const ConfigKey* key : changed)
            set_key(json, *key, config);
    }
    return false;
}

/// mT5 has the network of T5 1.1 and defaults of its own. Xue et al., "mT5: a massively multilingual pre-trained
/// text-to-text transformer", 2021.
constexpr const char* kMt5 = "mt5";

}  // namespace

std::optional<ClassPrefixes> read_as_family(Json& config) {
    static const Json defaults{{"vocab_size", 250112},
                               {"d_ff", 1024},
                               {"num_layers", 8},
                               {"num_heads", 6},
                               {"feed_forward_proj", "gated-gelu"},
                               {"tie_word_embeddings", false}};
    if (!config.is_object() || config.value("model_type", Json()) != kMt5)
        return std::nullopt;
    for (const auto& [key, value] : defaults.items())
        if (!config.contains(key))
            config[key] = value;
    config["model_type"] = "t5";
    config["architectures"] = {"T5ForConditionalGeneration"};
    return ClassPrefixes{"T5", "MT5"};
}

std::vector<std::string> types_read_as_families() {
    return {kMt5};
}

ConfigFile read_config(const std::string& text, const std::string& where) {
    Json json = read_json(text);
    if (json.is_discarded() || !json.is_object())
        throw UserError("{} is not a model configuration: it is not a JSON object", where);
    auto type = json.find("model_type");
    if (type == json.end() || !type->is_string())
        throw UserError("{} is not a model configuration: it has no model_type", where);
    if (read_as_family(json))
        type = json.find("model_type");
    const auto name = type->get<std::string>();
    if (std::ranges::find(model_types(), name) == model_types().end())
        throw UserError("{} describes a model of type '{}', and this version knows {}", where, name,
                        fmt::join(model_types(), ", "));
    const Family& family = family_of(name);
    family.modernise(json);
    std::vector<Message> notes =
        find_key(family, "rope_parameters") != nullptr ? drop_unread_parameters(json) : std::vector<Message>();
    ConfigFile file = ConfigReader(json, where, family).read();
    file.notes = std::move(notes);
    if (auto classes = json.find("architectures"); classes != json.end() && classes->is_array())
        for (const TaskClass& each : family.tasks())
            if (std::ranges::find(*classes, Json(each.architecture)) != classes->end())
                file.config.task = each.task;
    return file;
}

std::string write_config(const ModelConfig& model, const std::string& origin, const std::string& dtype) {
    const Family& family = family_of(model);
    const ModelConfig config = family.resolved(model);
    OrderedJson json = read_ordered_json(origin);
    if (!json.is_object() || json.value("model_type", OrderedJson()) != family.model_type())
        json = {{"architectures", OrderedJson::array()}, {"model_type", family.model_type()}};
    if (origin.empty() || !set_changed_keys(json, family, config))
        for (const ConfigKey& key : family.keys())
            set_key(json, key, config);
    json["architectures"] = {family.architecture(config)};
    json.erase(kQuantization);  // trained weights are not quantized
    set_dtype(json, dtype);
    return json_text(json, {.indent = 2}) + "\n";
}

std::string with_dtype(const std::string& text, const std::string& dtype) {
    OrderedJson json = read_ordered_json(text);
    if (!json.is_object())
        return text;
    set_dtype(json, dtype);
    return json_text(json, {.indent = 2}) + "\n";
}

std::string with_own_head(const std::string& text) {
    OrderedJson json = read_ordered_json(text);
    if (!json.is_object())
        return text;
    json["tie_word_embeddings"] = false;
    return json_text(json, {.indent = 2}) + "\n";
}

std::string with_quantization(const std::string& text, const BitsandbytesConfig& quantization) {
    OrderedJson json = read_ordered_json(text);
    if (!json.is_object())
        return text;
    const bool eight = quantization.method == "int8";
    json[kQuantization] = {
        {"_load_in_4bit", !eight},
        {"_load_in_8bit", eight},
        {"bnb_4bit_compute_dtype", eight ? "float32" : quantization.compute_dtype},
        {"bnb_4bit_quant_storage", "uint8"},
        {"bnb_4bit_quant_type", eight ? "fp4" : quantization.method},
        {"bnb_4bit_use_double_quant", !eight && quantization.double_quant},
        {"llm_int8_enable_fp32_cpu_offload", false},
        {"llm_int8_has_fp16_weight", false},
        {"llm_int8_skip_modules",
         quantization.skip_modules.empty() ? OrderedJson() : OrderedJson(quantization.skip_modules)},
        {"llm_int8_threshold", 6.0},
        {"load_in_4bit", !eight},
        {"load_in_8bit", eight},
        {"quant_method", "bitsandbytes"},
    };
    return json_text(json, {.indent = 2}) + "\n";
}

bool is_common_field(const std::string& name) {
    return common_keys_without_effect().contains(name);
}

std::string value_text(const ConfigKey& key, const ModelConfig& config) {
    return json_text(value_of(key, config));
}

}  // namespace trainyard::families
