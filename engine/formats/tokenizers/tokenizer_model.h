// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The models of tokenizer.json: what makes tokens of one pre-tokenized piece of text.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "formats/tokenizers/encoding.h"
#include "formats/tokenizers/normalized_text.h"

namespace trainyard::tokenizers {

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using StringMap = std::unordered_map<std::string, Value, StringHash, std::equal_to<>>;

/// A token of a piece, and the bytes of the piece that it stands for.
struct Token {
    Id id = 0;
    std::string text;
    Span span;
};

class Model {
  public:
    virtual ~Model() = default;
    /// Appends the tokens of `piece`, valid UTF-8, to `tokens`. Throws UserError where the vocabulary lacks the token for unknown pieces.
    virtual void tokenize(std::string_view piece, std::vector<Token>& tokens) const = 0;
    virtual std::optional<Id> id_of(std::string_view token) const = 0;
    /// Null: no token has this id.
    virtual const std::string* token_of(Id id) const = 0;
    /// Tokens without those that were added.
    virtual std::size_t size() const = 0;
    /// One more than the greatest id; ids may have gaps.
    virtual std::size_t id_end() const = 0;
};

/// Tokens by id and ids by token.
class Vocabulary {
  public:
    Vocabulary() = default;
    /// From an object {token: id}. `place` begins sentences about mistakes, which are thrown as UserError.
    Vocabulary(const nlohmann::json& object, const std::string& place);
    void add(std::string token, Id id);
    std::optional<Id> id_of(std::string_view token) const {
        const auto found = ids_.find(token);
        return found == ids_.end() ? std::nullopt : std::optional<Id>(found->second);
    }
    const std::string* token_of(Id id) const { return id < tokens_.size() && present_[id] ? &tokens_[id] : nullptr; }
    std::size_t size() const { return ids_.size(); }
    std::size_t id_end() const { return tokens_.size(); }

  private:
    StringMap<Id> ids_;
    std::vector<std::string> tokens_;
    std::vector<bool> present_;
};

/// From `model` of a tokenizer.json. Throws UserError with the key that is wrong or not known.
std::unique_ptr<Model> make_model(const nlohmann::json& settings, const std::string& file);
std::unique_ptr<Model> make_bpe(const nlohmann::json& settings, const std::string& file);
std::unique_ptr<Model> make_unigram(const nlohmann::json& settings, const std::string& file);

}  // namespace trainyard::tokenizers
