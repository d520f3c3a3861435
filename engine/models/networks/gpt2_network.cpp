// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/gpt2_network.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/dropout.h"
#include "models/nn/modules/modules.h"
#include "models/spec/activation.h"
#include "models/spec/gpt2/gpt2_family.h"

namespace trainyard::models {

namespace {

using families::ModelConfig;
using parallel::Parameter;
using parallel::StepContext;
using parallel::Tensors;
using parallel::Unit;

/// The plan of GPT-2's modules.
const ModulePlan& gpt2_plan() {
    static const ModulePlan plan{{{"transformer.wte", "table"},
                                  {"transformer.wpe", "table"},
                                  {"*.ln_?", "layer_norm"},
                                  {"*.attn", "fused"},
                                  {"*.c_attn", "conv1d"},
                                  {"*.c_proj", "conv1d"},
                                  {"*.c_fc", "conv1d"},
                                  {"lm_head", "chunked"}}};
    return plan;
}

/// A unit of GPT-2, whose modules the plan creates.
class Gpt2Unit : public Unit {
  protected:
    Gpt2Unit(std::string name, const ModelConfig& config) : Unit(std::move(name)), config_(config) {}
    ModuleBuilder build() {
        return {gpt2_plan(),
                [this](std::string name, std::vector<std::int64_t> shape, parallel::Initialiser start) -> Parameter& {
                    return add_parameter(std::move(name), std::move(shape), start);
                }};
    }
    ModelConfig config_;
};

class Gpt2Embedding final : public Gpt2Unit {
  public:
    explicit Gpt2Embedding(const ModelConfig& config)
        : Gpt2Unit("transformer.embedding", config),
          tokens_(build().embedding("transformer.wte", config.vocab_size, config.n_embd, config.initializer_range)),
          positions_(
              build().embedding("transformer.wpe", config.n_positions, config.n_embd, config.initializer_range)) {}

    Parameter& token_table() { return tokens_.table(); }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        at::Tensor hidden = tokens_(context.tokens, positions_, position_ids(context));
        return {context.training ? counter_dropout(hidden, dropout_key(context, 0), config_.embd_pdrop) : hidden};
    }

  private:
    /// Undefined: positions start at 0.
    static at::Tensor position_ids(const StepContext& context) {
        if (context.position_ids.defined() || context.cache == nullptr)
            return context.position_ids;
        std::int64_t begin = context.cache->length;
        return at::arange(begin, begin + context.tokens.size(1), context.tokens.options()).expand_as(context.tokens);
    }

    Embedding tokens_, positions_;
};

class Gpt2Block final : public Gpt2Unit {
  public:
    Gpt2Block(const ModelConfig& config, std::int64_t layer)
        : Gpt2Unit("transformer.h." + std::to_string(layer), config),
          layer_(layer),
          activation_(*families::activation_of(config.activation_function)),
          norm_1_(build().layer_norm(name() + ".ln_1", config.n_embd, config.layer_norm_epsilon)),
          attention_input_(
              build().linear(name() + ".attn.c_attn", config.n_embd, 3 * config.n_embd, config.initializer_range)),
          attention_(build().attention(name() + ".attn", config.n_head, score_scale(config, layer),
                                       config.reorder_and_upcast_attn)),
          attention_output_(
              build().linear(name() + ".attn.c_proj", config.n_embd, config.n_embd, last_deviation(config))),
          norm_2_(build().layer_norm(name() + ".ln_2", config.n_embd, config.layer_norm_epsilon)),
          expand_(build().linear(name() + ".mlp.c_fc", config.n_embd, families::inner_width(config),
                                 config.initializer_range)),
          contract_(build().linear(name() + ".mlp.c_proj", families::inner_width(config), config.n_embd,
                                   last_deviation(config))) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        NormedStream input = norm_1_(inputs.at(0), {});
        at::Tensor mixed =
            attention_(attention_input_(input.normed), attention_of(context, *this, place(0), config_.attn_pdrop));
        NormedStream middle = norm_2_(input.stream, drop(attention_output_(mixed), context, 1));
        at::Tensor inner = activate(activation_, expand_(middle.normed));
        return {add_branch(middle.stream, drop(contract_(inner), context, 2))};
    }

  private:
    /// The two projections at the ends of the residual branches are initialised with a smaller deviation, divided by
    /// the square root of the number of branches.
    static double last_deviation(const ModelConfig& config) {
        return config.initializer_range / std::sqrt(2.0 * static_cast<double>(config.n_layer));
    }
    /// 0: the default scale.
    static double score_scale(const ModelConfig& config, std::int64_t layer) {
        if (config.scale_attn_weights && !config.scale_attn_by_inverse_layer_idx)
            return 0;
        const double width = static_cast<double>(config.n_embd) / static_cast<double>(config.n_head);
        return (config.scale_attn_weights ? 1 / std::sqrt(width) : 1.0) /
               (config.scale_attn_by_inverse_layer_idx ? static_cast<double>(layer + 1) : 1.0);
    }
    std::uint32_t place(std::uint32_t number) const { return static_cast<std::uint32_t>(1 + 3 * layer_) + number; }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, std::uint32_t number) const {
        return context.training ? counter_dropout(x, dropout_key(context, place(number)), config_.resid_pdrop) : x;
    }

    std::int64_t layer_;
    families::Activation activation_;
    LayerNorm norm_1_;
    Linear attention_input_;
    CausalAttention attention_;
    Linear attention_output_;
    LayerNorm norm_2_;
    Linear expand_, contract_;
};

class Gpt2Head final : public Gpt2Unit {
  public:
    /// `tokens`: the token embedding, which is the weight of a tied head.
    Gpt2Head(const ModelConfig& config, Parameter& tokens)
        : Gpt2Unit("transformer.ln_f", config),
          norm_(build().layer_norm("transformer.ln_f", config.n_embd, config.layer_norm_epsilon)),
          head_(config.tie_word_embeddings ? build().tied_head("lm_head", tie_parameter(tokens), {.loss = config.loss})
                                           : build().head("lm_head", config.vocab_size, config.n_embd,
                                                          config.initializer_range, {.loss = config.loss})) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        at::Tensor last = norm_(inputs.at(0));
        if (context.logits != nullptr)
            *context.logits = head_.logits(last.detach());
        if (!context.labels.defined())
            return {last};
        return {head_.loss(last, context)};
    }

  private:
    LayerNorm norm_;
    VocabularyHead head_;
};

}  // namespace

Gpt2::Gpt2(const ModelConfig& config) : Model(config) {
    auto embedding = std::make_unique<Gpt2Embedding>(config);
    Parameter& table = embedding->token_table();
    units_.push_back(std::move(embedding));
    for (std::int64_t layer = 0; layer < config.n_layer; ++layer)
        units_.push_back(std::make_unique<Gpt2Block>(config, layer));
    units_.push_back(std::make_unique<Gpt2Head>(config, table));
}

std::vector<parallel::Unit*> Gpt2::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors Gpt2::empty_streams(const parallel::Unit&, const parallel::StepContext& context, at::Device device) const {
    return {at::empty({context.tokens.size(0), stream_length(context), config_.n_embd},
                      at::TensorOptions().dtype(at::kFloat).device(device))};
}

}  // namespace trainyard::models
