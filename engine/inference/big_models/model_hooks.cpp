// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/DeviceGuard.h>

#include <trainyard/device_placement.h>
#include <trainyard/model_hooks.h>

#include "base/files/lost_pages.h"

namespace trainyard::dispatch {

using parallel::StepContext;
using parallel::Tensors;
using parallel::Unit;
using parallel::UnitForward;

void ModelHook::before(Unit& unit, Tensors& inputs, StepContext&) {
    pre_forward(unit, inputs);
}

Tensors ModelHook::around(Unit&, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    const at::AutoGradMode gradients(at::GradMode::is_enabled() && !no_grad_);
    try {
        return forward(inputs, context);
    } catch (...) {
        abandon_forward();
        throw;
    }
}

void ModelHook::after(Unit& unit, Tensors& outputs, StepContext&) {
    post_forward(unit, outputs);
}

void SequentialHook::init_hook(const accelerator::Block& block) {
    for (const std::shared_ptr<ModelHook>& hook : hooks_)
        hook->init_hook(block);
}

void SequentialHook::detach_hook(const accelerator::Block& block) {
    for (const std::shared_ptr<ModelHook>& hook : hooks_)
        hook->detach_hook(block);
}

void SequentialHook::before(Unit& unit, Tensors& inputs, StepContext& context) {
    for (const std::shared_ptr<ModelHook>& hook : hooks_)
        hook->before(unit, inputs, context);
}

Tensors SequentialHook::around(Unit& unit, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    UnitForward whole = forward;
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        whole = [&unit, one = *hook, inner = std::move(whole)](const Tensors& own, StepContext& its) {
            return one->around(unit, own, its, inner);
        };
    return whole(inputs, context);
}

void SequentialHook::after(Unit& unit, Tensors& outputs, StepContext& context) {
    for (const std::shared_ptr<ModelHook>& hook : hooks_)
        hook->after(unit, outputs, context);
}

void SequentialHook::before_backward(Unit& unit, const Tensors& gradients, int micro_batch) {
    for (const std::shared_ptr<ModelHook>& hook : hooks_)
        hook->before_backward(unit, gradients, micro_batch);
}

void SequentialHook::after_backward(Unit& unit, const Tensors& gradients, int micro_batch) {
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after_backward(unit, gradients, micro_batch);
}

std::shared_ptr<ModelHook> hook_of(const accelerator::Block& block) {
    return std::static_pointer_cast<ModelHook>(block.unit().own_hook());
}

void add_hook_to_module(const accelerator::Block& block, std::shared_ptr<ModelHook> hook, bool append) {
    const std::shared_ptr<ModelHook> before = hook_of(block);
    if (append && before != nullptr) {
        hook->init_hook(block);
        hook = std::make_shared<SequentialHook>(std::vector{before, std::move(hook)});
    } else {
        remove_hook_from_module(block);
        hook->init_hook(block);
    }
    block.unit().set_own_hook(std::move(hook));
}

void remove_hook_from_module(const accelerator::Block& block) {
    if (const std::shared_ptr<ModelHook> hook = hook_of(block)) {
        block.unit().set_own_hook(nullptr);
        hook->detach_hook(block);
    }
}

void remove_hook_from_submodules(const std::vector<accelerator::Block*>& blocks) {
    for (const accelerator::Block* block : blocks)
        remove_hook_from_module(*block);
}

namespace {

at::Tensor without_bytes(const at::Tensor& tensor) {
    return at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(at::kMeta));
}

}  // namespace

OffloadedTensor::OffloadedTensor(at::Tensor tensor, bool is_buffer, std::optional<StoredTensor> stored)
    : tensor_(std::move(tensor)), is_buffer_(is_buffer) {
    const at::NoGradGuard no_grad;
    stored_ = stored ? std::move(*stored) : StoredTensor{.tensor = tensor_.detach().to(at::kCPU)};
    accelerator::replace_data(tensor_, without_bytes(tensor_));
}

at::Tensor OffloadedTensor::load(c10::Device device) const {
    const at::NoGradGuard no_grad;
    if (stored_.tensor.defined())
        return stored_.tensor.to(device, tensor_.scalar_type());
    // The forward may write into buffers, and pages of the file cannot be written.
    return map_tensor(stored_).to(device, tensor_.scalar_type(), false, is_buffer_);
}

void OffloadedTensor::take(c10::Device device) {
    const std::lock_guard lock(mutex_);
    if (uses_++ > 0)
        return;
    try {
        accelerator::replace_data(tensor_, load(device));
    } catch (...) {
        --uses_;
        throw;
    }
}

void OffloadedTensor::release() {
    const std::lock_guard lock(mutex_);
    if (uses_ == 0 || --uses_ > 0)
        return;
    const at::NoGradGuard no_grad;
    accelerator::replace_data(tensor_, without_bytes(tensor_));
}

at::Tensor OffloadedTensor::value() const {
    return load(at::kCPU).clone();
}

void AlignDevicesHook::init_hook(const accelerator::Block& block) {
    if (is_given_)
        return;
    const at::NoGradGuard no_grad;
    const auto add = [&](const NamedTensors& tensors, bool is_buffer) {
        const bool offload = options_.offload && (!is_buffer || options_.offload_buffers);
        for (const auto& [name, tensor] : tensors) {
            if (!options_.place_submodules && name.find('.') != std::string::npos)
                continue;
            if (!offload) {
                if (!tensor.is_meta())
                    accelerator::replace_data(tensor, tensor.detach().to(device()));
                continue;
            }
            if (options_.tied_params_map == nullptr)
                options_.tied_params_map = std::make_shared<OffloadedTensors>();
            std::shared_ptr<OffloadedTensor>& shared = (*options_.tied_params_map)[tensor.unsafeGetTensorImpl()];
            if (shared == nullptr) {
                const auto stored = options_.weights_map.find(name);
                shared = std::make_shared<OffloadedTensor>(
                    tensor, is_buffer,
                    stored == options_.weights_map.end() ? std::nullopt : std::optional(stored->second));
            }
            tensors_.push_back(shared);
        }
    };
    add(block.named_parameters(), false);
    add(block.named_buffers(), true);
}

void AlignDevicesHook::take() {
    std::size_t taken = 0;
    try {
        for (; taken < tensors_.size(); ++taken)
            tensors_[taken]->take(device());
    } catch (...) {
        while (taken > 0)
            tensors_[--taken]->release();
        throw;
    }
}

void AlignDevicesHook::release() {
    for (const std::shared_ptr<OffloadedTensor>& tensor : tensors_)
        tensor->release();
    if (!came_from_.empty())
        came_from_.pop_back();
}

void AlignDevicesHook::pre_forward(Unit&, Tensors& inputs) {
    take();
    came_from_.push_back(inputs.empty() || !inputs.front().defined() ? device() : inputs.front().device());
    for (at::Tensor& input : inputs)
        if (input.defined() && input.device() != device())
            input = input.to(device());
}

Tensors AlignDevicesHook::around(Unit& unit, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    const c10::OptionalDeviceGuard guard(device().is_cpu() ? std::nullopt : std::optional(device()));
    return ModelHook::around(unit, inputs, context, forward);
}

void AlignDevicesHook::post_forward(Unit&, Tensors& outputs) {
    const c10::Device back = came_from_.back();
    release();
    files::throw_if_pages_were_lost();  // what was computed with them is worth nothing
    if (options_.io_same_device)
        for (at::Tensor& output : outputs)
            if (output.defined() && output.device() != back)
                output = output.to(back);
}

void AlignDevicesHook::before_backward(Unit&, const Tensors&, int) {
    take();
}

void AlignDevicesHook::after_backward(Unit&, const Tensors&, int) {
    for (const std::shared_ptr<OffloadedTensor>& tensor : tensors_)
        tensor->release();
    files::throw_if_pages_were_lost();
}

void AlignDevicesHook::detach_hook(const accelerator::Block&) {
    const at::NoGradGuard no_grad;
    for (const std::shared_ptr<OffloadedTensor>& tensor : std::exchange(tensors_, {}))
        if (tensor->tensor().is_meta())
            accelerator::replace_data(tensor->tensor(), tensor->value());
    if (options_.tied_params_map != nullptr)
        options_.tied_params_map->clear();
}

bool has_offloaded_params(const accelerator::Block& block) {
    const std::shared_ptr<ModelHook> hook = hook_of(block);
    if (const auto* align = dynamic_cast<const AlignDevicesHook*>(hook.get()))
        return align->has_offloaded_params();
    if (const auto* several = dynamic_cast<const SequentialHook*>(hook.get()))
        for (const std::shared_ptr<ModelHook>& each : several->hooks())
            if (const auto* align = dynamic_cast<const AlignDevicesHook*>(each.get()))
                if (align->has_offloaded_params())
                    return true;
    return false;
}

}  // namespace trainyard::dispatch
