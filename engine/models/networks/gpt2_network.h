// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of GPT-2 with its language-model head: names, layout and initialisation of transformers' GPT2LMHeadModel,
// with all options of GPT2Config except cross-attention. Radford et al., "Language models are unsupervised multitask
// learners", 2019.

#include "models/nn/model.h"

namespace trainyard::models {

class Gpt2 final : public Model {
  public:
    explicit Gpt2(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
};

}  // namespace trainyard::models
