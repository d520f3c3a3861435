// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks, before the start, of the tokens of tables and lines that a language model is trained on.

#include <optional>

#include "config/inputs/recipe_inputs.h"

namespace trainyard::inputs {

/// Whether a recipe trains on tokens of a column: causal_lm and masked_lm with tables or lines, without conversations.
bool reads_tokens(const config::Recipe& recipe);

/// The problem that ends the training of such a recipe while its tokens are made: too few of them for one sample, or
/// one that the vocabulary does not have. Looks at the first `most_rows` rows, and of texts with a tokenizer only at
/// as many as make a sample. Throws UserError for files and columns that cannot be read.
std::optional<InputProblem> token_problem(const config::Recipe& recipe, std::int64_t most_rows);

}  // namespace trainyard::inputs
