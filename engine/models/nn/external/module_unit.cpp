// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/external/module_unit.h"

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <fmt/format.h>

#include "base/error.h"
#include "models/nn/kernels/class_loss.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

/// Adds a leaf's gradient to the flat buffer of its parameter.
struct GradientToFlat final : torch::autograd::PostAccumulateGradHook {
    explicit GradientToFlat(parallel::Parameter& own) : parameter(own) {}
    void operator()(const torch::autograd::Variable& leaf) override {
        parameter.add_gradient(leaf.grad());
        leaf.mutable_grad() = at::Tensor();
    }
    parallel::Parameter& parameter;
};

/// Operators take the format of the recipe's mixed_precision, by LibTorch's own tables.
class Casting {
  public:
    Casting(at::DeviceType device, at::ScalarType type)
        : device_(device),
          was_enabled_(at::autocast::is_autocast_enabled(device)),
          was_type_(at::autocast::get_autocast_dtype(device)) {
        at::autocast::set_autocast_enabled(device, type != at::kFloat);
        if (type != at::kFloat)
            at::autocast::set_autocast_dtype(device, type);
        at::autocast::increment_nesting();
    }
    ~Casting() {
        if (at::autocast::decrement_nesting() == 0)
            at::autocast::clear_cache();
        at::autocast::set_autocast_enabled(device_, was_enabled_);
        at::autocast::set_autocast_dtype(device_, was_type_);
    }
    Casting(const Casting&) = delete;
    Casting& operator=(const Casting&) = delete;

  private:
    at::DeviceType device_;
    bool was_enabled_;
    at::ScalarType was_type_;
};

/// Numbers of a micro-batch that nothing but its place in the run decides, so that a run that is resumed draws the
/// same.
std::uint64_t seed_of(const parallel::StepContext& context) {
    std::uint64_t mixed = context.seed;
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(context.step), static_cast<std::uint64_t>(context.first_sample)}) {
        mixed += part + 0x9e3779b97f4a7c15ULL;  // splitmix64
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
        mixed ^= mixed >> 31;
    }
    return mixed;
}

}  // namespace

ModuleUnit::ModuleUnit(std::string name, const families::ModelConfig& config)
    : Unit(std::move(name)), config_(config) {}

void ModuleUnit::adopt(const NamedTensors& parameters, const NamedTensors& buffers) {
    if (parameters.empty())
        throw UserError("{} has no parameters, so there is nothing to train", name());
    for (const auto& [own_name, tensor] : parameters) {
        if (tensor.scalar_type() != at::kFloat)
            throw UserError(
                "{} has the parameter {} in {}: parameters must be float32, and "
                "training.mixed_precision makes products of 16 bits",
                name(), own_name, c10::toString(tensor.scalar_type()));
        parallel::Parameter& parameter =
            add_parameter(own_name, tensor.sizes().vec(), {parallel::Initialiser::Kind::zeros, 0});
        own_.push_back({tensor, &parameter, tensor.detach().clone()});
    }
    for (const auto& [own_name, tensor] : buffers)
        own_buffers_.push_back({tensor, &add_buffer(own_name, tensor.detach())});
}

void ModuleUnit::start_values(const parallel::FlatArena& arena) {
    for (Own& own : own_)
        if (own.start.defined()) {
            arena.set_value(*own.parameter, own.start);
            own.start = at::Tensor();
        }
}

void ModuleUnit::place_tensors(bool training) {
    for (Own& own : own_) {
        const at::Tensor& value = own.parameter->value();
        if (own.tensor.data_ptr() != value.data_ptr()) {
            own.tensor.set_requires_grad(false);
            own.tensor.set_data(value.detach());
            own.tensor.set_requires_grad(own.parameter->trains());
            if (own.parameter->trains())
                torch::autograd::impl::set_post_acc_grad_hooks(own.tensor,
                                                               std::make_unique<GradientToFlat>(*own.parameter));
        }
    }
    for (OwnBuffer& own : own_buffers_)
        if (own.tensor.data_ptr() != own.buffer->value.data_ptr())
            own.tensor.set_data(own.buffer->value);
    set_training(training);
}

parallel::Tensors ModuleUnit::forward(const parallel::Tensors&, parallel::StepContext& context) {
    place_tensors(context.training);
    at::ScalarType type = at::kFloat;
    for (const Own& own : own_)
        if (const at::Tensor& compute = own.parameter->compute(); compute.scalar_type() != at::kFloat)
            type = compute.scalar_type();
    const at::Device device = own_.front().parameter->value().device();
    NamedTensors inputs;
    if (context.tokens.defined())
        inputs.emplace_back("input_ids", context.tokens);
    if (context.attention_mask.defined())
        inputs.emplace_back("attention_mask", context.attention_mask);
    inputs.insert(inputs.end(), context.inputs.begin(), context.inputs.end());
    if (context.training)
        at::manual_seed(seed_of(context));
    at::Tensor outputs;
    {
        const Casting casting(device.type(), type);
        outputs = run(inputs);
    }
    if (!outputs.defined())
        throw UserError("{} gave no outputs", name());
    outputs = outputs.to(at::kFloat);
    if (context.logits != nullptr)
        *context.logits = outputs.detach();
    if (!context.labels.defined())
        return {outputs};
    const at::Tensor sum = loss(outputs, context);
    context.loss_sum.add_(sum.detach());
    return {sum.mul(context.loss_scale)};
}

at::Tensor ModuleUnit::loss(const at::Tensor& outputs, const parallel::StepContext& context) const {
    const std::string loss = families::loss_of(config_);
    if (context.own_loss)
        return context.own_loss(outputs, config_.task == families::kCausalLm && config_.loss.empty()
                                             ? next_labels(context.labels)
                                             : context.labels);
    if (config_.task == families::kCausalLm && config_.loss.empty()) {
        const std::int64_t length = context.labels.size(1);
        return class_loss(families::kSingleLabel, outputs.narrow(1, 0, length - 1),
                          context.labels.narrow(1, 1, length - 1));
    }
    return class_loss(loss, outputs, context.labels);
}

}  // namespace trainyard::models
