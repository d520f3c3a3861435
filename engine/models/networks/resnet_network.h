// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of ResNet with its classifier: names, layout and arithmetic of transformers' ResNetForImageClassification.
// Images are inputs["pixel_values"] [batch, channels, height, width]; running statistics are buffers.

#include "models/nn/model.h"

namespace trainyard::models {

class ResNet final : public Model {
  public:
    explicit ResNet(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;
};

}  // namespace trainyard::models
