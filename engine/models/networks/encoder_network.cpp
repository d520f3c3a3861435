// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/encoder_network.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/zeros_like.h>

#include <fmt/format.h>

#include "base/error.h"
#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/embedding_loss.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/modules/class_head.h"
#include "models/nn/modules/table_unit.h"
#include "models/plugins/plugins.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

using families::EncoderHead;
using families::EncoderOptions;
using families::Part;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

const ModulePlan& encoder_plan() {
    static const ModulePlan plan{{{"*_embeddings", "table"},
                                  {"*.attention_scores", "fused"},
                                  {"*.head_scores", "chunked"},
                                  {"*LayerNorm", "layer_norm"},
                                  {"*layer_norm", "layer_norm"},
                                  {"*layernorm*", "layer_norm"},
                                  {"*.ln", "layer_norm"},
                                  {"*", "linear"}}};
    return plan;
}

class EncoderUnit : public TableUnit {
  protected:
    EncoderUnit(std::string name, const EncoderOptions& options, const std::vector<TensorShape>& tensors)
        : TableUnit(std::move(name), tensors, encoder_plan()), options_(options) {}
    at::Tensor drop(const at::Tensor& x, const StepContext& context, double probability, std::uint32_t place) const {
        return context.training ? counter_dropout(x, sample_dropout_key(context, place), probability) : x;
    }
    EncoderOptions options_;
};

class TextEmbedding final : public EncoderUnit {
  public:
    TextEmbedding(const EncoderOptions& options, const std::vector<TensorShape>& tensors)
        : EncoderUnit(options.names.token_table, options, tensors),
          tokens_(embedding(options.names.token_table, options.padding)),
          positions_(
              embedding(options.names.position_table, options.first_position > 0 ? options.first_position - 1 : -1)) {
        if (!options.names.table_norm.empty())
            norm_ = layer_norm(options.names.table_norm, options.epsilon);
        if (options.types > 0)
            types_ = embedding(options.names.type_table);
    }
    Parameter& table() { return tokens_.table(); }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        fold_texts(context);
        at::Tensor hidden = tokens_(context.tokens, positions_, position_ids(context));
        if (types_)
            hidden = hidden.add((*types_)(type_ids(context)));
        return {drop(norm_ ? (*norm_)(hidden).to(at::kFloat) : hidden, context, options_.hidden_dropout, 0)};
    }

  private:
    /// Texts of a pair [rows, 2, length], or choices, are rows of their own from here on.
    static void fold_texts(StepContext& context) {
        if (context.tokens.dim() != 3)
            return;
        context.first_sample *= context.tokens.size(1);
        context.tokens = context.tokens.flatten(0, 1);
        if (context.attention_mask.defined())
            context.attention_mask = context.attention_mask.flatten(0, 1);
    }
    at::Tensor position_ids(const StepContext& context) const {
        if (context.position_ids.defined() || options_.first_position < 0)
            return context.position_ids;
        const at::Tensor counted = context.tokens.ne(options_.padding).to(at::kLong);
        return at::cumsum(counted, 1).mul(counted).add(options_.first_position - 1);
    }
    static at::Tensor type_ids(const StepContext& context) {
        for (const auto& [name, tensor] : context.inputs)
            if (name == "token_type_ids")
                return tensor.view_as(context.tokens);
        return at::zeros_like(context.tokens);
    }

    Embedding tokens_, positions_;
    std::optional<Embedding> types_;
    std::optional<Norm> norm_;
};

class ImageEmbedding final : public EncoderUnit {
  public:
    ImageEmbedding(const EncoderOptions& options, const std::vector<TensorShape>& tensors)
        : EncoderUnit(options.names.patch_projection, options, tensors),
          class_token_(parameter(options.names.class_token)),
          positions_(parameter(options.names.position_table)),
          weight_(parameter(options.names.patch_projection + ".weight")),
          bias_(parameter(options.names.patch_projection + ".bias")) {}

  protected:
    /// pixel_values [batch, channels, height, width]
    Tensors forward(const Tensors&, StepContext& context) override {
        const at::Tensor weight = value_of(weight_), pixels = context.input("pixel_values").to(weight.scalar_type());
        const at::Tensor patches =
            at::conv2d(pixels, weight, value_of(bias_), options_.patch_size).flatten(2).transpose(1, 2).to(at::kFloat);
        const at::Tensor first = value_of(class_token_).to(at::kFloat).expand({pixels.size(0), 1, options_.width});
        const at::Tensor hidden = at::cat({first, patches}, 1).add(value_of(positions_).to(at::kFloat));
        return {drop(hidden, context, options_.hidden_dropout, 0)};
    }

  private:
    Parameter &class_token_, &positions_, &weight_, &bias_;
};

class EncoderBlock final : public EncoderUnit {
  public:
    EncoderBlock(const EncoderOptions& options, std::int64_t layer, const std::vector<TensorShape>& tensors)
        : EncoderUnit(fmt::format("{}{}", options.names.blocks, layer), options, tensors),
          layer_(layer),
          query_(linear(full(options.names.query))),
          key_(linear(full(options.names.key))),
          value_(linear(full(options.names.value))),
          attention_(attention(name() + ".attention_scores", options.heads, 0)),
          output_(linear(full(options.names.attention_output))),
          up_(linear(full(options.names.up))),
          down_(linear(full(options.names.down))),
          norm_1_(layer_norm(full(options.names.norm_1), options.epsilon)),
          norm_2_(layer_norm(full(options.names.norm_2), options.epsilon)) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        if (options_.pre_norm) {
            const NormedStream input = norm_1_(inputs.at(0), {});
            const NormedStream middle = norm_2_(input.stream, attend(input.normed, context));
            return {add_branch(middle.stream, feed_forward(middle.normed, context))};
        }
        const at::Tensor middle = norm_1_(inputs.at(0), attend(inputs.at(0), context)).normed;
        return {norm_2_(middle.to(at::kFloat), feed_forward(middle, context)).normed.to(at::kFloat)};
    }

  private:
    std::string full(const std::string& module) const { return name() + "." + module; }

    at::Tensor attend(const at::Tensor& x, const StepContext& context) const {
        PlainAttention what{.key = sample_dropout_key(context, place(0)), .mask = context.attention_mask};
        what.causal = false;
        if (context.training)
            what.dropout = options_.attention_dropout;
        const at::Tensor mixed = attention_(Linear::side_by_side(x, {&query_, &key_, &value_}), what);
        return drop(output_(mixed), context, options_.hidden_dropout, place(1));
    }
    at::Tensor feed_forward(const at::Tensor& x, const StepContext& context) const {
        return drop(down_(activate(options_.activation, up_(x))), context, options_.hidden_dropout, place(2));
    }
    std::uint32_t place(std::uint32_t number) const { return static_cast<std::uint32_t>(1 + 3 * layer_) + number; }

    std::int64_t layer_;
    Linear query_, key_, value_;
    CausalAttention attention_;
    Linear output_, up_, down_;
    Norm norm_1_, norm_2_;
};

class TaskHead final : public EncoderUnit {
  public:
    /// `tokens`: the token table, which is the weight of a tied vocabulary; null for images.
    TaskHead(const EncoderOptions& options, Parameter* tokens, const std::vector<TensorShape>& tensors)
        : EncoderUnit(fmt::format("head of {}", options.head.task), options, tensors),
          dense_(find_linear(options.head.dense)) {
        const EncoderHead& row = options.head;
        if (!options.names.final_norm.empty())
            final_norm_ = layer_norm(options.names.final_norm, options.epsilon);
        if (!row.norm.empty())
            norm_ = layer_norm(row.norm, options.epsilon);
        if (!row.bias.empty())
            vocabulary_ = head(row.task + ".head_scores",
                               options.tied_head ? &tie_parameter(*tokens) : &parameter(row.output + ".weight"),
                               {.next = false, .bias = &parameter(row.bias)});
        else
            output_ = find_linear(row.output);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const EncoderHead& row = options_.head;
        at::Tensor x = inputs.at(0);
        if (final_norm_)
            x = (*final_norm_)(x);
        if (row.input == EncoderHead::Input::first_token)
            x = x.select(1, 0);
        else if (row.input == EncoderHead::Input::mean)
            x = mean_of_tokens(x, context);
        if (row.drops_input)
            x = drop(x, context, options_.head_dropout, place(0));
        if (dense_)
            x = activated((*dense_)(x));
        if (norm_)
            x = (*norm_)(x.to(at::kFloat));
        if (row.drops_output)
            x = drop(x, context, options_.head_dropout, place(1));
        if (vocabulary_)
            return {of_vocabulary(x, context)};
        if (output_ && row.task == families::kMultipleChoice && context.labels.defined())
            return {finish_classes(options_.problem, (*output_)(x).view({context.labels.size(0), -1}), context)};
        if (output_)
            return {finish_classes(options_.problem, (*output_)(x), context)};
        if (row.task == families::kSentenceEmbedding && context.labels.defined())
            return {of_pairs(x.reshape({-1, 2, x.size(-1)}), context)};
        if (context.logits != nullptr)
            *context.logits = x.detach();
        return {x};
    }

  private:
    at::Tensor activated(const at::Tensor& x) const {
        switch (options_.head.act) {
            case EncoderHead::Act::gelu:
                return activate(families::Activation::gelu, x);
            case EncoderHead::Act::tanh:
                return activate(families::Activation::tanh, x);
            case EncoderHead::Act::relu:
                return activate(families::Activation::relu, x);
            default:
                return activate(options_.activation, x);
        }
    }
    /// Of the tokens that are attended to, as a vector of length 1. Reimers and Gurevych, "Sentence-BERT", 2019.
    static at::Tensor mean_of_tokens(const at::Tensor& x, const StepContext& context) {
        at::Tensor mean;
        if (context.attention_mask.defined()) {
            const at::Tensor counted = context.attention_mask.ne(0).unsqueeze(-1).to(x.scalar_type());
            mean = x.mul(counted).sum(1).div(counted.sum(1).clamp_min(1e-9));
        } else {
            mean = x.mean(1);
        }
        return mean.div(at::linalg_vector_norm(mean, 2, -1, true).clamp_min(1e-12));
    }
    /// Only rows with a label are multiplied with the vocabulary: of masked tokens that is one in seven.
    at::Tensor of_vocabulary(const at::Tensor& x, StepContext& context) const {
        if (context.logits != nullptr)
            *context.logits = vocabulary_->logits(x.detach());
        if (!context.labels.defined())
            return x;
        const at::Tensor labels = context.labels.reshape({-1});
        const at::Tensor places = labels.ne(kIgnoredLabel).nonzero().view({-1});
        const at::Tensor rows = x.reshape({-1, x.size(-1)}).index_select(0, places).unsqueeze(0);
        StepContext of_rows = context;
        of_rows.labels = labels.index_select(0, places).unsqueeze(0);
        return vocabulary_->loss(rows, of_rows);
    }
    /// The root of backward, as finish_classes() has it; logits are the cosines.
    at::Tensor of_pairs(const at::Tensor& embeddings, StepContext& context) const {
        if (context.logits != nullptr)
            *context.logits = pair_cosines(embeddings).detach().to(at::kFloat);
        const at::Tensor sum = embedding_loss(options_.problem, embeddings, context.labels);
        if (!context.recomputing)
            context.loss_sum.add_(sum.detach());
        return sum.mul(context.loss_scale);
    }
    std::uint32_t place(std::uint32_t number) const {
        return static_cast<std::uint32_t>(1 + 3 * options_.layers) + number;
    }

    std::optional<Linear> dense_, output_;
    std::optional<Norm> final_norm_, norm_;
    std::optional<VocabularyHead> vocabulary_;
};

}  // namespace

Encoder::Encoder(const families::ModelConfig& config) : Model(config), options_(families::encoder_options(config)) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    const std::vector<TensorShape> first = tensors_of_part(tensors, Part::embedding);
    Parameter* table = nullptr;
    if (options_.names.class_token.empty()) {
        auto embedding = std::make_unique<TextEmbedding>(options_, first);
        table = &embedding->table();
        units_.push_back(std::move(embedding));
    } else {
        units_.push_back(std::make_unique<ImageEmbedding>(options_, first));
    }
    for (std::int64_t layer = 0; layer < options_.layers; ++layer)
        units_.push_back(std::make_unique<EncoderBlock>(options_, layer, tensors_of_part(tensors, Part::block, layer)));
    units_.push_back(std::make_unique<TaskHead>(options_, table, tensors_of_part(tensors, Part::head)));
}

std::vector<parallel::Unit*> Encoder::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors Encoder::empty_streams(const parallel::Unit&, const StepContext& context, at::Device device) const {
    const bool reads = options_.names.class_token.empty();
    const std::int64_t rows = reads ? context.tokens.size(0) : context.input("pixel_values").size(0),
                       positions = reads ? context.tokens.size(1) : options_.patches() + 1;
    return {at::empty({rows, positions, options_.width}, at::TensorOptions().dtype(at::kFloat).device(device))};
}

double Encoder::count_targets(const StepContext& context) const {
    if (!options_.head.bias.empty())
        return context.labels.ne(kIgnoredLabel).sum().item<double>();
    if (options_.head.task == families::kSentenceEmbedding)
        return plugins::counted_labels(context.labels).sum().item<double>();
    return count_class_targets(options_.problem, context.labels);
}

}  // namespace trainyard::models
