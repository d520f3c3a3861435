#include "models/gpt2.h"

#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>

#include <nlohmann/json.hpp>

#include "config/gpt2_shapes.h"
#include "models/kernels/attention.h"
#include "models/kernels/cross_entropy.h"
#include "models/kernels/dropout.h"
#include "models/kernels/linear.h"
#include "models/kernels/norm.h"

namespace trainyard::models {

namespace {

using config::ModelRecipe;
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

std::int64_t inner_width(const ModelRecipe& recipe) {
    return recipe.n_inner > 0 ? recipe.n_inner : 4 * recipe.n_embd;
}

DropoutKey dropout_key(const StepContext& context, std::uint32_t place) {
    return {context.seed, context.step, place, context.first_sample};
}

class Embedding final : public Unit {
  public:
    explicit Embedding(const ModelRecipe& recipe)
        : Unit("transformer.embedding"),
          recipe_(recipe),
          tokens_(add_parameter("transformer.wte.weight", {recipe.vocab_size, recipe.n_embd},
                                normal(recipe.initializer_range))),
          positions_(add_parameter("transformer.wpe.weight", {recipe.n_positions, recipe.n_embd},
                                   normal(recipe.initializer_range))) {}

    Parameter& token_table() { return tokens_; }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        at::Tensor hidden = embed(context.tokens, tokens_, positions_, positions(context));
        return {context.training ? counter_dropout(hidden, dropout_key(context, 0), recipe_.embd_pdrop) : hidden};
    }

  private:
    /// Undefined: from 0 on.
    static at::Tensor positions(const StepContext& context) {
        if (context.position_ids.defined() || context.cache == nullptr)
            return context.position_ids;
        std::int64_t begin = context.cache->length;
        return at::arange(begin, begin + context.tokens.size(1), context.tokens.options()).expand_as(context.tokens);
    }

    ModelRecipe recipe_;
    Parameter& tokens_;
    Parameter& positions_;
};

class Block final : public Unit {
  public:
    Block(const ModelRecipe& recipe, std::int64_t layer) : Unit(prefix(layer)), recipe_(recipe), layer_(layer) {
        std::int64_t width = recipe.n_embd, inner = inner_width(recipe);
        // The two projections that end a residual branch start smaller, by 1/sqrt of the number of branches.
        double last = recipe.initializer_range / std::sqrt(2.0 * static_cast<double>(recipe.n_layer));
        norm_1_ = norm("ln_1", width);
        attention_ = dense("attn.c_attn", width, 3 * width, recipe.initializer_range);
        projection_ = dense("attn.c_proj", width, width, last);
        norm_2_ = norm("ln_2", width);
        expand_ = dense("mlp.c_fc", width, inner, recipe.initializer_range);
        contract_ = dense("mlp.c_proj", inner, width, last);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        NormedStream input = normalise(norm_1_, inputs.at(0), {});
        at::Tensor mixed = attend(apply(attention_, input.normed), context);
        NormedStream middle = normalise(norm_2_, input.stream, drop(apply(projection_, mixed), context, 1));
        at::Tensor inner = gelu_tanh(apply(expand_, middle.normed));
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
        PlainAttention plain{.key = key(context, 0), .mask = context.attention_mask};
        if (context.training)
            plain.dropout = recipe_.attn_pdrop;
        if (context.cache != nullptr)
            plain.past = &context.cache->entries[this];
        bool needs_formula = plain.dropout > 0 || plain.mask.defined() || plain.past != nullptr;
        return needs_formula ? causal_attention_plain(qkv, recipe_.n_head, plain)
                             : causal_attention(qkv, recipe_.n_head);
    }
    at::Tensor apply(const Pair& pair, const at::Tensor& x) { return linear(x, *pair.weight, *pair.bias); }
    NormedStream normalise(const Pair& pair, const at::Tensor& stream, const at::Tensor& branch) {
        return normed_stream(stream, branch, *pair.weight, *pair.bias, recipe_.layer_norm_epsilon);
    }
    DropoutKey key(const StepContext& context, std::uint32_t place) const {
        return dropout_key(context, static_cast<std::uint32_t>(1 + 3 * layer_) + place);
    }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, std::uint32_t place) const {
        return context.training ? counter_dropout(x, key(context, place), recipe_.resid_pdrop) : x;
    }

    ModelRecipe recipe_;
    std::int64_t layer_;
    Pair norm_1_, attention_, projection_, norm_2_, expand_, contract_;
};

class Head final : public Unit {
  public:
    Head(const ModelRecipe& recipe, Parameter& table)
        : Unit("transformer.ln_f"),
          epsilon_(recipe.layer_norm_epsilon),
          table_(tie_parameter(table)),
          weight_(add_parameter("transformer.ln_f.weight", {recipe.n_embd}, kOnes)),
          bias_(add_parameter("transformer.ln_f.bias", {recipe.n_embd}, kZeros)) {}

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
    Parameter& table_;  ///< of the embedding
    Parameter& weight_;
    Parameter& bias_;
};

}  // namespace

Gpt2::Gpt2(const ModelRecipe& recipe) : recipe_(recipe) {
    auto embedding = std::make_unique<Embedding>(recipe);
    Parameter& table = embedding->token_table();
    units_.push_back(std::move(embedding));
    for (std::int64_t layer = 0; layer < recipe.n_layer; ++layer)
        units_.push_back(std::make_unique<Block>(recipe, layer));
    units_.push_back(std::make_unique<Head>(recipe, table));
}

std::vector<parallel::Unit*> Gpt2::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

std::vector<double> Gpt2::block_costs(std::int64_t seq) const {
    return config::gpt2_block_costs(recipe_, seq);
}

Tensors Gpt2::empty_streams(std::int64_t batch, std::int64_t seq, at::Device device) const {
    return {at::empty({batch, seq, recipe_.n_embd}, at::TensorOptions().dtype(at::kFloat).device(device))};
}

double Gpt2::flops_per_token(std::int64_t seq) const {
    auto width = static_cast<double>(recipe_.n_embd), layers = static_cast<double>(recipe_.n_layer);
    double weights = layers * (4 * width * width + 2 * width * static_cast<double>(inner_width(recipe_))) +
                     width * static_cast<double>(recipe_.vocab_size);
    return 6 * weights + 12 * layers * width * static_cast<double>(seq);
}

std::string Gpt2::config_json() const {
    nlohmann::ordered_json json{
        {"architectures", {"GPT2LMHeadModel"}},
        {"model_type", "gpt2"},
        {"activation_function", "gelu_new"},
        {"vocab_size", recipe_.vocab_size},
        {"n_positions", recipe_.n_positions},
        {"n_embd", recipe_.n_embd},
        {"n_layer", recipe_.n_layer},
        {"n_head", recipe_.n_head},
        {"n_inner", nullptr},
        {"resid_pdrop", recipe_.resid_pdrop},
        {"embd_pdrop", recipe_.embd_pdrop},
        {"attn_pdrop", recipe_.attn_pdrop},
        {"layer_norm_epsilon", recipe_.layer_norm_epsilon},
        {"initializer_range", recipe_.initializer_range},
        {"tie_word_embeddings", true},
        {"dtype", "float32"},
    };
    if (recipe_.n_inner > 0)
        json["n_inner"] = recipe_.n_inner;
    return json.dump(2) + "\n";
}

}  // namespace trainyard::models
