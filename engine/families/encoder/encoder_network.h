#pragma once
// The network of the encoders in encoder_options.h: BERT, RoBERTa, DistilBERT and ViT with the heads of their tasks,
// with names, layout and arithmetic of transformers.

#include "families/encoder/encoder_options.h"
#include "models/model.h"

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
