// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of T5 and T5 1.1 with its language-model head: names, layout and arithmetic of transformers'
// T5ForConditionalGeneration. tokens are the encoder's; the decoder reads inputs["decoder_input_ids"], or the labels
// shifted right.

#include "models/nn/model.h"

namespace trainyard::models {

class T5 final : public Model {
  public:
    explicit T5(const families::ModelConfig& config);
    /// Returns the blocks of the encoder, then those of the decoder.
    std::vector<parallel::Unit*> blocks() const override { return blocks_; }
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;

  private:
    std::vector<parallel::Unit*> blocks_;
};

}  // namespace trainyard::models
