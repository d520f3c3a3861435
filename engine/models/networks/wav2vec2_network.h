// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of wav2vec 2.0 as it is pre-trained: names, layout and arithmetic of transformers'
// Wav2Vec2ForPreTraining. Sound is inputs["input_values"] [batch, samples], labels [batch, frames] are 0 for masked
// frames and -100 for others; inputs["sampled_negative_indices"] [batch, frames, negatives] are frames of the same
// recording. Logits are of the right code of a frame and of those negatives, [batch, frames, 1 + negatives].
//
// The loss of codes that are seldom used depends on all masked frames of a micro-batch, as in transformers. What is
// drawn (codes, skipped blocks) is a function of seed, step and sample.

#include "models/nn/model.h"

namespace trainyard::models {

class Wav2Vec2 final : public Model {
  public:
    explicit Wav2Vec2(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;
};

}  // namespace trainyard::models
