// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The network of the decoders in decoder_options.h: Llama, Mistral, Qwen 2 and 3, Phi-3, Gemma 2, Mixtral, GPT-NeoX,
// OPT, BLOOM, Falcon and MPT, with names, layout and arithmetic of transformers' ...ForCausalLM classes.

#include <map>

#include "models/nn/model.h"
#include "models/spec/decoder/decoder_options.h"

namespace trainyard::models {

class Decoder final : public Model {
  public:
    explicit Decoder(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    std::int64_t expert_of(const parallel::Parameter& parameter) const override;
    std::int64_t experts() const override { return options_.experts; }
    std::shared_ptr<RouterStep> make_router_step(parallel::Communicator* data, at::Device device) const override;
    /// The residual stream; with a load-balancing loss of experts also what that loss sums up on its way
    /// (expert_router.h).
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;

  private:
    families::DecoderOptions options_;
    std::map<const parallel::Parameter*, std::int64_t> expert_numbers_;
};

}  // namespace trainyard::models
