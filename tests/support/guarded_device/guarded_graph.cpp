// SPDX-License-Identifier: GPL-3.0-or-later
#include "guarded_graph.h"

#include <array>
#include <atomic>
#include <set>
#include <utility>

#include <ATen/core/List.h>
#include <ATen/ops/empty.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Storage.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/library.h>

#include "distributed/parallel/device_graph.h"
#include "guarded_memory.h"

namespace trainyard::test {

namespace {

constexpr std::size_t kMostDevices = 16;
std::array<std::atomic<GraphCapture*>, kMostDevices> captures;  ///< by index of the device
thread_local bool within_operator = false;

c10::IValue value_without_owner(const c10::IValue& value) {
    if (value.isTensor())
        return without_owner(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor& tensor : value.toTensorVector())
            list.push_back(without_owner(tensor));
        return list;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> list;
        for (const std::optional<at::Tensor>& tensor : value.toOptionalTensorVector())
            list.push_back(tensor ? std::optional(without_owner(*tensor)) : std::nullopt);
        return list;
    }
    return value;
}

void copy_results(const c10::IValue& from, const c10::IValue& to) {
    if (from.isTensor() && from.toTensor().defined())
        to.toTensor().copy_(from.toTensor());
    else if (from.isTensorList())
        for (std::size_t i = 0; i < from.toTensorVector().size(); ++i)
            to.toTensorVector()[i].copy_(from.toTensorVector()[i]);
}

/// Refuses operators whose results the host reads: CUDA would wait for the device in them.
void check(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
    const auto& name = op.schema().name();
    const auto arguments = torch::jit::last(stack, op.schema().arguments().size());
    bool by_mask = false;
    for (const c10::IValue& value : arguments)
        if (value.isOptionalTensorList())
            for (const std::optional<at::Tensor>& index : value.toOptionalTensorVector())
                by_mask = by_mask || (index && index->defined() &&
                                      (index->scalar_type() == at::kBool || index->scalar_type() == at::kByte));
    const bool indexes = name == "aten::index";
    TORCH_CHECK(!by_mask && !op.hasTag(at::Tag::data_dependent_output) &&
                    (indexes || !op.hasTag(at::Tag::dynamic_output_shape)),
                kNotWhileCapturing, name);
}

}  // namespace

GraphCapture* GraphCapture::current() {
    return within_operator ? nullptr : captures.at(static_cast<std::size_t>(current_device)).load();
}

WithinOperator::WithinOperator() : before_(std::exchange(within_operator, true)) {}
WithinOperator::~WithinOperator() {
    within_operator = before_;
}

at::Tensor without_owner(const at::Tensor& tensor) {
    if (!tensor.defined())
        return tensor;
    const WithinOperator within;
    if (tensor.is_cpu()) {
        at::Tensor copy = tensor.detach().clone();
        copy.unsafeGetTensorImpl()->set_wrapped_number(tensor.unsafeGetTensorImpl()->is_wrapped_number());
        return copy;
    }
    const c10::Storage& storage = tensor.storage();
    c10::Storage same(c10::Storage::use_byte_size_t(), storage.nbytes(),
                      c10::DataPtr(const_cast<void*>(storage.data()), tensor.device()), nullptr, false);
    at::Tensor there = at::empty({0}, tensor.options());
    return there.set_(std::move(same), tensor.storage_offset(), tensor.sizes(), tensor.strides());
}

void GraphCapture::run_and_add(const c10::OperatorHandle& op, torch::jit::Stack* stack,
                               void (*run)(const c10::OperatorHandle&, torch::jit::Stack*)) {
    check(op, *stack);
    const std::vector<c10::Argument>& arguments = op.schema().arguments();
    const torch::jit::Stack given(stack->end() - static_cast<std::ptrdiff_t>(arguments.size()), stack->end());
    torch::jit::Stack fixed;
    for (const c10::IValue& value : given)
        fixed.push_back(value_without_owner(value));
    run(op, stack);
    for (std::size_t i = 0; i < arguments.size(); ++i)
        if (arguments[i].alias_info() != nullptr && arguments[i].alias_info()->isWrite())
            fixed[i] = value_without_owner(given[i]);  // an empty one may have got its memory now
    const std::vector<c10::Argument>& returns = op.schema().returns();
    torch::jit::Stack results;
    for (std::size_t i = 0; i < returns.size(); ++i) {
        const c10::IValue& result = *(stack->end() - static_cast<std::ptrdiff_t>(returns.size() - i));
        results.push_back(returns[i].alias_info() != nullptr ? c10::IValue() : value_without_owner(result));
    }
    add([op, fixed, results, run] {
        torch::jit::Stack again = fixed;
        run(op, &again);
        for (std::size_t i = 0; i < results.size(); ++i)
            if (!results[i].isNone())
                copy_results(*(again.end() - static_cast<std::ptrdiff_t>(results.size() - i)), results[i]);
    });
}

class GuardedGraph final : public parallel::DeviceGraph {
  public:
    explicit GuardedGraph(c10::Device device) : device_(device) {}
    ~GuardedGraph() override { clear(); }
    GuardedGraph(const GuardedGraph&) = delete;
    GuardedGraph& operator=(const GuardedGraph&) = delete;

    void capture(const std::function<void()>& work) override {
        clear();
        GuardedMemory& memory = GuardedMemory::get();
        std::atomic<GraphCapture*>& current = captures.at(static_cast<std::size_t>(device_.index()));
        TORCH_CHECK(current.load() == nullptr, "two captures at a time");
        GraphCapture capture;
        const auto before = memory.copy_of_all(device_.index());
        memory.begin_pool(device_.index());
        current = &capture;
        const auto end = [&] {
            current = nullptr;
            pool_ = memory.end_pool(device_.index());
            memory.put_back(before);
            memory.spoil(pool_);
        };
        try {
            work();
        } catch (...) {
            end();
            clear();
            throw;
        }
        end();
        steps_ = std::move(capture.steps_);
    }

    void replay() override {
        const c10::DeviceGuard guard(device_);
        const at::AutoDispatchBelowADInplaceOrView below;
        for (const std::function<void()>& step : steps_)
            step();
    }

  private:
    void clear() {
        steps_.clear();
        GuardedMemory::get().give_pool(std::exchange(pool_, {}));
    }

    c10::Device device_;
    std::vector<std::function<void()>> steps_;
    std::set<std::size_t> pool_;  ///< blocks that the capture took
};

}  // namespace trainyard::test

extern "C" __attribute__((visibility("default"))) trainyard::parallel::DeviceGraph* trainyard_make_device_graph(
    c10::Device device) {
    return new trainyard::test::GuardedGraph(device);
}
