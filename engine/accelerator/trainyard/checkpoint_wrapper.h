// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A module whose inside autograd does not keep: its forward runs again in backward (distributed/parallel/activation_checkpoint.h). The counterpart of
// torch's checkpoint_wrapper and of what Accelerate does under fsdp_activation_checkpointing, for any module, on any number of ranks:
//
//     struct Net : torch::nn::Module {
//         Net() : block(accelerator::checkpoint_wrapper(register_module("block", std::make_shared<Block>()))) {}
//         at::Tensor forward(at::Tensor x) { return block(x); }
//         accelerator::CheckpointWrapper<Block> block;
//     };
//
// Parameters, names and state dictionary are those of the module itself. wrap_block(module) is the same switched off: prepare_model(net,
// {.activation_checkpointing = WrapPolicy{.classes = {"Block"}}}) switches on those that the policy chooses.

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/Type.h>

#include <trainyard/block.h>
#include <trainyard/prepared_model.h>

#include "distributed/parallel/activation_checkpoint.h"

namespace trainyard::accelerator {

namespace detail {

template <class T>
inline constexpr bool is_tensor = std::is_same_v<std::decay_t<T>, at::Tensor>;

/// Results of a forward as a list of tensors, and back.
inline std::vector<at::Tensor> tensors_of(const at::Tensor& tensor) {
    return {tensor};
}
inline std::vector<at::Tensor> tensors_of(const std::vector<at::Tensor>& tensors) {
    return tensors;
}
template <class... T>
std::vector<at::Tensor> tensors_of(const std::tuple<T...>& tensors) {
    static_assert((is_tensor<T> && ...), "a checkpointed module gives a tensor, a vector or a tuple of tensors");
    return std::apply([](const auto&... each) { return std::vector<at::Tensor>{each...}; }, tensors);
}
inline void assign(at::Tensor& result, std::vector<at::Tensor> tensors) {
    result = std::move(tensors.at(0));
}
inline void assign(std::vector<at::Tensor>& result, std::vector<at::Tensor> tensors) {
    result = std::move(tensors);
}
template <class... T>
void assign(std::tuple<T...>& result, std::vector<at::Tensor> tensors) {
    std::size_t next = 0;
    std::apply([&](auto&... each) { ((each = tensors[next++]), ...); }, result);
}

/// The name of a class, without namespaces.
template <class Net>
std::string class_name_of() {
    const std::string whole = c10::demangle(typeid(Net).name());
    const std::size_t colon = whole.rfind(':');
    return colon == std::string::npos ? whole : whole.substr(colon + 1);
}

}  // namespace detail

/// A module whose forward is executed again in backward instead of keeping its intermediate results. Parameters and
/// names are those of the module. Copies are the same module.
template <class Net>
class CheckpointWrapper final : public Block {
  public:
    /// Wraps `net`; `on` decides whether it is checkpointed from the start.
    explicit CheckpointWrapper(std::shared_ptr<Net> net, parallel::ActivationCheckpointOptions options = {},
                               bool on = true)
        : Block(detail::class_name_of<Net>(), std::move(options), on), net_(std::move(net)) {}

    std::string class_name() const override { return detail::class_name_of<Net>(); }
    NamedTensors named_parameters() const override { return detail::named(net_->named_parameters()); }
    NamedTensors named_buffers() const override { return detail::named(net_->named_buffers()); }

    /// The module's forward. Arguments that are tensors are what is kept; others are copied.
    template <class... Arguments>
    auto operator()(Arguments&&... arguments) const {
        using Result = std::decay_t<decltype(net_->forward(std::declval<std::decay_t<Arguments>&>()...))>;
        if (!is_hooked())
            return Result(net_->forward(std::forward<Arguments>(arguments)...));
        std::vector<at::Tensor> inputs;
        auto note = [&](const auto& argument) {
            if constexpr (detail::is_tensor<decltype(argument)>)
                inputs.push_back(argument);
        };
        (note(arguments), ...);
        auto forward = [net = net_, kept = std::tuple<std::decay_t<Arguments>...>(without_tensor(arguments)...)](
                           const std::vector<at::Tensor>& tensors) {
            auto own = kept;
            std::size_t next = 0;
            auto fill = [&](auto& argument) {
                if constexpr (detail::is_tensor<decltype(argument)>)
                    argument = tensors[next++];
            };
            return std::apply(
                [&](auto&... each) {
                    (fill(each), ...);
                    return detail::tensors_of(net->forward(each...));
                },
                own);
        };
        Result result;
        detail::assign(result, run(inputs, forward));
        return result;
    }

    /// Returns the wrapped module.
    Net* operator->() const { return net_.get(); }
    /// Returns the wrapped module.
    Net& operator*() const { return *net_; }
    /// Returns the wrapped module.
    const std::shared_ptr<Net>& unwrap() const { return net_; }

  private:
    /// Returns an empty tensor in place of a tensor, and a copy of any other argument.
    template <class T>
    static std::decay_t<T> without_tensor(const T& argument) {
        if constexpr (detail::is_tensor<T>)
            return {};
        else
            return argument;
    }

    std::shared_ptr<Net> net_;
};

template <ModuleLike Net>
CheckpointWrapper<Net> checkpoint_wrapper(std::shared_ptr<Net> net,
                                          parallel::ActivationCheckpointOptions options = {}) {
    return CheckpointWrapper<Net>(std::move(net), std::move(options));
}
/// TORCH_MODULE's holders.
template <class Holder>
requires ModuleLike<typename Holder::ContainedType>
auto checkpoint_wrapper(const Holder& holder, parallel::ActivationCheckpointOptions options = {}) {
    return checkpoint_wrapper(holder.ptr(), std::move(options));
}

/// A block that may be checkpointed, and is not yet.
template <ModuleLike Net>
CheckpointWrapper<Net> wrap_block(std::shared_ptr<Net> net, parallel::ActivationCheckpointOptions options = {}) {
    return CheckpointWrapper<Net>(std::move(net), std::move(options), false);
}
template <class Holder>
requires ModuleLike<typename Holder::ContainedType>
auto wrap_block(const Holder& holder, parallel::ActivationCheckpointOptions options = {}) {
    return wrap_block(holder.ptr(), std::move(options));
}

}  // namespace trainyard::accelerator
