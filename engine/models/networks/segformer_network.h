// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of SegFormer with its decoder, or with a classifier: names, layout and arithmetic of transformers'
// SegformerForSemanticSegmentation and SegformerForImageClassification. Images are inputs["pixel_values"] [batch,
// channels, height, width], labels [batch, height, width]; logits are of every pixel, [batch, height, width,
// classes]. The running statistics of the decoder's batch norm are buffers.

#include "models/nn/model.h"

namespace trainyard::models {

class Segformer final : public Model {
  public:
    explicit Segformer(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;
};

}  // namespace trainyard::models
