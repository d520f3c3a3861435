// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/segformer_network.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <ATen/ops/cat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/upsample_bilinear2d.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/attention.h"
#include "models/nn/kernels/batch_norm.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/modules/class_head.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/activation.h"
#include "models/spec/labels.h"
#include "models/spec/segformer/segformer_family.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

using families::FeatureGrid;
using families::ModelConfig;
using families::Part;
using families::SegformerPlan;
using families::SegformerStage;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

constexpr double kNormEpsilon = 1e-5;  ///< torch's, which transformers leaves as it is
/// Places of dropout in a block: probabilities, branch and both layers of the MLP, two skipped branches.
constexpr std::int64_t kPlacesOfBlock = 6;

const ModulePlan& segformer_plan_of_modules() {
    static const ModulePlan plan{{{"*layer_norm*", "layer_norm"}, {"*", "linear"}}};
    return plan;
}

FeatureGrid image_of(const StepContext& context) {
    const at::Tensor& pixels = context.input("pixel_values");
    return {pixels.size(2), pixels.size(3)};
}

/// [batch, positions, channels] -> [batch, channels, height, width]; in channels-last order without a copy.
at::Tensor as_map(const at::Tensor& tokens, const FeatureGrid& grid) {
    return tokens.view({tokens.size(0), grid.height, grid.width, tokens.size(2)}).permute({0, 3, 1, 2});
}

at::Tensor as_tokens(const at::Tensor& map) {
    return map.flatten(2).transpose(1, 2).contiguous();
}

/// What flows between blocks: the positions of the block's stage, unless it begins one, then those of the stages before
/// it, which the decoder reads.
class SegformerUnit : public TableUnit {
  protected:
    SegformerUnit(std::string name, const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : TableUnit(std::move(name), tensors, segformer_plan_of_modules()), config_(config) {}

    struct Convolution {
        Parameter *weight, *bias;
        std::int64_t stride = 1, padding = 0, groups = 1;
    };
    Convolution make_convolution(const std::string& module, std::int64_t stride = 1, std::int64_t padding = 0,
                                 std::int64_t groups = 1) const {
        return {&parameter(module + ".weight"), find_parameter(module + ".bias"), stride, padding, groups};
    }
    static at::Tensor convolved(const Convolution& row, const at::Tensor& x) {
        const at::Tensor weight = value_of(*row.weight);
        const std::optional<at::Tensor> bias = row.bias != nullptr ? std::optional(value_of(*row.bias)) : std::nullopt;
        return at::conv2d(x.to(weight.scalar_type()), weight, bias, row.stride, row.padding, 1, row.groups);
    }
    at::Tensor drop(const at::Tensor& x, const StepContext& context, double probability, std::int64_t place) const {
        return context.training
                   ? counter_dropout(x, sample_dropout_key(context, static_cast<std::uint32_t>(place)), probability)
                   : x;
    }

    ModelConfig config_;
};

/// Patches that overlap, and their norm.
class PatchLayer {
  public:
    PatchLayer(parallel::Parameter& weight, parallel::Parameter& bias, Norm norm, const SegformerStage& stage)
        : weight_(weight), bias_(bias), norm_(std::move(norm)), stage_(stage) {}
    /// [batch, channels, height, width] -> fp32 [batch, positions, width]
    at::Tensor operator()(const at::Tensor& x) const {
        const at::Tensor weight = value_of(weight_);
        const at::Tensor mixed =
            at::conv2d(x.to(weight.scalar_type()), weight, value_of(bias_), stage_.stride, stage_.patch / 2);
        return norm_(as_tokens(mixed).to(at::kFloat)).to(at::kFloat);
    }

  private:
    parallel::Parameter &weight_, &bias_;
    Norm norm_;
    SegformerStage stage_;
};

class SegformerEmbedding final : public SegformerUnit {
  public:
    SegformerEmbedding(const ModelConfig& config, const SegformerPlan& plan, const std::vector<TensorShape>& tensors)
        : SegformerUnit(plan.stages.front().patches, config, tensors),
          patches_(parameter(name() + ".proj.weight"), parameter(name() + ".proj.bias"),
                   layer_norm(name() + ".layer_norm", kNormEpsilon), plan.stages.front()),
          plan_(plan) {}

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        if (Message problem = plan_.why_too_small(image_of(context)); !problem.empty())
            throw UserError(std::move(problem));
        return {patches_(context.input("pixel_values"))};
    }

  private:
    PatchLayer patches_;
    SegformerPlan plan_;
};

class SegformerBlock final : public SegformerUnit {
  public:
    SegformerBlock(const ModelConfig& config, const SegformerPlan& plan, std::size_t stage, std::int64_t number,
                   const std::vector<TensorShape>& tensors)
        : SegformerUnit(SegformerPlan::block_name(stage, number), config, tensors),
          plan_(plan),
          number_(stage),
          stage_(plan_.stages[stage]),
          block_(stage_.first_block + number),
          norm_1_(layer_norm(name() + ".layer_norm_1", kNormEpsilon)),
          norm_2_(layer_norm(name() + ".layer_norm_2", kNormEpsilon)),
          query_(linear(name() + ".attention.self.query")),
          key_(linear(name() + ".attention.self.key")),
          value_(linear(name() + ".attention.self.value")),
          output_(linear(name() + ".attention.output.dense")),
          up_(linear(name() + ".mlp.dense1")),
          down_(linear(name() + ".mlp.dense2")),
          mix_(make_convolution(name() + ".mlp.dwconv.dwconv", 1, 1, stage_.inner)),
          activation_(families::activation_of(config.activation_function).value_or(families::Activation::gelu)) {
        const std::string first = stage_.patches, reduction = name() + ".attention.self.sr";
        if (stage > 0 && number == 0)
            patches_.emplace(parameter(first + ".proj.weight"), parameter(first + ".proj.bias"),
                             layer_norm(first + ".layer_norm", kNormEpsilon), stage_);
        if (stage_.reduction > 1) {
            reduction_ = make_convolution(reduction, stage_.reduction);
            reduction_norm_ = layer_norm(name() + ".attention.self.layer_norm", kNormEpsilon);
        }
        if (number == stage_.blocks - 1)
            last_norm_ = layer_norm(stage_.norm, kNormEpsilon);
        const std::int64_t blocks = std::max<std::int64_t>(1, plan_.blocks - 1);
        skipped_ = config.drop_path_rate * static_cast<double>(block_) / static_cast<double>(blocks);
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const std::vector<FeatureGrid> grids = plan_.grids(image_of(context));
        const FeatureGrid grid = grids[number_];
        Tensors stages(inputs.begin() + (patches_ ? 0 : 1), inputs.end());
        at::Tensor x = patches_ ? (*patches_)(as_map(inputs.back(), grids[number_ - 1])) : inputs.front();
        x = x.add(branch(attended(norm_1_(x), grid, context), context, 4));
        x = x.add(branch(mixed(norm_2_(x), grid, context), context, 5));
        if (last_norm_) {
            stages.push_back((*last_norm_)(x).to(at::kFloat));
            return stages;
        }
        stages.insert(stages.begin(), x);
        return stages;
    }

  private:
    std::int64_t place(std::int64_t number) const { return kPlacesOfBlock * block_ + number; }

    /// fp32, zero for the samples that skip it. Huang et al., "Deep networks with stochastic depth", 2016.
    at::Tensor branch(const at::Tensor& x, const StepContext& context, std::int64_t number) const {
        const at::Tensor made = x.to(at::kFloat);
        if (!context.training || skipped_ == 0)
            return made;
        const at::Tensor factors =
            drop(at::ones({x.size(0), 1}, made.options().requires_grad(false)), context, skipped_, place(number));
        return made.mul(factors.view({-1, 1, 1}));
    }

    at::Tensor attended(const at::Tensor& x, const FeatureGrid& grid, const StepContext& context) const {
        at::Tensor reduced = x;
        if (reduction_)
            reduced = (*reduction_norm_)(as_tokens(convolved(*reduction_, as_map(x, grid))).to(at::kFloat));
        const auto heads = [&](const at::Tensor& packed) {
            return packed.view({packed.size(0), packed.size(1), stage_.heads, stage_.width / stage_.heads})
                .transpose(1, 2);
        };
        const at::Tensor query = heads(query_(x)), key = heads(key_(reduced)), value = heads(value_(reduced));
        at::Tensor joined;
        if (context.training && config_.attn_pdrop > 0) {
            PlainAttention what{.key = sample_dropout_key(context, static_cast<std::uint32_t>(place(0))),
                                .dropout = config_.attn_pdrop};
            what.causal = false;
            joined = attention_plain(query, key, value, what);
        } else {
            joined = at::scaled_dot_product_attention(query, key, value)
                         .transpose(1, 2)
                         .reshape({x.size(0), x.size(1), stage_.width});
        }
        return drop(output_(joined), context, config_.resid_pdrop, place(1));
    }

    at::Tensor mixed(const at::Tensor& x, const FeatureGrid& grid, const StepContext& context) const {
        const at::Tensor wide = activate(activation_, as_tokens(convolved(mix_, as_map(up_(x), grid))));
        return drop(down_(drop(wide, context, config_.resid_pdrop, place(2))), context, config_.resid_pdrop, place(3));
    }

    SegformerPlan plan_;
    std::size_t number_;
    SegformerStage stage_;
    std::int64_t block_;
    Norm norm_1_, norm_2_;
    Linear query_, key_, value_, output_, up_, down_;
    Convolution mix_;
    families::Activation activation_;
    std::optional<PatchLayer> patches_;
    std::optional<Convolution> reduction_;
    std::optional<Norm> reduction_norm_, last_norm_;
    double skipped_ = 0;  ///< share of the samples
};

class SegformerDecoder final : public SegformerUnit {
  public:
    SegformerDecoder(const ModelConfig& config, const SegformerPlan& plan, const std::vector<TensorShape>& tensors)
        : SegformerUnit("decode_head", config, tensors),
          plan_(plan),
          problem_(families::loss_of(config)),
          fuse_(make_convolution("decode_head.linear_fuse")),
          classifier_(make_convolution("decode_head.classifier")),
          weight_(parameter("decode_head.batch_norm.weight")),
          bias_(parameter("decode_head.batch_norm.bias")),
          mean_(add_buffer("decode_head.batch_norm.running_mean", at::zeros({config.decoder_hidden_size}))),
          variance_(add_buffer("decode_head.batch_norm.running_var", at::ones({config.decoder_hidden_size}))),
          count_(add_buffer("decode_head.batch_norm.num_batches_tracked", at::zeros({}, at::kLong))) {
        for (std::size_t stage = 0; stage < plan.stages.size(); ++stage)
            projections_.push_back(linear(SegformerPlan::projection_name(stage)));
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const std::vector<FeatureGrid> grids = plan_.grids(image_of(context));
        Tensors maps;
        for (std::size_t stage = 0; stage < projections_.size(); ++stage) {
            const at::Tensor map = as_map(projections_[stage](inputs.at(stage)), grids[stage]);
            maps.insert(maps.begin(), stage == 0 ? map : resized(map, grids.front()));
        }
        at::Tensor x = normed(convolved(fuse_, at::cat(maps, 1)).to(at::kFloat), context);
        x = drop(x.contiguous(), context, config_.classifier_dropout, kPlacesOfBlock * plan_.blocks);
        const at::Tensor logits = convolved(classifier_, x).to(at::kFloat);
        if (!context.labels.defined() && context.logits == nullptr)
            return {logits};
        const FeatureGrid pixels =
            context.labels.defined() ? FeatureGrid{context.labels.size(1), context.labels.size(2)} : image_of(context);
        return {finish_classes(problem_, resized(logits, pixels).permute({0, 2, 3, 1}), context)};
    }

  private:
    static at::Tensor resized(const at::Tensor& map, const FeatureGrid& grid) {
        return at::upsample_bilinear2d(with_channels_last(map), {grid.height, grid.width}, false);
    }
    at::Tensor normed(const at::Tensor& x, const StepContext& context) {
        // A forward that runs again leaves the statistics as the first one made them.
        const bool counts = context.training && !context.recomputing;
        if (counts)
            count_.value.add_(1);
        BatchNorm norm{&weight_, &bias_, mean_.value, variance_.value, context.training};
        if (context.training && !counts) {
            norm.mean = norm.mean.clone();
            norm.variance = norm.variance.clone();
        }
        norm.rectifies = true;
        return batch_norm(x, norm);
    }

    SegformerPlan plan_;
    std::string problem_;
    std::vector<Linear> projections_;
    Convolution fuse_, classifier_;
    Parameter &weight_, &bias_;
    parallel::Buffer &mean_, &variance_, &count_;
};

class SegformerClassifier final : public SegformerUnit {
  public:
    SegformerClassifier(const ModelConfig& config, const std::vector<TensorShape>& tensors)
        : SegformerUnit("classifier", config, tensors),
          problem_(families::loss_of(config)),
          classifier_(linear("classifier")) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        return {finish_classes(problem_, classifier_(inputs.back().mean(1)), context)};
    }

  private:
    std::string problem_;
    Linear classifier_;
};

}  // namespace

Segformer::Segformer(const ModelConfig& config) : Model(config) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    const SegformerPlan plan = families::segformer_plan(config);
    units_.push_back(std::make_unique<SegformerEmbedding>(config, plan, tensors_of_part(tensors, Part::embedding)));
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage)
        for (std::int64_t number = 0; number < plan.stages[stage].blocks; ++number)
            units_.push_back(std::make_unique<SegformerBlock>(
                config, plan, stage, number,
                tensors_of_part(tensors, Part::block, plan.stages[stage].first_block + number)));
    const std::vector<TensorShape> head = tensors_of_part(tensors, Part::head);
    if (config.task == families::kImageClassification)
        units_.push_back(std::make_unique<SegformerClassifier>(config, head));
    else
        units_.push_back(std::make_unique<SegformerDecoder>(config, plan, head));
}

std::vector<parallel::Unit*> Segformer::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors Segformer::empty_streams(const parallel::Unit& block, const StepContext& context, at::Device device) const {
    const SegformerPlan plan = families::segformer_plan(config_);
    const std::vector<FeatureGrid> grids = plan.grids(image_of(context));
    const std::int64_t rows = context.input("pixel_values").size(0);
    const std::vector<parallel::Unit*> all = blocks();
    const std::int64_t place = std::ranges::find(all, &block) - all.begin();
    const auto of_stage = [&](std::size_t stage) {
        return at::empty({rows, grids[stage].size(), plan.stages[stage].width},
                         at::TensorOptions().dtype(at::kFloat).device(device));
    };
    Tensors streams;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const SegformerStage& each = plan.stages[stage];
        if (place < each.first_block || (place == each.first_block && stage > 0))
            break;
        if (place < each.first_block + each.blocks)  // inside of it
            streams.insert(streams.begin(), of_stage(stage));
        else
            streams.push_back(of_stage(stage));
    }
    return streams;
}

double Segformer::count_targets(const StepContext& context) const {
    return count_class_targets(families::loss_of(config_), context.labels);
}

}  // namespace trainyard::models
