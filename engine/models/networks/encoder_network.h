// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of the encoders in encoder_options.h: BERT, RoBERTa, DistilBERT and ViT with the heads of their tasks,
// with names, layout and arithmetic of transformers.

#include "models/nn/model.h"
#include "models/spec/encoder/encoder_options.h"

namespace trainyard::models {

class Encoder final : public Model {
  public:
    explicit Encoder(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;

  private:
    families::EncoderOptions options_;
};

}  // namespace trainyard::models
