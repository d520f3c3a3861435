// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/exports/gguf_tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/text_file.h"
#include "formats/tokenizers/tokenizer.h"

namespace trainyard::exports {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::json;
using tokenizers::Id;

/// Kinds of tokens in the order of their numbers, which begin at 1.
enum class TokenKind : std::int32_t { normal = 1, unknown, control, user_defined, unused, byte };

constexpr const char* kSpace = "\u2581";  ///< what SentencePiece has for a space
constexpr float kNoMergeMakesIt = -1e9F;

/// How byte-level tokenizers divide texts, and llama.cpp's names for it: the expressions of Split and ByteLevel, and
/// what Digits does, each in a line.
constexpr std::pair<std::string_view, std::string_view> kPreTokenizers[] = {
    {"ByteLevel\n", "gpt-2"},
    {"Digits\nByteLevel\n", "starcoder"},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
     R"(|\s*[\r\n]+|\s+(?!\S)|\s+)"
     "\n",
     "llama-bpe"},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
     "\n",
     "qwen2"},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
     R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
     "\n",
     "gpt-4o"},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
     R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N})"
     R"(| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)"
     "\n",
     "tekken"},
};

std::string text_at(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}
bool is_true(const Json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found != object.end() && found->is_boolean() && found->get<bool>();
}
const Json& at_or_null(const Json& object, const char* key) {
    static const Json nothing;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return found == object.end() ? nothing : *found;
}

/// A step, or the steps of a Sequence.
std::vector<Json> steps_of(const Json& step, const char* list) {
    if (!step.is_object())
        return {};
    const Json& inner = at_or_null(step, list);
    return inner.is_array() ? inner.get<std::vector<Json>>() : std::vector{step};
}

Json json_of_file(const fs::path& file) {
    std::error_code error;
    return fs::exists(file, error) ? read_json(text::read_text_file(file)) : Json();
}

class GgufTokenizer {
  public:
    GgufTokenizer(const fs::path& folder, const families::ModelConfig& config)
        : folder_(folder),
          config_(config),
          file_(json_of_file(folder / "tokenizer.json")),
          settings_(json_of_file(folder / "tokenizer_config.json")),
          model_(at_or_null(file_, "model")),
          tokenizer_(tokenizers::Tokenizer::from_file(folder / "tokenizer.json")) {
        for (const Json& token : at_or_null(file_, "added_tokens"))
            added_.insert(text_at(token, "content"));
    }

    void write(weights::GgufValues& values) const {
        const std::string pre = pre_tokenizer();
        const bool has_bytes = !pre.empty();
        values.add_text("tokenizer.ggml.model", has_bytes ? "gpt2" : "llama");
        values.add_text("tokenizer.ggml.pre", has_bytes ? pre : "default");
        write_tokens(values, has_bytes);
        write_special_tokens(values);
        const std::vector<Id> plain = tokenizer_.encode_ids("a", false), whole = tokenizer_.encode_ids("a");
        const auto is_added = [&](bool first, std::optional<Id> token) {
            return token && whole.size() > plain.size() && (first ? whole.front() : whole.back()) == *token;
        };
        values.add_bool("tokenizer.ggml.add_bos_token", is_added(true, special("bos_token")));
        values.add_bool("tokenizer.ggml.add_eos_token", is_added(false, special("eos_token")));
        if (!has_bytes)
            values.add_bool("tokenizer.ggml.add_space_prefix",
                            !plain.empty() && tokenizer_.token_of(plain.front()).value_or("").starts_with(kSpace));
        write_templates(values);
    }

  private:
    [[noreturn]] void refuse(const Message& what) const {
        throw UserError("GGUF has no name for the tokenizer of {}: {}", folder_.string(), what);
    }

    /// llama.cpp's name for how a byte-level tokenizer divides texts; empty for one of SentencePiece.
    std::string pre_tokenizer() const {
        if (text_at(model_, "type") != "BPE")
            refuse(Message("its model is {}, and those that can be written are BPE", text_at(model_, "type")));
        const std::vector<Json> steps = steps_of(at_or_null(file_, "pre_tokenizer"), "pretokenizers");
        std::string lines;
        bool has_bytes = false;
        for (const Json& step : steps) {
            const std::string type = text_at(step, "type");
            if (type == "Split") {
                lines += text_at(at_or_null(step, "pattern"), "Regex") + "\n";
            } else if (type == "ByteLevel") {
                has_bytes = true;
                if (is_true(step, "add_prefix_space"))
                    refuse("it puts a space in front of each text");
                if (step.value("use_regex", true))
                    lines += "ByteLevel\n";
            } else {
                lines += type + "\n";
            }
        }
        if (!has_bytes) {
            check_sentence_pieces(steps);
            return {};
        }
        for (const Json& step : steps_of(at_or_null(file_, "normalizer"), "normalizers"))
            if (text_at(step, "type") != "NFC")  // which llama.cpp leaves out
                refuse(Message("it normalizes texts with {}", text_at(step, "type")));
        for (const auto& [known, name] : kPreTokenizers)
            if (known == lines)
                return std::string(name);
        refuse("it divides texts in a way that llama.cpp does not know");
    }

    void check_sentence_pieces(const std::vector<Json>& steps) const {
        if (!is_true(model_, "byte_fallback"))
            refuse("it is neither of bytes nor of SentencePiece with tokens for bytes");
        for (const Json& step : steps)
            if (const std::string type = text_at(step, "type"); type != "Metaspace" && type != "Split")
                refuse(Message("it divides texts with {}", type));
        for (const Json& step : steps_of(at_or_null(file_, "normalizer"), "normalizers"))
            if (const std::string type = text_at(step, "type"); type != "Prepend" && type != "Replace")
                refuse(Message("it normalizes texts with {}", type));
    }

    TokenKind kind_of(Id id, const std::string& token, bool has_bytes) const {
        if (!has_bytes && token == text_at(model_, "unk_token"))
            return TokenKind::unknown;
        if (tokenizer_.is_special(id))
            return TokenKind::control;
        if (added_.contains(token))
            return TokenKind::user_defined;
        const bool is_byte = token.size() == 6 && token.starts_with("<0x") && token.ends_with('>');
        return !has_bytes && is_byte ? TokenKind::byte : TokenKind::normal;
    }

    void write_tokens(weights::GgufValues& values, bool has_bytes) const {
        if (std::cmp_greater(tokenizer_.id_end(), config_.vocab_size))
            throw UserError("{} has {} tokens, and the model has a table of {}: it is the tokenizer of another model",
                            (folder_ / "tokenizer.json").string(), tokenizer_.id_end(), config_.vocab_size);
        std::vector<std::string> tokens;
        std::vector<std::int32_t> kinds;
        for (Id id = 0; std::cmp_less(id, config_.vocab_size); ++id) {
            const std::optional<std::string> token = tokenizer_.token_of(id);
            tokens.push_back(token.value_or(fmt::format("[PAD{}]", id)));
            kinds.push_back(static_cast<std::int32_t>(token ? kind_of(id, *token, has_bytes) : TokenKind::unused));
        }
        values.add_texts("tokenizer.ggml.tokens", tokens);
        std::vector<std::string> merges;
        for (const Json& merge : at_or_null(model_, "merges"))
            merges.push_back(merge.is_string() ? merge.get<std::string>()
                                               : merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>());
        if (has_bytes) {
            values.add_numbers("tokenizer.ggml.token_type", kinds);
            values.add_texts("tokenizer.ggml.merges", merges);
            return;
        }
        // SentencePiece merges the pair whose token has the highest score: the pair that comes first in the list.
        std::map<std::string, float> scores;
        for (std::size_t i = 0; i < merges.size(); ++i) {
            std::string whole = merges[i];
            whole.erase(whole.find(' '), 1);
            scores.emplace(whole, -static_cast<float>(i));
        }
        std::vector<float> of_tokens;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const auto found = scores.find(tokens[i]);
            const bool is_piece = kinds[i] == static_cast<std::int32_t>(TokenKind::normal);
            of_tokens.push_back(found != scores.end() ? found->second : is_piece ? kNoMergeMakesIt : 0.0F);
        }
        values.add_floats("tokenizer.ggml.scores", of_tokens);
        values.add_numbers("tokenizer.ggml.token_type", kinds);
    }

    /// Id of a token that tokenizer_config.json names as "bos_token".
    std::optional<Id> special(const char* name) const {
        const Json& value = at_or_null(settings_, name);
        const std::string token = value.is_string() ? value.get<std::string>() : text_at(value, "content");
        if (!token.empty())
            return tokenizer_.id_of(token);
        const std::string_view which = name;
        const std::int64_t id = which == "bos_token"   ? config_.bos_token_id
                                : which == "eos_token" ? config_.eos_token_id
                                : which == "pad_token" ? config_.pad_token_id
                                                       : -1;
        return id < 0 || id >= config_.vocab_size ? std::nullopt : std::optional(static_cast<Id>(id));
    }

    void write_special_tokens(weights::GgufValues& values) const {
        constexpr std::pair<const char*, const char*> kNames[] = {
            {"bos_token", "bos"}, {"eos_token", "eos"}, {"unk_token", "unknown"}, {"pad_token", "padding"}};
        for (const auto& [name, key] : kNames)
            if (const std::optional<Id> id = special(name))
                values.add_number(fmt::format("tokenizer.ggml.{}_token_id", key), *id);
        // Of several end tokens of generation the first other one ends a turn.
        const Json generation = json_of_file(folder_ / "generation_config.json");
        for (const Json& id : at_or_null(generation, "eos_token_id"))
            if (id.is_number_unsigned() && id.get<std::int64_t>() < config_.vocab_size &&
                id.get<Id>() != special("eos_token"))
                return values.add_number("tokenizer.ggml.eot_token_id", id.get<std::int64_t>());
    }

    void write_templates(weights::GgufValues& values) const {
        std::error_code error;
        const fs::path file = folder_ / "chat_template.jinja";
        const Json& given = at_or_null(settings_, "chat_template");
        if (fs::exists(file, error))
            return values.add_text("tokenizer.chat_template", text::read_text_file(file));
        if (given.is_string())
            return values.add_text("tokenizer.chat_template", given.get<std::string>());
        if (!given.is_array())
            return;
        for (const Json& one : given) {
            const std::string name = text_at(one, "name"), ending = name == "default" ? "" : "." + name;
            values.add_text("tokenizer.chat_template" + ending, text_at(one, "template"));
        }
    }

    fs::path folder_;
    const families::ModelConfig& config_;
    Json file_, settings_;
    const Json& model_;
    tokenizers::Tokenizer tokenizer_;
    std::set<std::string> added_;
};

}  // namespace

void add_gguf_tokenizer(weights::GgufValues& values, const fs::path& folder, const families::ModelConfig& config,
                        std::vector<Message>& notes) {
    std::error_code error;
    if (fs::exists(folder / "tokenizer.json", error))
        return GgufTokenizer(folder, config).write(values);
    values.add_text("tokenizer.ggml.model", "no_vocab");
    notes.push_back(
        Message("{} has no tokenizer.json: the file has no tokens, and programs can give it their numbers alone",
                folder.string()));
}

}  // namespace trainyard::exports
