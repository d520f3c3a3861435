// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Masked language modelling: of the tokens of a batch a share is to be found. Devlin et al., "BERT", 2019: 80 % of them
// are replaced by the mask, 10 % by a random token, 10 % stay. The choice is a function of (seed, step, global sample,
// position), so that every layout of ranks and micro-batches masks the same tokens.

#include <cstdint>
#include <optional>

#include "config/recipe/recipe.h"
#include "train/data_loader.h"

namespace trainyard::train {

class MaskedTokens {
  public:
    /// Takes the mask and the special tokens from the recipe's tokenizer; without one, the last token of the vocabulary
    /// is the mask. Throws UserError: a tokenizer without mask.
    explicit MaskedTokens(const config::Recipe& recipe);

    /// The same batch with masked tokens; its labels are those that were masked, -100 elsewhere. Labels of -100 stay.
    Batch operator()(const Batch& batch, std::int64_t step) const;

  private:
    std::uint64_t seed_;
    double share_;
    std::int64_t vocabulary_, mask_ = 0;
    std::vector<bool> special_;  ///< tokens that are never masked
};

}  // namespace trainyard::train
