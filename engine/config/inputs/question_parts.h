// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of a question and of the text that has its answer (question_answering), as transformers' example run_qa.py
// prepares them: a text that is longer than a sample becomes several parts, of which two neighbours share
// data.doc_stride tokens. For training and for answers. Does not depend on LibTorch.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/recipe/recipe.h"
#include "formats/tokenizers/tokenizer.h"

namespace trainyard::inputs {

/// The question, and a part of the text.
struct QuestionPart {
    using Range = std::pair<std::int64_t, std::int64_t>;  ///< characters of the text: first, and after the last one
    std::vector<std::int64_t> ids, types;
    std::int64_t first = 0;      ///< first token of the text
    std::vector<Range> offsets;  ///< of each token of the text
};

class QuestionTokens {
  public:
    /// Uses data.tokenizer (none: a token per byte), data.sequence_length and data.doc_stride. Throws UserError for a
    /// tokenizer that is missing or cannot be used.
    explicit QuestionTokens(const config::Recipe& recipe);
    /// White space before the question is dropped: questions of SQuAD that begin with much of it would leave no room.
    /// Throws UserError for a question that leaves no room for the text, without naming a place.
    std::vector<QuestionPart> parts(const std::string& question, const std::string& context) const;

  private:
    std::vector<QuestionPart> parts_of_bytes(const std::string& question, const std::string& context) const;

    std::int64_t length_, stride_;
    std::optional<tokenizers::Tokenizer> tokenizer_;  ///< absent: a token per byte
};

/// Characters of UTF-8 text.
std::int64_t characters_in(std::string_view text);
/// The characters `from` to before `to`.
std::string characters_of(std::string_view text, std::int64_t from, std::int64_t to);
/// Bytes of the first `characters` characters.
std::size_t bytes_of_characters(std::string_view text, std::int64_t characters);

}  // namespace trainyard::inputs
