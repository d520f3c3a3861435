// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/generation_config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"

namespace trainyard::generate {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostBytes = 16u << 20;
constexpr const char* kGenerationFile = "generation_config.json";
constexpr const char* kConfigFile = "config.json";

/// Fields of GenerationConfig that change texts and are not computed here, with the value that changes nothing.
constexpr std::array<std::pair<const char*, const char*>, 30> kNotComputed{{
    {"min_length", "0"},
    {"min_new_tokens", "0"},
    {"max_time", "null"},
    {"stop_strings", "null"},
    {"min_p", "0"},
    {"top_h", "null"},
    {"typical_p", "1"},
    {"epsilon_cutoff", "0"},
    {"eta_cutoff", "0"},
    {"encoder_repetition_penalty", "1"},
    {"no_repeat_ngram_size", "0"},
    {"encoder_no_repeat_ngram_size", "0"},
    {"bad_words_ids", "null"},
    {"forced_bos_token_id", "null"},
    {"forced_eos_token_id", "null"},
    {"exponential_decay_length_penalty", "null"},
    {"suppress_tokens", "null"},
    {"begin_suppress_tokens", "null"},
    {"sequence_bias", "null"},
    {"token_healing", "false"},
    {"guidance_scale", "1"},
    {"watermarking_config", "null"},
    {"num_return_sequences", "1"},
    {"num_beam_groups", "1"},
    {"diversity_penalty", "0"},
    {"penalty_alpha", "0"},
    {"dola_layers", "null"},
    {"force_words_ids", "null"},
    {"constraints", "null"},
    {"low_memory", "false"},
}};

/// The object of a file; nothing if the file is missing.
std::optional<Json> object_of(const fs::path& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error))
        return std::nullopt;
    Json object = read_json(text::read_text_file(file, kMostBytes));
    if (!object.is_object())
        throw UserError("{} is not a JSON object: repair or remove it", file.string());
    return object;
}

UserError wrong(const fs::path& file, const char* key, const Json& value, const Message& wanted) {
    return UserError("{}: {} is {} and must be {}", file.string(), key, json_text(value), wanted);
}

/// A token id, a list of them, or null. Negative ids stand for no token.
std::vector<std::int64_t> tokens_of(const Json& object, const char* key, const fs::path& file) {
    const auto found = object.find(key);
    std::vector<std::int64_t> tokens;
    if (found == object.end() || found->is_null())
        return tokens;
    for (const Json& token : found->is_array() ? *found : Json::array({*found})) {
        if (!token.is_number_integer())
            throw wrong(file, key, *found, "a token id, a list of token ids, or null");
        if (token.get<double>() >= 0 && token.get<double>() < 1e9)
            tokens.push_back(token.get<std::int64_t>());
    }
    return tokens;
}

/// Reads the values of one file over defaults.
class Values {
  public:
    Values(const Json& object, const fs::path& file, GenerationDefaults& defaults)
        : object_(object), file_(file), defaults_(defaults) {}

    void read() {
        GenerationOptions& options = defaults_.options;
        take("max_new_tokens", options.max_new_tokens);
        if (object_.value("max_new_tokens", Json()).is_null()) {
            std::int64_t length = 0;
            take("max_length", length);
            options.max_length = std::max<std::int64_t>(0, length);
        }
        take("do_sample", options.do_sample);
        take("temperature", options.temperature);
        take("top_k", options.top_k);
        take("top_p", options.top_p);
        take("repetition_penalty", options.repetition_penalty);
        take("num_beams", options.num_beams);
        take("length_penalty", options.length_penalty);
        if (object_.value("early_stopping", Json()) == "never")
            note("early_stopping", "beams that are stopped by no estimate are not computed here");
        else
            take("early_stopping", options.early_stopping);
        if (options.num_beams > 1 && std::exchange(options.do_sample, false))
            note("do_sample", "beams draw nothing here");
        // Values that transformers would refuse do not keep a model from being used with others.
        const GenerationOptions usual;
        for (const Problem& problem : check(options)) {
            note(problem.key.c_str(), problem.message);
            if (problem.key == "max_new_tokens")
                options.max_new_tokens = usual.max_new_tokens;
            else if (problem.key == "temperature")
                options.temperature = usual.temperature;
            else if (problem.key == "top_k")
                options.top_k = usual.top_k;
            else if (problem.key == "top_p")
                options.top_p = usual.top_p;
            else if (problem.key == "repetition_penalty")
                options.repetition_penalty = usual.repetition_penalty;
            else
                options.num_beams = usual.num_beams;
        }
        for (const auto& [key, nothing] : kNotComputed)
            if (const auto value = object_.find(key); value != object_.end() && !value->is_null() &&
                                                      *value != parse_json(nothing) && *value != 0 && *value != false &&
                                                      !(value->is_structured() && value->empty()))
                note(key, "this version does not compute it");
    }

  private:
    void note(const char* key, const Message& why) {
        defaults_.notes.push_back(
            Message("{}: {} is {}, which is not used: {}", file_.string(), key, json_text(object_.at(key)), why));
    }

    const Json* find(const char* key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }
    void take(const char* key, std::int64_t& target) const {
        if (const Json* value = find(key)) {
            if (!value->is_number_integer() || std::abs(value->get<double>()) > 1e15)
                throw wrong(file_, key, *value, "a whole number");
            target = value->get<std::int64_t>();
        }
    }
    void take(const char* key, double& target) const {
        if (const Json* value = find(key)) {
            if (!value->is_number() || !std::isfinite(value->get<double>()))
                throw wrong(file_, key, *value, "a number");
            target = value->get<double>();
        }
    }
    void take(const char* key, bool& target) const {
        if (const Json* value = find(key)) {
            if (!value->is_boolean())
                throw wrong(file_, key, *value, "true or false");
            target = value->get<bool>();
        }
    }

    const Json& object_;
    const fs::path& file_;
    GenerationDefaults& defaults_;
};

}  // namespace

GenerationDefaults read_generation_defaults(const fs::path& folder) {
    const fs::path config_file = folder / kConfigFile, own_file = folder / kGenerationFile;
    const Json config = object_of(config_file).value_or(Json::object());
    const std::optional<Json> own = object_of(own_file);
    const Json& object = own ? *own : config;
    const fs::path& file = own ? own_file : config_file;
    GenerationDefaults defaults;
    Values(object, file, defaults).read();
    defaults.options.eos_token_ids = tokens_of(object, "eos_token_id", file);
    if (const std::vector<std::int64_t> first = tokens_of(object, "bos_token_id", file); !first.empty())
        defaults.bos_token_id = first.front();
    defaults.names_no_end = defaults.options.eos_token_ids.empty();
    if (const std::vector<std::int64_t> of_config =
            own ? tokens_of(config, "eos_token_id", config_file) : std::vector<std::int64_t>();
        defaults.names_no_end && !of_config.empty()) {
        defaults.names_no_end = false;
        defaults.notes.push_back(
            Message("{} names no eos_token_id, so texts end at no token, as in transformers; the {} of "
                    "config.json is not used: write it there, too",
                    file.string(), json_text(config.at("eos_token_id"))));
    }
    return defaults;
}

}  // namespace trainyard::generate
