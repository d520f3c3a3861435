#pragma once
// GPT-2 with a language-model head tied to the token embedding: names, layout and initialisation of Hugging Face's
// GPT2LMHeadModel. Radford et al., "Language models are unsupervised multitask learners", 2019.

#include "models/model.h"

namespace trainyard::models {

class Gpt2 final : public Model {
  public:
    explicit Gpt2(const config::ModelRecipe& recipe);
    std::vector<parallel::Unit*> blocks() const override;
    std::vector<double> block_costs(std::int64_t seq) const override;
    parallel::Tensors empty_streams(std::int64_t batch, std::int64_t seq, at::Device device) const override;
    double flops_per_token(std::int64_t seq) const override;
    std::string config_json() const override;

  private:
    config::ModelRecipe recipe_;
};

}  // namespace trainyard::models
