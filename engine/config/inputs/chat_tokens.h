// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of conversations: what ranks train on, and what previews of data show. Does not depend on LibTorch.

#include <cstdint>
#include <optional>
#include <string>

#include "base/message.h"
#include "config/inputs/sequence_tokens.h"
#include "config/recipe/recipe.h"
#include "formats/tables/table.h"
#include "formats/tokenizers/chat_template.h"

namespace trainyard::inputs {

/// Writes conversations as data.chat says: by the chat template beside the tokenizer, or as ChatML.
class ChatTokens {
  public:
    /// `tokens` must outlive this object. Throws UserError for a template that is missing or cannot be used.
    ChatTokens(const config::Recipe& recipe, const SequenceTokens& tokens);
    /// A conversation, a list of {role, content} or {from, value} as JSON: what the assistant says, with the mark of
    /// its end, is counted. `tools`: a list of tables as JSON, for the template; empty: none. Not cut. Throws UserError
    /// naming the row, which counts from 0; also for tools without a template, which ChatML does not write.
    SampleTokens of(const std::string& conversation, const std::string& tools, std::int64_t row) const;
    /// Whether the tokenizer's template writes them.
    bool uses_template() const { return format_.has_value(); }

  private:
    const SequenceTokens& tokens_;
    std::optional<tokenizers::ChatFormat> format_;  ///< absent: ChatML
};

/// The tools of a row of the column kChatTools as JSON; empty if it has none, or if `tools` is nullptr. `row`: index in
/// the column; `number`: index in the data, which the UserError names that is thrown for other values.
std::string row_tools(const formats::Column* tools, std::int64_t row, std::int64_t number);

/// The problem that ends a training of the recipe at a conversation among the first `most_rows` rows; empty if they are
/// good. Throws UserError for files, columns and templates that cannot be read.
Message chat_problem(const config::Recipe& recipe, std::int64_t most_rows);

}  // namespace trainyard::inputs
