// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/resnet_network.h"

#include <algorithm>

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/batch_norm.h"
#include "models/nn/kernels/parameter_value.h"
#include "models/nn/modules/class_head.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/activation.h"
#include "models/spec/labels.h"
#include "models/spec/resnet/resnet_family.h"

namespace trainyard::models {

namespace {

using families::Part;
using families::ResNetConvolution;
using families::TensorShape;
using parallel::StepContext;
using parallel::Tensors;

const ModulePlan& resnet_plan_of_modules() {
    static const ModulePlan plan{{{"*", "linear"}}};
    return plan;
}

/// A convolution, batch norm (Ioffe and Szegedy, 2015) and, if the row says so, the activation function.
class ConvolutionUnit : public TableUnit {
  protected:
    struct Layer {
        ResNetConvolution row;
        Parameter *kernel, *weight, *bias;
        parallel::Buffer *mean, *variance, *count;
    };

    ConvolutionUnit(std::string name, const families::ModelConfig& config, const std::vector<TensorShape>& tensors)
        : TableUnit(std::move(name), tensors, resnet_plan_of_modules()),
          activation_(families::activation_of(config.activation_function).value_or(families::Activation::relu)) {}

    Layer make_layer(const ResNetConvolution& row) {
        const std::string norm = row.name + ".normalization.";
        parallel::Buffer& mean = add_buffer(norm + "running_mean", at::zeros({row.out}));
        parallel::Buffer& variance = add_buffer(norm + "running_var", at::ones({row.out}));
        parallel::Buffer& count = add_buffer(norm + "num_batches_tracked", at::zeros({}, at::kLong));
        return {row,
                &parameter(row.name + ".convolution.weight"),
                &parameter(norm + "weight"),
                &parameter(norm + "bias"),
                &mean,
                &variance,
                &count};
    }

    /// Runs the layer. If `residual` is defined, adds it before the activation function, which is then always applied.
    at::Tensor run(const Layer& layer, const at::Tensor& x, const StepContext& context,
                   const at::Tensor& residual = {}) const {
        const at::Tensor kernel = value_of(*layer.kernel);
        const at::Tensor mixed = at::conv2d(with_channels_last(x.to(kernel.scalar_type())), kernel, {},
                                            layer.row.stride, layer.row.kernel / 2)
                                     .to(at::kFloat);
        // A forward that runs again leaves the statistics as the first one made them.
        const bool counts = context.training && !context.recomputing;
        if (counts)
            layer.count->value.add_(1);
        BatchNorm norm{layer.weight, layer.bias, layer.mean->value, layer.variance->value, context.training};
        if (context.training && !counts) {
            norm.mean = norm.mean.clone();
            norm.variance = norm.variance.clone();
        }
        const bool activates = layer.row.activates || residual.defined();
        norm.rectifies = activates && activation_ == families::Activation::relu;
        const at::Tensor normed = batch_norm(mixed, norm, residual);
        return activates && !norm.rectifies ? activate(activation_, normed) : normed;
    }

    families::Activation activation_;
};

class ResNetEmbedder final : public ConvolutionUnit {
  public:
    ResNetEmbedder(const families::ModelConfig& config, const ResNetConvolution& row,
                   const std::vector<TensorShape>& tensors)
        : ConvolutionUnit("resnet.embedder", config, tensors), layer_(make_layer(row)) {}

  protected:
    Tensors forward(const Tensors&, StepContext& context) override {
        return {at::max_pool2d(run(layer_, context.input("pixel_values"), context), 3, 2, 1)};
    }

  private:
    Layer layer_;
};

class ResNetBlock final : public ConvolutionUnit {
  public:
    ResNetBlock(const families::ModelConfig& config, const families::ResNetLayer& rows,
                const std::vector<TensorShape>& tensors)
        : ConvolutionUnit(rows.convolutions.front().name, config, tensors) {
        for (const ResNetConvolution& row : rows.shortcut)
            shortcut_.push_back(make_layer(row));
        for (const ResNetConvolution& row : rows.convolutions)
            layers_.push_back(make_layer(row));
    }

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        at::Tensor residual = inputs.at(0), x = residual;
        for (const Layer& layer : shortcut_)
            residual = run(layer, residual, context);
        for (const Layer& layer : layers_)
            x = run(layer, x, context, &layer == &layers_.back() ? residual : at::Tensor());
        return {x};
    }

  private:
    std::vector<Layer> shortcut_, layers_;
};

class ResNetHead final : public ConvolutionUnit {
  public:
    ResNetHead(const families::ModelConfig& config, const std::vector<TensorShape>& tensors)
        : ConvolutionUnit("classifier.1", config, tensors),
          problem_(families::loss_of(config)),
          classifier_(linear("classifier.1")) {}

  protected:
    Tensors forward(const Tensors& inputs, StepContext& context) override {
        const at::Tensor pooled = at::adaptive_avg_pool2d(inputs.at(0), {1, 1}).flatten(1);
        return {finish_classes(problem_, classifier_(pooled), context)};
    }

  private:
    std::string problem_;
    Linear classifier_;
};

}  // namespace

ResNet::ResNet(const families::ModelConfig& config) : Model(config) {
    const std::vector<TensorShape> tensors = families::family_of(config).tensors(config);
    const families::ResNetPlan plan = families::resnet_plan(config);
    units_.push_back(
        std::make_unique<ResNetEmbedder>(config, plan.embedder, tensors_of_part(tensors, Part::embedding)));
    for (std::size_t number = 0; number < plan.layers.size(); ++number)
        units_.push_back(std::make_unique<ResNetBlock>(
            config, plan.layers[number], tensors_of_part(tensors, Part::block, static_cast<std::int64_t>(number))));
    units_.push_back(std::make_unique<ResNetHead>(config, tensors_of_part(tensors, Part::head)));
}

std::vector<parallel::Unit*> ResNet::blocks() const {
    std::vector<parallel::Unit*> all = units();
    return {all.begin() + 1, all.end() - 1};
}

Tensors ResNet::empty_streams(const parallel::Unit& block, const StepContext& context, at::Device device) const {
    const families::ResNetPlan plan = families::resnet_plan(config_);
    const at::Tensor& images = context.input("pixel_values");
    std::int64_t height = images.size(2), width = images.size(3), channels = plan.embedder.out;
    const auto halve = [](std::int64_t& size) {
        size = (size + 1) / 2;
    };                             // a window of odd width w with a margin of w / 2
    for (int i = 0; i < 2; ++i) {  // the convolution, the pooling
        halve(height);
        halve(width);
    }
    const std::vector<parallel::Unit*> all = blocks();
    const auto place = std::ranges::find(all, &block) - all.begin();
    for (std::ptrdiff_t before = 0; before < place; ++before)
        for (const ResNetConvolution& each : plan.layers[static_cast<std::size_t>(before)].convolutions) {
            channels = each.out;
            if (each.stride == 2) {
                halve(height);
                halve(width);
            }
        }
    return {at::empty({images.size(0), channels, height, width}, at::TensorOptions().dtype(at::kFloat).device(device))};
}

double ResNet::count_targets(const StepContext& context) const {
    return count_class_targets(families::loss_of(config_), context.labels);
}

}  // namespace trainyard::models
