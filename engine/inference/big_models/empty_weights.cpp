// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/stack.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_strided.h>
#include <torch/library.h>
#include <torch/nn/module.h>

#include <trainyard/device_placement.h>
#include <trainyard/empty_weights.h>

#include "base/error.h"
#include "base/truth.h"

namespace trainyard::dispatch {

namespace {

constexpr const char* kEnvIncludeBuffers = "ACCELERATE_INIT_INCLUDE_BUFFERS";

/// Smaller tensors of factories have bytes: lists of numbers, which are written without an operator.
constexpr std::size_t kLeastDeferred = 16 << 10;

using Values = std::vector<c10::IValue>;

/// Calls `change` with every tensor in a value: itself, or those of a list.
template <class Change>
void change_tensors(c10::IValue& value, const Change& change) {
    if (value.isTensor()) {
        if (value.toTensor().defined())
            value = change(value.toTensor());
    } else if (value.isTensorList()) {
        c10::List<at::Tensor> changed;
        for (const at::Tensor& each : value.toTensorVector())
            changed.push_back(each.defined() ? change(each) : each);
        value = changed;
    } else if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> changed;
        for (const std::optional<at::Tensor>& each : value.toOptionalTensorVector())
            changed.push_back(each && each->defined() ? std::optional(change(*each)) : each);
        value = changed;
    }
}

template <class Visit>
void visit_tensors(const c10::IValue& value, const Visit& visit) {
    c10::IValue copy = value;
    change_tensors(copy, [&](const at::Tensor& tensor) {
        visit(tensor);
        return tensor;
    });
}

const void* storage_of(const at::Tensor& tensor) {
    return tensor.storage().unsafeGetStorageImpl();
}

/// A call of an operator that was noted.
struct DeferredCall {
    c10::OperatorHandle op;
    Values arguments, results;
};

/// The operations on tensors without bytes.
class DeferredCalls {
  public:
    bool has(const at::Tensor& tensor) const {
        return tensor.is_meta() && tensor.has_storage() && storages_.contains(storage_of(tensor));
    }
    void run(const c10::OperatorHandle& op, torch::jit::Stack& stack);
    /// The values of these tensors, in their order; those that have bytes already are themselves.
    std::vector<at::Tensor> values(const std::vector<at::Tensor>& tensors) const;

  private:
    void run_on_values(const c10::OperatorHandle& op, torch::jit::Stack& stack, Values arguments) const;

    std::vector<DeferredCall> calls_;
    std::set<const void*> storages_;
};

thread_local DeferredCalls* deferred_calls = nullptr;

void defer(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const c10::impl::ExcludeDispatchKeyGuard off(c10::DispatchKey::DeferredInit);
    if (deferred_calls == nullptr)
        return op.callBoxed(stack);
    deferred_calls->run(op, *stack);
}

TORCH_LIBRARY_IMPL(_, DeferredInit, library) {
    library.fallback(torch::CppFunction::makeFromBoxedFunction<&defer>());
}

void DeferredCalls::run_on_values(const c10::OperatorHandle& op, torch::jit::Stack& stack, Values arguments) const {
    std::vector<at::Tensor> without;
    for (const c10::IValue& argument : arguments)
        visit_tensors(argument, [&](const at::Tensor& tensor) {
            if (has(tensor))
                without.push_back(tensor);
        });
    const std::vector<at::Tensor> with = values(without);
    std::size_t next = 0;
    for (c10::IValue& argument : arguments)
        change_tensors(argument, [&](const at::Tensor& tensor) { return has(tensor) ? with[next++] : tensor; });
    stack.insert(stack.end(), arguments.begin(), arguments.end());
    op.callBoxed(stack);
}

void DeferredCalls::run(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
    const c10::FunctionSchema& schema = op.schema();
    const std::size_t count = schema.arguments().size();
    Values arguments(stack.end() - static_cast<std::ptrdiff_t>(count), stack.end());
    bool any = false, any_deferred = false, writes_values = false, writes_deferred = false, has_device = false;
    for (std::size_t i = 0; i < count; ++i) {
        const c10::Argument& argument = schema.arguments()[i];
        has_device |= argument.name() == "device";
        const bool writes = argument.alias_info() != nullptr && argument.alias_info()->isWrite();
        visit_tensors(arguments[i], [&](const at::Tensor& tensor) {
            any = true;
            any_deferred |= has(tensor);
            (has(tensor) ? writes_deferred : writes_values) |= writes;
        });
    }
    const bool makes = has_device && !any;
    if (!any_deferred && !makes)
        return op.callBoxed(stack);
    torch::jit::drop(stack, count);
    if (any_deferred && writes_values)
        return run_on_values(op, stack, std::move(arguments));
    Values on_meta = arguments;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& name = schema.arguments()[i].name();
        if (name == "device")
            on_meta[i] = c10::Device(c10::kMeta);
        else if (name == "pin_memory" || name == "generator")
            on_meta[i] = c10::IValue();
        else
            change_tensors(on_meta[i], [&](const at::Tensor& tensor) {
                return tensor.is_meta()
                           ? tensor
                           : at::empty_strided(tensor.sizes(), tensor.strides(), tensor.options().device(c10::kMeta));
            });
    }
    const std::size_t before = stack.size();
    stack.insert(stack.end(), on_meta.begin(), on_meta.end());
    try {
        op.callBoxed(stack);
    } catch (const c10::Error&) {  // the values are asked for, or the operator cannot work without them
        if (writes_deferred)
            throw;
        stack.resize(before);
        return run_on_values(op, stack, std::move(arguments));
    }
    Values results(stack.begin() + static_cast<std::ptrdiff_t>(before), stack.end());
    std::size_t bytes = 0;
    std::vector<at::Tensor> made;
    for (const c10::IValue& result : results)
        visit_tensors(result, [&](const at::Tensor& tensor) {
            bytes += tensor.nbytes();
            made.push_back(tensor);
        });
    if (made.empty())
        return;
    if (makes && bytes < kLeastDeferred) {
        stack.resize(before);
        stack.insert(stack.end(), arguments.begin(), arguments.end());
        return op.callBoxed(stack);
    }
    for (const at::Tensor& tensor : made)
        storages_.insert(storage_of(tensor));
    calls_.push_back({op, std::move(arguments), std::move(results)});
}

std::vector<at::Tensor> DeferredCalls::values(const std::vector<at::Tensor>& tensors) const {
    const at::NoGradGuard no_grad;
    std::set<const void*> wanted;
    for (const at::Tensor& tensor : tensors)
        if (has(tensor))
            wanted.insert(storage_of(tensor));
    std::vector<const DeferredCall*> needed;  // the last one first
    for (auto call = calls_.rbegin(); call != calls_.rend(); ++call) {
        bool is_needed = false;
        for (const c10::IValue& result : call->results)
            visit_tensors(result, [&](const at::Tensor& tensor) { is_needed |= wanted.contains(storage_of(tensor)); });
        if (!is_needed)
            continue;
        needed.push_back(&*call);
        for (const c10::IValue& argument : call->arguments)
            visit_tensors(argument, [&](const at::Tensor& tensor) {
                if (has(tensor))
                    wanted.insert(storage_of(tensor));
            });
    }
    std::unordered_map<const void*, at::Tensor> by_storage;  // a tensor of the storage that has the bytes
    const auto value_of = [&](const at::Tensor& tensor) {
        if (!has(tensor))
            return tensor;
        const at::Tensor& whole = by_storage.at(storage_of(tensor));
        at::Tensor view = at::empty({0}, whole.options().dtype(tensor.scalar_type()));
        return view.set_(whole.storage(), tensor.storage_offset(), tensor.sizes(), tensor.strides());
    };
    for (auto call = needed.rbegin(); call != needed.rend(); ++call) {
        torch::jit::Stack stack = (*call)->arguments;
        for (c10::IValue& argument : stack)
            change_tensors(argument, value_of);
        (*call)->op.callBoxed(stack);
        std::vector<at::Tensor> made;
        for (const c10::IValue& result : stack)
            visit_tensors(result, [&](const at::Tensor& tensor) { made.push_back(tensor); });
        std::size_t next = 0;
        for (const c10::IValue& result : (*call)->results)
            visit_tensors(result, [&](const at::Tensor& tensor) {
                by_storage.try_emplace(storage_of(tensor), made[next]);
                ++next;
            });
    }
    std::vector<at::Tensor> all;
    for (const at::Tensor& tensor : tensors)
        all.push_back(value_of(tensor));
    return all;
}

}  // namespace

namespace detail {

DeferredTensors::DeferredTensors(c10::Device device) : device_(device) {
    if (!device_.is_meta())
        return;
    if (deferred_calls != nullptr)
        throw UserError("init_empty_weights is called by a function that init_empty_weights calls: call it once");
    deferred_calls = new DeferredCalls;
    guard_.emplace(c10::DispatchKey::DeferredInit);
}

void DeferredTensors::end() {
    if (!guard_)
        return;
    guard_.reset();
    delete std::exchange(deferred_calls, nullptr);
}

DeferredTensors::~DeferredTensors() {
    end();
}

void DeferredTensors::finish(torch::nn::Module& module, std::optional<bool> include_buffers) {
    const at::NoGradGuard no_grad;
    const char* set = std::getenv(kEnvIncludeBuffers);
    const bool buffers_too = include_buffers.value_or(set != nullptr && truth_of(set) == Truth::yes);
    const std::vector<at::Tensor> buffers = module.buffers();
    if (guard_ && !buffers_too) {
        const c10::impl::ExcludeDispatchKeyGuard off(c10::DispatchKey::DeferredInit);
        const std::vector<at::Tensor> values = deferred_calls->values(buffers);
        for (std::size_t i = 0; i < buffers.size(); ++i)
            accelerator::replace_data(buffers[i], values[i]);
    }
    end();
    std::vector<at::Tensor> moved = module.parameters();
    if (buffers_too)
        moved.insert(moved.end(), buffers.begin(), buffers.end());
    for (const at::Tensor& tensor : moved)
        accelerator::replace_data(tensor, device_.is_meta() ? at::empty_strided(tensor.sizes(), tensor.strides(),
                                                                                tensor.options().device(device_))
                                                            : tensor.detach().to(device_));
}

}  // namespace detail

}  // namespace trainyard::dispatch
