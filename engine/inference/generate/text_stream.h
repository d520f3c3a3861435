#pragma once
// Text of tokens as they come: what is complete is given out, a character whose bytes are not all there waits.

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
    std::vector<std::int64_t> encode(std::string_view text) const;
    std::string decode(const std::vector<std::int64_t>& tokens) const;
    /// Of tokens that end a text by their usual names.
    std::vector<std::int64_t> end_tokens() const;

  private:
    std::shared_ptr<tokenizers::Tokenizer> tokenizer_;  ///< null: bytes
};

class TextStream {
  public:
    explicit TextStream(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}
    /// What the text has become longer by.
    std::string add(std::int64_t token);
    /// What waited at the end, as U+FFFD where it is no character.
    std::string finish();

  private:
    const Vocabulary& vocabulary_;
    std::vector<std::int64_t> tokens_;
    std::size_t given_ = 0;  ///< bytes of the text
};

}  // namespace trainyard::generate
