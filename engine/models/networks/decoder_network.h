#pragma once
// The network of the decoders in decoder_options.h: Llama, Mistral, Qwen 2 and 3, Phi-3, Gemma 2, Mixtral, GPT-NeoX and
// OPT, with names, layout and arithmetic of transformers' ...ForCausalLM classes.

#include "models/nn/model.h"
#include "models/spec/decoder/decoder_options.h"

namespace trainyard::models {

class Decoder final : public Model {
  public:
    explicit Decoder(const families::ModelConfig& config);
    std::vector<parallel::Unit*> blocks() const override;
    /// The residual stream; with a load-balancing loss of experts also what that loss sums up on its way
    /// (decoder_experts.h).
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;

  private:
    families::DecoderOptions options_;
};

}  // namespace trainyard::models
