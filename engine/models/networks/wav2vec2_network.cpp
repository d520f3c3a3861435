// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/wav2vec2_network.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <ATen/ops/_weight_norm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/group_norm.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/where.h>
#include <ATen/ops/xlogy.h>
#include <ATen/ops/zeros_like.h>

#include <fmt/format.h>

#include "base/error.h"
#include "base/philox.h"
#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/activation.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"

namespace trainyard::models {

namespace {

using families::Activation;
using families::ModelConfig;
using families::Part;
using families::SpeechConvolution;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

constexpr double kConvolutionNormEpsilon = 1e-5;  ///< torch's, which transformers leaves as it is
/// Places of random numbers: of the blocks (probabilities, attention, inside of feed-forward, feed-forward, skipping)
/// from kPlacesBefore on.
constexpr std::int64_t kPlacesBefore = 2, kPlacesOfSpeechBlock = 5;

const ModulePlan& wav2vec2_plan() {
    static const ModulePlan plan{{{"*layer_norm", "layer_norm"}, {"*.attention_scores", "fused"}, {"*", "linear"}}};
    return plan;
}

Activation function_of(const std::string& name) {
    return families::activation_of(name).value_or(Activation::gelu);
}

at::Tensor is_masked(const StepContext& context) {
    return context.labels.ne(kIgnoredLabel);
}

/// Between blocks flow the hidden states and the features, which codes are chosen by: both fp32 [batch, frames, width].
class Wav2Vec2Unit : public TableUnit {
  protected:
    Wav2Vec2Unit(std::string name, const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : TableUnit(std::move(name), tensors, wav2vec2_plan()), config_(config) {}
    static DropoutKey key_of(const StepContext& context, std::int64_t place) {
        return sample_dropout_key(context, static_cast<std::uint32_t>(place));
    }
    static at::Tensor drop(const at::Tensor& x, const StepContext& context, double probability, std::int64_t place) {
        return context.training ? counter_dropout(x, key_of(context, place), probability) : x;
    }

    ModelConfig config_;
};

class SpeechEmbedding final : public Wav2Vec2Unit {
  public:
    SpeechEmbedding(const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : Wav2Vec2Unit("wav2vec2.feature_extractor", config, tensors),
          function_(function_of(config.feat_extract_activation)),
          feature_norm_(layer_norm("wav2vec2.feature_projection.layer_norm", config.layer_norm_epsilon)),
          projection_(linear("wav2vec2.feature_projection.projection")),
          mask_(parameter("wav2vec2.masked_spec_embed")),
          bias_(parameter(kPositions + "bias")),
          magnitude_(parameter(kPositions + "parametrizations.weight.original0")),
          direction_(parameter(kPositions + "parametrizations.weight.original1")) {
        for (const SpeechConvolution& each : families::speech_convolutions(config)) {
            Convolution made{
                each, &parameter(each.name + ".conv.weight"), find_parameter(each.name + ".conv.bias"), {}};
            if (each.has_norm && config.feat_extract_norm == "layer")
                made.norm = layer_norm(each.name + ".layer_norm", kConvolutionNormEpsilon);
            convolutions_.push_back(std::move(made));
        }
        if (!config.do_stable_layer_norm)
            norm_ = layer_norm("wav2vec2.encoder.layer_norm", config.layer_norm_epsilon);
    }

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        const at::Tensor features = feature_norm_(features_of(context.input("input_values"))).to(at::kFloat);
        at::Tensor hidden = drop(projection_(features), context, config_.feat_proj_dropout, 0).to(at::kFloat);
        if (context.labels.defined())
            hidden = at::where(is_masked(context).unsqueeze(-1), value_of(mask_).to(at::kFloat), hidden);
        if (context.attention_mask.defined())
            hidden = hidden.masked_fill(context.attention_mask.eq(0).unsqueeze(-1), 0);
        hidden = hidden.add(positions_of(hidden).to(at::kFloat));
        if (norm_)
            hidden = (*norm_)(hidden).to(at::kFloat);
        return {drop(hidden, context, config_.resid_pdrop, 1), features};
    }

  private:
    struct Convolution {
        SpeechConvolution row;
        Parameter* weight;
        Parameter* bias;  ///< nullptr: none
        std::optional<Norm> norm;
    };
    static inline const std::string kPositions = "wav2vec2.encoder.pos_conv_embed.conv.";

    /// [batch, samples] -> fp32 [batch, frames, channels]
    at::Tensor features_of(const at::Tensor& sound) const {
        if (families::speech_frames(config_, sound.size(1)) == 0)
            throw UserError(
                "recordings of {} samples are too short for model.conv_kernel and model.conv_stride, which make a "
                "frame "
                "of {}: give longer ones",
                sound.size(1), families::samples_of_frames(config_, 1));
        at::Tensor x = sound.unsqueeze(1);
        for (const Convolution& each : convolutions_) {
            const at::Tensor weight = value_of(*each.weight);
            const std::optional<at::Tensor> bias =
                each.bias != nullptr ? std::optional(value_of(*each.bias)) : std::nullopt;
            x = at::conv1d(x.to(weight.scalar_type()), weight, bias, each.row.stride);
            if (each.norm)
                x = (*each.norm)(x.transpose(1, 2).contiguous().to(at::kFloat)).transpose(1, 2);
            else if (each.row.has_norm)
                x = at::group_norm(x.to(at::kFloat), each.row.out,
                                   value_of(parameter(each.row.name + ".layer_norm.weight")).to(at::kFloat),
                                   value_of(parameter(each.row.name + ".layer_norm.bias")).to(at::kFloat),
                                   kConvolutionNormEpsilon);
            x = activate(function_, x);
        }
        return x.transpose(1, 2).contiguous().to(at::kFloat);
    }
    at::Tensor positions_of(const at::Tensor& hidden) const {
        const at::Tensor direction = value_of(direction_), bias = value_of(bias_);
        const at::Tensor weight =
            at::_weight_norm(direction.to(at::kFloat), value_of(magnitude_).to(at::kFloat), 2).to(bias.scalar_type());
        const std::int64_t kernel = config_.num_conv_pos_embeddings;
        at::Tensor x = at::conv1d(hidden.transpose(1, 2).to(bias.scalar_type()), weight, bias, 1, kernel / 2, 1,
                                  config_.num_conv_pos_embedding_groups);
        if (kernel % 2 == 0)  // as many as there are frames
            x = x.narrow(2, 0, x.size(2) - 1);
        return activate(function_, x).transpose(1, 2);
    }

    Activation function_;
    std::vector<Convolution> convolutions_;
    Norm feature_norm_;
    Linear projection_;
    Parameter &mask_, &bias_, &magnitude_, &direction_;
    std::optional<Norm> norm_;
};

class SpeechBlock final : public Wav2Vec2Unit {
  public:
    SpeechBlock(const ModelConfig& config, std::int64_t number, const std::vector<TensorShape>& tensors)
        : Wav2Vec2Unit(fmt::format("wav2vec2.encoder.layers.{}", number), config, tensors),
          number_(number),
          query_(linear(name() + ".attention.q_proj")),
          key_(linear(name() + ".attention.k_proj")),
          value_(linear(name() + ".attention.v_proj")),
          attention_(attention(name() + ".attention_scores", config.n_head, 0)),
          output_(linear(name() + ".attention.out_proj")),
          norm_1_(layer_norm(name() + ".layer_norm", config.layer_norm_epsilon)),
          up_(linear(name() + ".feed_forward.intermediate_dense")),
          down_(linear(name() + ".feed_forward.output_dense")),
          norm_2_(layer_norm(name() + ".final_layer_norm", config.layer_norm_epsilon)),
          function_(function_of(config.activation_function)) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        if (is_skipped(context))
            return inputs;
        if (config_.do_stable_layer_norm) {
            const NormedStream input = norm_1_(inputs.at(0), {});
            const NormedStream middle = norm_2_(input.stream, attend(input.normed, context));
            return {add_branch(middle.stream, feed_forward(middle.normed, context)), inputs.at(1)};
        }
        const at::Tensor middle = norm_1_(inputs.at(0), attend(inputs.at(0), context)).normed;
        return {norm_2_(middle.to(at::kFloat), feed_forward(middle, context)).normed.to(at::kFloat), inputs.at(1)};
    }

  private:
    std::int64_t place(std::int64_t number) const { return kPlacesBefore + kPlacesOfSpeechBlock * number_ + number; }

    /// Of all samples of a step alike. Fan, Grave and Joulin, "Reducing transformer depth on demand with structured
    /// dropout", 2020.
    bool is_skipped(const StepContext& context) const {
        const auto bits = philox(context.seed, RandomStream::dropout, static_cast<std::uint32_t>(context.step),
                                 static_cast<std::uint32_t>(place(4)), 0);
        return context.training && uniform(bits[0]) < static_cast<float>(config_.layerdrop);
    }
    at::Tensor attend(const at::Tensor& x, const StepContext& context) const {
        PlainAttention what{.key = key_of(context, place(0)), .mask = context.attention_mask};
        what.causal = false;
        if (context.training)
            what.dropout = config_.attn_pdrop;
        const at::Tensor mixed = attention_(Linear::side_by_side(x, {&query_, &key_, &value_}), what);
        return drop(output_(mixed), context, config_.resid_pdrop, place(1));
    }
    at::Tensor feed_forward(const at::Tensor& x, const StepContext& context) const {
        const at::Tensor wide = drop(activate(function_, up_(x)), context, config_.activation_dropout, place(2));
        return drop(down_(wide), context, config_.resid_pdrop, place(3));
    }

    std::int64_t number_;
    Linear query_, key_, value_;
    CausalAttention attention_;
    Linear output_;
    Norm norm_1_;
    Linear up_, down_;
    Norm norm_2_;
    Activation function_;
};

class SpeechHead final : public Wav2Vec2Unit {
  public:
    SpeechHead(const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : Wav2Vec2Unit("quantizer", config, tensors),
          scores_(linear("quantizer.weight_proj")),
          codes_(parameter("quantizer.codevectors")),
          hidden_(linear("project_hid")),
          quantized_(linear("project_q")) {
        if (config.do_stable_layer_norm)
            norm_ = layer_norm("wav2vec2.encoder.layer_norm", config.layer_norm_epsilon);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const at::Tensor hidden = norm_ ? (*norm_)(inputs.at(0)) : inputs.at(0);
        const at::Tensor predicted = hidden_(hidden).to(at::kFloat);
        if (!context.labels.defined())
            return {predicted};
        const Chosen chosen = choose(inputs.at(1), context);
        const at::Tensor logits = logits_of(predicted, chosen, context.input("sampled_negative_indices"));
        if (context.logits != nullptr)
            *context.logits = logits.detach();
        const at::Tensor sum = context.own_loss ? context.own_loss(logits, context.labels)
                                                : loss_of(logits, chosen.shares, is_masked(context));
        if (!context.recomputing)
            context.loss_sum.add_(sum.detach());
        return {sum.mul(context.loss_scale)};
    }

  private:
    struct Chosen {
        at::Tensor numbers;  ///< of the codes, [batch, frames, groups]
        at::Tensor vectors;  ///< of the codes, in the width of the comparison, fp32 [batch, frames, width]
        at::Tensor shares;   ///< of each code, [batch, frames, groups, codes]
    };

    /// While training, codes are drawn. Jang, Gu and Poole, "Categorical reparameterization with Gumbel-softmax", 2017.
    Chosen choose(const at::Tensor& features, const StepContext& context) const {
        const std::int64_t last = kPlacesBefore + kPlacesOfSpeechBlock * config_.n_layer;
        const std::int64_t rows = features.size(0), frames = features.size(1);
        const at::Tensor scores =
            scores_(drop(features, context, config_.feat_quantizer_dropout, last))
                .to(at::kFloat)
                .view({rows, frames, config_.num_codevector_groups, config_.num_codevectors_per_group});
        at::Tensor drawn = scores;
        if (context.training) {
            const at::Tensor even =
                counter_uniform(rows, scores.numel() / rows, key_of(context, last + 1), scores.device());
            drawn = at::softmax(scores.add(even.log().neg().log().neg().view_as(scores)).div(temperature(context)), -1);
        }
        Chosen made;
        made.numbers = drawn.argmax(-1);
        at::Tensor hard = at::zeros_like(scores.detach()).scatter_(-1, made.numbers.unsqueeze(-1), 1);
        made.shares = context.training ? at::softmax(scores, -1) : hard;
        if (context.training)  // the gradient is that of the soft choice
            hard = hard.sub(drawn.detach()).add(drawn);
        const at::Tensor table = value_of(codes_)
                                     .to(at::kFloat)
                                     .view({config_.num_codevector_groups, config_.num_codevectors_per_group, -1});
        const at::Tensor found = at::einsum("bfgv,gvd->bfgd", {hard, table}).reshape({rows, frames, -1});
        made.vectors = quantized_(found).to(at::kFloat);
        return made;
    }
    double temperature(const StepContext& context) const {
        return std::max(
            config_.max_gumbel_temperature * std::pow(config_.gumbel_temperature_decay,
                                                      static_cast<double>(std::max<std::int64_t>(0, context.step))),
            config_.min_gumbel_temperature);
    }

    /// Cosines with the code of the frame itself and with those of `negatives`. One that is the same code is left out.
    at::Tensor logits_of(const at::Tensor& predicted, const Chosen& chosen, const at::Tensor& negatives) const {
        const auto unit = [](const at::Tensor& x) {
            return x.div(at::linalg_vector_norm(x, 2, -1, true).clamp_min(1e-8));
        };
        const at::Tensor cosines = at::einsum("bfd,bgd->bfg", {unit(predicted), unit(chosen.vectors)})
                                       .div(config_.contrastive_logits_temperature);
        const at::Tensor same = chosen.numbers.unsqueeze(2).eq(chosen.numbers.unsqueeze(1)).all(-1);
        const at::Tensor others = cosines.gather(2, negatives).masked_fill(same.gather(2, negatives), -kNever);
        return at::cat({cosines.diagonal(0, 1, 2).unsqueeze(-1), others}, -1);
    }
    /// The sum over masked frames, 0-dim float64.
    at::Tensor loss_of(const at::Tensor& logits, const at::Tensor& shares, const at::Tensor& masked) const {
        constexpr double kLeastShare = 1e-30;  // whose logarithm has a gradient
        const at::Tensor counted = masked.to(at::kFloat), count = counted.sum();
        const at::Tensor contrastive =
            at::logsumexp(logits, -1).sub(logits.select(-1, 0)).mul(counted).sum(at::kDouble);
        const at::Tensor mean = shares.mul(counted.unsqueeze(-1).unsqueeze(-1))
                                    .sum(at::IntArrayRef{0, 1})
                                    .div(count.clamp_min(1))
                                    .clamp_min(kLeastShare);
        const at::Tensor perplexity = at::xlogy(mean, mean).sum(-1).neg().exp().sum();
        const auto codes = static_cast<double>(config_.num_codevector_groups * config_.num_codevectors_per_group);
        const at::Tensor diversity = perplexity.neg().add(codes).div(codes).mul(count);
        return contrastive.add(diversity.to(at::kDouble), config_.diversity_loss_weight);
    }

    static constexpr double kNever = std::numeric_limits<double>::infinity();
    Linear scores_;
    Parameter& codes_;
    Linear hidden_, quantized_;
    std::optional<Norm> norm_;
};

}  // namespace

Wav2Vec2::Wav2Vec2(const ModelConfig& config) : Model(config) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    units_.push_back(std::make_unique<SpeechEmbedding>(config, tensors_of_part(tensors, Part::embedding)));
    for (std::int64_t number = 0; number < config.n_layer; ++number)
        units_.push_back(std::make_unique<SpeechBlock>(config, number, tensors_of_part(tensors, Part::block, number)));
    units_.push_back(std::make_unique<SpeechHead>(config, tensors_of_part(tensors, Part::head)));
}

std::vector<parallel::Unit*> Wav2Vec2::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors Wav2Vec2::empty_streams(const parallel::Unit&, const StepContext& context, at::Device device) const {
    const at::Tensor& sound = context.input("input_values");
    const std::int64_t frames = families::speech_frames(config_, sound.size(1));
    const auto options = at::TensorOptions().dtype(at::kFloat).device(device);
    return {at::empty({sound.size(0), frames, config_.n_embd}, options),
            at::empty({sound.size(0), frames, families::speech_convolutions(config_).back().out}, options)};
}

double Wav2Vec2::count_targets(const StepContext& context) const {
    return is_masked(context).sum().item<double>();
}

}  // namespace trainyard::models
