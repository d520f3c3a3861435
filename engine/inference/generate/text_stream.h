// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Decodes tokens to text as they arrive: complete characters are returned, the bytes of an incomplete character are
// held back.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "formats/tokenizers/tokenizer.h"

namespace trainyard::generate {

/// Texts and tokens of a model: of a tokenizer, or a token per byte.
class Vocabulary {
  public:
    /// A token per byte.
    Vocabulary() = default;
    explicit Vocabulary(tokenizers::Tokenizer tokenizer)
        : tokenizer_(std::make_shared<tokenizers::Tokenizer>(std::move(tokenizer))) {}
    std::vector<std::int64_t> encode(std::string_view text, bool add_special_tokens = true) const;
    std::string decode(const std::vector<std::int64_t>& tokens) const;
    /// Returns the ids of the tokens that end a text, found by their usual names.
    std::vector<std::int64_t> end_tokens() const;

  private:
    std::shared_ptr<tokenizers::Tokenizer> tokenizer_;  ///< null: bytes
};

class TextStream {
  public:
    explicit TextStream(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}
    /// Adds a token. Returns the text that it appends.
    std::string add(std::int64_t token);
    /// Returns the incomplete bytes at the end, as U+FFFD if they are not a character.
    std::string finish();

  private:
    const Vocabulary& vocabulary_;
    std::vector<std::int64_t> tokens_;
    std::size_t given_ = 0;  ///< bytes of the text
};

}  // namespace trainyard::generate
