// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of conversations: what ranks train on, and what previews of data show. Does not depend on LibTorch.

#include <cstdint>
#include <optional>
#include <string>

#include "base/message.h"
#include "config/inputs/sequence_tokens.h"
#include "config/recipe/recipe.h"
#include "formats/tokenizers/chat_template.h"

namespace trainyard::inputs {

/// Writes conversations as data.chat says: by the chat template beside the tokenizer, or as ChatML.
class ChatTokens {
  public:
    /// `tokens` must outlive this object. Throws UserError for a template that is missing or cannot be used.
    ChatTokens(const config::Recipe& recipe, const SequenceTokens& tokens);
    /// A conversation, a list of {role, content} or {from, value} as JSON: what the assistant says, with the mark of
    /// its end, is counted. Not cut. Throws UserError naming the row, which counts from 0.
    SampleTokens of(const std::string& conversation, std::int64_t row) const;
    /// Whether the tokenizer's template writes them.
    bool uses_template() const { return format_.has_value(); }

  private:
    const SequenceTokens& tokens_;
    std::optional<tokenizers::ChatFormat> format_;  ///< absent: ChatML
};

/// The problem that ends a training of the recipe at a conversation among the first `most_rows` rows; empty if they are
/// good. Throws UserError for files, columns and templates that cannot be read.
Message chat_problem(const config::Recipe& recipe, std::int64_t most_rows);

}  // namespace trainyard::inputs
