// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of one sample of a task, and what the loss compares with each: what ranks train on, and what previews of data
// show. Does not depend on LibTorch.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/inputs/class_reader.h"
#include "config/recipe/recipe.h"
#include "formats/tables/table.h"
#include "formats/tokenizers/tokenizer.h"

namespace trainyard::inputs {

/// Label of a token that the loss does not count, as in transformers.
inline constexpr std::int64_t kUncountedLabel = -100;

/// Tokens of texts for encoders: with the special tokens of the tokenizer's post-processor, cut to a length.
class SequenceTokens {
  public:
    /// Throws UserError for a tokenizer that is missing or cannot be used.
    explicit SequenceTokens(const config::Recipe& recipe);
    struct Encoded {
        std::vector<std::int64_t> ids, types;
    };
    /// `second` may be empty: one text.
    Encoded encode(const std::string& first, const std::string& second) const;
    struct Placed {
        std::vector<std::int64_t> ids;
        std::vector<std::pair<std::size_t, std::size_t>> bytes;  ///< of the text, from and to, of each token
    };
    /// Tokens of a whole text, without those that a post-processor adds, and not cut.
    Placed place(const std::string& text) const;
    /// Tokens of a word inside a text, without special tokens.
    std::vector<std::int64_t> of_word(const std::string& word) const;
    std::optional<std::int64_t> id_of(const std::string& token) const;
    bool is_special(std::int64_t id) const;
    std::int64_t padding() const { return padding_; }
    std::size_t length() const { return length_; }
    /// Encodes a text without special tokens.
    std::string text_of(const std::vector<std::int64_t>& ids) const;
    /// The text of tokens as they are, special ones too. Not UTF-8 if they are a part of a character.
    std::string whole_text_of(const std::vector<std::int64_t>& ids) const;

  private:
    std::optional<tokenizers::Tokenizer> tokenizer_;  ///< absent: a token per byte
    std::size_t length_;
    std::int64_t padding_;
};

struct SampleTokens {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> labels;  ///< of each token, or kUncountedLabel
};

struct WordTokens {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> first;  ///< of each word the place of its first token; -1: it has none, or is cut off
};
/// Words of a text with the tokens that begin and end a sequence, cut to the length of the tokens.
WordTokens word_tokens(const SequenceTokens& tokens, const std::vector<std::string>& words);

/// A row of words with a class each: the first token of a word has its class, the others are not counted, as in
/// transformers' examples. Cut to the length of the tokens. Throws UserError naming the row.
SampleTokens tagged_tokens(const SequenceTokens& tokens, const formats::Column& words, const formats::Column& tags,
                           const ClassReader& classes, std::int64_t row);

}  // namespace trainyard::inputs
