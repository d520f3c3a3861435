// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tokens of a recipe's texts, where it names a tokenizer (data.tokenizer).

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "config/recipe/recipe.h"
#include "formats/tokenizers/tokenizer.h"

namespace trainyard::inputs {

/// data.tokenizer, or the tokenizer.json in it.
std::filesystem::path tokenizer_file(const config::DataRecipe& data);

class TextTokens {
  public:
    /// Throws UserError for a file that is missing or that cannot be used.
    explicit TextTokens(const config::DataRecipe& data);
    /// Tokenizes a line with its newline (format text), or a document followed by the token that ends a text (a newline
    /// if the tokenizer has no such token).
    std::vector<tokenizers::Id> encode(std::string_view text) const;
    /// Returns the size of the vocabulary; every id is smaller.
    std::size_t vocabulary_size() const;

  private:
    tokenizers::Tokenizer tokenizer_;
    bool lines_;
    std::optional<tokenizers::Id> end_of_text_;
};

}  // namespace trainyard::inputs
