// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts that the model writes while it trains (generation.every), as texts of the run's event files: tags samples/1,
// samples/2 ... by prompt.

#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "inference/generate/text_stream.h"
#include "train/trainer.h"

namespace trainyard::worker {

struct Sample {
    std::string tag;
    std::string text;  ///< the prompt and the continuation by the model
};

class Samples {
  public:
    /// Reads the tokenizer where samples are wanted. Throws UserError.
    explicit Samples(const config::Recipe& recipe);
    /// After this step, on a rank that has the whole model, or on all ranks: Trainer::writes_together().
    std::vector<Sample> write(train::Trainer& trainer, std::int64_t step) const;

  private:
    const config::Recipe& recipe_;
    generate::Vocabulary vocabulary_;
    std::vector<std::int64_t> end_tokens_;
};

}  // namespace trainyard::worker
