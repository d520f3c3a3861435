#include "families/gpt2/gpt2_network.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include "families/activation.h"
#include "families/gpt2/gpt2_family.h"
#include "models/kernels/activation.h"
#include "models/kernels/attention.h"
#include "models/kernels/cross_entropy.h"
#include "models/kernels/dropout.h"
#include "models/kernels/linear.h"
#include "models/kernels/norm.h"

namespace trainyard::models {

namespace {

using families::ModelConfig;
using parallel::Initialiser;
using parallel::Parameter;
using parallel::StepContext;
using parallel::Tensors;
using parallel::Unit;

constexpr Initialiser kZeros{Initialiser::Kind::zeros, 0};
constexpr Initialiser kOnes{Initialiser::Kind::ones, 0};

Initialiser normal(double deviation) {
    return {Initialiser::Kind::normal, deviation};
}

DropoutKey dropout_key(const StepContext& context, std::uint32_t place) {
    return {context.seed, context.step, place, context.first_sample};
}

class Embedding final : public Unit {
  public:
    explicit Embedding(const ModelConfig& config)
        : Unit("transformer.embedding"),
          config_(config),
          tokens_(add_parameter("transformer.wte.weight", {config.vocab_size, config.n_embd},
                                normal(config.initializer_range))),
          positions_(add_parameter("transformer.wpe.weight", {config.n_positions, config.n_embd},
                                   normal(config.initializer_range))) {}

    Parameter& token_table() { return tokens_; }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        at::Tensor hidden = embed(context.tokens, tokens_, positions_, positions(context));
        return {context.training ? counter_dropout(hidden, dropout_key(context, 0), config_.embd_pdrop) : hidden};
    }

  private:
    /// Undefined: from 0 on.
    static at::Tensor positions(const StepContext& context) {
        if (context.position_ids.defined() || context.cache == nullptr)
            return context.position_ids;
        std::int64_t begin = context.cache->length;
        return at::arange(begin, begin + context.tokens.size(1), context.tokens.options()).expand_as(context.tokens);
    }

    ModelConfig config_;
    Parameter& tokens_;
    Parameter& positions_;
};

class Block final : public Unit {
  public:
    Block(const ModelConfig& config, std::int64_t layer)
        : Unit(prefix(layer)),
          config_(config),
          layer_(layer),
          activation_(*families::activation_of(config.activation_function)) {
        std::int64_t width = config.n_embd, inner = families::inner_width(config);
        // The two projections that end a residual branch start smaller, by 1/sqrt of the number of branches.
        double last = config.initializer_range / std::sqrt(2.0 * static_cast<double>(config.n_layer));
        norm_1_ = norm("ln_1", width);
        attention_ = dense("attn.c_attn", width, 3 * width, config.initializer_range);
        projection_ = dense("attn.c_proj", width, width, last);
        norm_2_ = norm("ln_2", width);
        expand_ = dense("mlp.c_fc", width, inner, config.initializer_range);
        contract_ = dense("mlp.c_proj", inner, width, last);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        NormedStream input = normalise(norm_1_, inputs.at(0), {});
        at::Tensor mixed = attend(apply(attention_, input.normed), context);
        NormedStream middle = normalise(norm_2_, input.stream, drop(apply(projection_, mixed), context, 1));
        at::Tensor inner = activate(activation_, apply(expand_, middle.normed));
        return {add_branch(middle.stream, drop(apply(contract_, inner), context, 2))};
    }

  private:
    struct Pair {
        Parameter* weight = nullptr;
        Parameter* bias = nullptr;
    };

    static std::string prefix(std::int64_t layer) { return "transformer.h." + std::to_string(layer); }

    Pair norm(const std::string& part, std::int64_t width) {
        return {&add_parameter(name() + "." + part + ".weight", {width}, kOnes),
                &add_parameter(name() + "." + part + ".bias", {width}, kZeros)};
    }
    Pair dense(const std::string& part, std::int64_t in, std::int64_t out, double deviation) {
        return {&add_parameter(name() + "." + part + ".weight", {in, out}, normal(deviation)),
                &add_parameter(name() + "." + part + ".bias", {out}, kZeros)};
    }
    at::Tensor attend(const at::Tensor& qkv, StepContext& context) const {
        PlainAttention plain{.scale = score_scale(), .key = key(context, 0), .mask = context.attention_mask};
        plain.fp32_scores = config_.reorder_and_upcast_attn;
        if (context.training)
            plain.dropout = config_.attn_pdrop;
        if (context.cache != nullptr)
            plain.past = &context.cache->entries[this];
        bool needs_formula = plain.dropout > 0 || plain.mask.defined() || plain.past != nullptr;
        return needs_formula ? causal_attention_plain(qkv, config_.n_head, plain)
                             : causal_attention(qkv, config_.n_head, plain.scale);
    }
    /// 0: the usual one.
    double score_scale() const {
        if (config_.scale_attn_weights && !config_.scale_attn_by_inverse_layer_idx)
            return 0;
        double width = static_cast<double>(config_.n_embd) / static_cast<double>(config_.n_head);
        return (config_.scale_attn_weights ? 1 / std::sqrt(width) : 1.0) /
               (config_.scale_attn_by_inverse_layer_idx ? static_cast<double>(layer_ + 1) : 1.0);
    }
    at::Tensor apply(const Pair& pair, const at::Tensor& x) { return linear(x, *pair.weight, *pair.bias); }
    NormedStream normalise(const Pair& pair, const at::Tensor& stream, const at::Tensor& branch) {
        return normed_stream(stream, branch, *pair.weight, *pair.bias, config_.layer_norm_epsilon);
    }
    DropoutKey key(const StepContext& context, std::uint32_t place) const {
        return dropout_key(context, static_cast<std::uint32_t>(1 + 3 * layer_) + place);
    }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, std::uint32_t place) const {
        return context.training ? counter_dropout(x, key(context, place), config_.resid_pdrop) : x;
    }

    ModelConfig config_;
    std::int64_t layer_;
    families::Activation activation_;
    Pair norm_1_, attention_, projection_, norm_2_, expand_, contract_;
};

class Head final : public Unit {
  public:
    /// `tokens` is the table of the embedding, which a tied head multiplies with.
    Head(const ModelConfig& config, Parameter& tokens)
        : Unit("transformer.ln_f"),
          epsilon_(config.layer_norm_epsilon),
          weight_(add_parameter("transformer.ln_f.weight", {config.n_embd}, kOnes)),
          bias_(add_parameter("transformer.ln_f.bias", {config.n_embd}, kZeros)),
          table_(config.tie_word_embeddings ? tie_parameter(tokens)
                                            : add_parameter("lm_head.weight", {config.vocab_size, config.n_embd},
                                                            normal(config.initializer_range))) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        at::Tensor last = layer_norm(inputs.at(0), weight_, bias_, epsilon_);
        if (context.logits != nullptr)
            *context.logits = logits_of(last.detach(), table_);
        if (!context.labels.defined())
            return {last};
        return {next_token_loss(last, table_, context.labels, context.loss_scale, context.loss_sum)};
    }

  private:
    double epsilon_;
    Parameter& weight_;
    Parameter& bias_;
    Parameter& table_;  ///< of the products with the vocabulary
};

}  // namespace

Gpt2::Gpt2(const ModelConfig& config) : Model(config) {
    auto embedding = std::make_unique<Embedding>(config);
    Parameter& table = embedding->token_table();
    units_.push_back(std::move(embedding));
    for (std::int64_t layer = 0; layer < config.n_layer; ++layer)
        units_.push_back(std::make_unique<Block>(config, layer));
    units_.push_back(std::make_unique<Head>(config, table));
}

std::vector<parallel::Unit*> Gpt2::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors Gpt2::empty_streams(std::int64_t batch, std::int64_t seq, at::Device device) const {
    return {at::empty({batch, seq, config_.n_embd}, at::TensorOptions().dtype(at::kFloat).device(device))};
}

}  // namespace trainyard::models
