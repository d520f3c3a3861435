// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/t5_network.h"

#include <algorithm>
#include <cmath>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <fmt/format.h>

#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/t5/t5_family.h"

namespace trainyard::models {

namespace {

using families::ModelConfig;
using families::Part;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

const ModulePlan& t5_plan() {
    static const ModulePlan plan{
        {{"shared", "table"}, {"*.head_scores", "chunked"}, {"*layer_norm", "rms_norm"}, {"*", "linear"}}};
    return plan;
}

/// Class of each distance key - query, [seq, keys] int64: half of the classes for distances of their own, the others on
/// a logarithmic scale up to the largest one.
at::Tensor distance_classes(const ModelConfig& config, std::int64_t first, std::int64_t seq, std::int64_t keys,
                            bool both_directions, at::Device device) {
    const auto whole = at::TensorOptions().dtype(at::kLong).device(device);
    at::Tensor distance = at::arange(keys, whole).unsqueeze(0).sub(at::arange(first, first + seq, whole).unsqueeze(1));
    std::int64_t classes = config.relative_attention_num_buckets;
    at::Tensor base = at::zeros_like(distance);
    if (both_directions) {
        classes /= 2;
        base = distance.gt(0).to(at::kLong).mul(classes);
        distance = distance.abs();
    } else {
        distance = distance.clamp_max(0).neg();
    }
    const std::int64_t exact = classes / 2;
    const double scale =
        static_cast<double>(classes - exact) /
        std::log(static_cast<double>(config.relative_attention_max_distance) / static_cast<double>(exact));
    const at::Tensor far = distance.to(at::kFloat)
                               .div(static_cast<double>(exact))
                               .log()
                               .mul(scale)
                               .to(at::kLong)
                               .add(exact)
                               .clamp_max(classes - 1);
    return base.add(at::where(distance.lt(exact), distance, far));
}

/// Undefined where the decoder reads the labels.
at::Tensor given_decoder_tokens(const StepContext& context) {
    for (const auto& [name, tensor] : context.inputs)
        if (name == "decoder_input_ids")
            return tensor;
    return context.labels.defined() ? at::Tensor()
                                    : context.input("decoder_input_ids");  // which names the inputs that are there
}

class T5Unit : public TableUnit {
  protected:
    T5Unit(std::string name, const ModelConfig& config, const std::vector<TensorShape>& tensors, std::uint32_t place)
        : TableUnit(std::move(name), tensors, t5_plan()), config_(config), place_(16 * place) {}
    Norm norm(const std::string& module) const { return rms_norm(module, config_.layer_norm_epsilon); }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, std::uint32_t number) const {
        return context.training ? counter_dropout(x, key(context, number), config_.resid_pdrop) : x;
    }
    DropoutKey key(const StepContext& context, std::uint32_t number) const {
        return sample_dropout_key(context, place_ + number);
    }
    ModelConfig config_;
    std::uint32_t place_;
};

/// Streams: the hidden states of the encoder.
class T5Embedding final : public T5Unit {
  public:
    T5Embedding(const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : T5Unit("shared", config, tensors, 0), table_(embedding("shared")) {}
    Parameter& table() { return table_.table(); }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        return {drop(table_(context.tokens), context, 0)};
    }

  private:
    Embedding table_;
};

/// Attention of a block: of a sequence to itself, or of the decoder to the encoder.
class T5Attention {
  public:
    T5Attention(std::int64_t heads, Linear query, Linear key, Linear value, Linear output)
        : heads_(heads), query_(query), key_(key), value_(value), output_(output) {}
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& source, PlainAttention what) const {
        what.scale = 1;  // the initial weights make up for it
        return output_(attention_plain(split(query_(x)), split(key_(source)), split(value_(source)), what));
    }

  private:
    at::Tensor split(const at::Tensor& x) const {
        return x.view({x.size(0), x.size(1), heads_, x.size(2) / heads_}).transpose(1, 2);
    }
    std::int64_t heads_;
    Linear query_, key_, value_, output_;
};

/// Streams: the hidden states; in the decoder those of the encoder; and behind a stack's first block its position
/// biases [heads, seq, seq].
class T5Block final : public T5Unit {
  public:
    T5Block(const ModelConfig& config, bool decoder, std::int64_t layer, std::uint32_t place,
            const std::vector<TensorShape>& tensors)
        : T5Unit(fmt::format("{}.block.{}", decoder ? "decoder" : "encoder", layer), config, tensors, place),
          decoder_(decoder),
          feed_forward_(families::t5_feed_forward(config)),
          self_(make_attention("0.SelfAttention")),
          self_norm_(norm(full("0.layer_norm"))),
          inner_norm_(norm(full(fmt::format("{}.layer_norm", decoder ? 2 : 1)))),
          biases_(find_parameter(full("0.SelfAttention.relative_attention_bias.weight"))),
          gate_(find_linear(inner("wi_0"))),
          up_(feed_forward_.gated ? linear(inner("wi_1")) : linear(inner("wi"))),
          down_(linear(inner("wo"))) {
        if (decoder) {
            cross_ = make_attention("1.EncDecAttention");
            cross_norm_ = norm(full("1.layer_norm"));
        }
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        Tensors streams = inputs;
        const std::size_t bias = decoder_ ? 2 : 1;
        if (biases_ != nullptr)
            streams.push_back(position_bias(inputs.at(0).size(1), inputs.at(0).device()));
        PlainAttention what{.key = key(context, 0)};
        what.dropout = context.training ? config_.resid_pdrop : 0;
        what.causal = decoder_;
        what.bias = streams.at(bias);
        if (!decoder_)
            what.mask = context.attention_mask;
        NormedStream input = self_norm_(inputs.at(0), {});
        at::Tensor branch = drop(self_(input.normed, input.normed, what), context, 1);
        at::Tensor stream = input.stream;
        if (cross_) {
            PlainAttention across{.key = key(context, 2), .mask = context.attention_mask};
            across.dropout = what.dropout;
            across.causal = false;
            const NormedStream middle = (*cross_norm_)(stream, branch);
            branch = drop((*cross_)(middle.normed, inputs.at(1), across), context, 3);
            stream = middle.stream;
        }
        const NormedStream last = inner_norm_(stream, branch);
        streams[0] = add_branch(last.stream, feed_forward(last.normed, context));
        return streams;
    }

  private:
    std::string full(const std::string& module) const { return name() + ".layer." + module; }
    std::string inner(const std::string& module) const {
        return full(fmt::format("{}.DenseReluDense.{}", decoder_ ? 2 : 1, module));
    }
    T5Attention make_attention(const std::string& module) const {
        return {config_.n_head, linear(full(module + ".q")), linear(full(module + ".k")), linear(full(module + ".v")),
                linear(full(module + ".o"))};
    }
    at::Tensor position_bias(std::int64_t seq, at::Device device) const {
        const at::Tensor classes = distance_classes(config_, 0, seq, seq, !decoder_, device);
        return value_of(*biases_)
            .to(at::kFloat)
            .index_select(0, classes.reshape({-1}))
            .view({seq, seq, config_.n_head})
            .permute({2, 0, 1});
    }
    at::Tensor feed_forward(const at::Tensor& x, const StepContext& context) const {
        at::Tensor hidden = activate(feed_forward_.activation, gate_ ? (*gate_)(x) : up_(x));
        if (gate_)
            hidden = hidden.mul(up_(x));
        return drop(down_(drop(hidden, context, 4)), context, 5);
    }

    bool decoder_;
    families::T5FeedForward feed_forward_;
    T5Attention self_;
    Norm self_norm_, inner_norm_;
    std::optional<T5Attention> cross_;
    std::optional<Norm> cross_norm_;
    Parameter* biases_;
    std::optional<Linear> gate_;
    Linear up_, down_;
};

/// The end of the encoder and the beginning of the decoder. Streams out: the decoder's hidden states, the encoder's.
class T5Middle final : public T5Unit {
  public:
    T5Middle(const ModelConfig& config, Parameter& table, std::uint32_t place, const std::vector<TensorShape>& tensors)
        : T5Unit("encoder.final_layer_norm", config, tensors, place),
          norm_(norm("encoder.final_layer_norm")),
          table_(tie_parameter(table)) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const at::Tensor states = drop(norm_(inputs.at(0)), context, 0);
        return {drop(table_(decoder_tokens(context)), context, 1), states};
    }

  private:
    at::Tensor decoder_tokens(const StepContext& context) const {
        const at::Tensor given = given_decoder_tokens(context);
        if (given.defined())
            return given;
        const at::Tensor& labels = context.labels;
        const at::Tensor begin = at::full({labels.size(0), 1}, config_.decoder_start_token_id, labels.options());
        const at::Tensor shifted = at::cat({begin, labels.narrow(1, 0, labels.size(1) - 1)}, 1);
        return shifted.masked_fill(shifted.eq(kIgnoredLabel), std::max<std::int64_t>(0, config_.pad_token_id));
    }
    Norm norm_;
    Embedding table_;
};

class T5Head final : public T5Unit {
  public:
    T5Head(const ModelConfig& config, Parameter& table, std::uint32_t place, const std::vector<TensorShape>& tensors)
        : T5Unit("decoder.final_layer_norm", config, tensors, place),
          norm_(norm("decoder.final_layer_norm")),
          head_(head("lm.head_scores",
                     config.tie_word_embeddings ? &tie_parameter(table) : &parameter("lm_head.weight"),
                     {.next = false})) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        at::Tensor last = drop(norm_(inputs.at(0)), context, 0);
        if (config_.scale_decoder_outputs)
            last = last.mul(1 / std::sqrt(static_cast<double>(config_.n_embd)));
        if (context.logits != nullptr)
            *context.logits = head_.logits(last.detach());
        if (!context.labels.defined())
            return {last};
        return {head_.loss(last, context)};
    }

  private:
    Norm norm_;
    VocabularyHead head_;
};

}  // namespace

T5::T5(const ModelConfig& config) : Model(config) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    auto embedding = std::make_unique<T5Embedding>(config, tensors_of_part(tensors, Part::embedding));
    Parameter& table = embedding->table();
    units_.push_back(std::move(embedding));
    std::int64_t block = 0;
    std::uint32_t place = 1;
    auto add_stack = [&](bool decoder, std::int64_t layers) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            units_.push_back(std::make_unique<T5Block>(config, decoder, layer, place++,
                                                       tensors_of_part(tensors, Part::block, block++)));
            blocks_.push_back(units_.back().get());
        }
    };
    add_stack(false, config.n_layer);
    units_.push_back(
        std::make_unique<T5Middle>(config, table, place++, tensors_of_part(tensors, Part::block, block++)));
    add_stack(true, families::t5_decoder_layers(config));
    units_.push_back(std::make_unique<T5Head>(config, table, place, tensors_of_part(tensors, Part::head)));
}

Tensors T5::empty_streams(const parallel::Unit& block, const StepContext& context, at::Device device) const {
    const auto numbers = at::TensorOptions().dtype(at::kFloat).device(device);
    const std::int64_t rows = context.tokens.size(0), seq = context.tokens.size(1);
    Tensors streams{at::empty({rows, seq, config_.n_embd}, numbers)};
    const auto place = std::ranges::find(blocks_, &block) - blocks_.begin();
    std::int64_t own = seq;
    if (place >= config_.n_layer) {
        const at::Tensor tokens = given_decoder_tokens(context);
        own = tokens.defined() ? tokens.size(1) : context.labels.size(1);
        // The encoder's last norm gives the numbers that products are computed with.
        streams[0] = streams[0].to(block.parameters().front()->compute().scalar_type());
        streams.insert(streams.begin(), at::empty({rows, own, config_.n_embd}, numbers));
    }
    if (place != 0 && place != config_.n_layer)
        streams.push_back(at::empty({config_.n_head, own, own}, numbers));
    return streams;
}

double T5::count_targets(const StepContext& context) const {
    return context.labels.ne(kIgnoredLabel).sum().item<double>();
}

}  // namespace trainyard::models
