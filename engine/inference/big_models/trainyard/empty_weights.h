// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Construction of a user's torch module without memory for its parameters (init_empty_weights and init_on_device of
// accelerate.big_modeling):
//
//     auto net = dispatch::init_empty_weights([] { return std::make_shared<Net>(); });
//
// While the function runs, every large tensor that is made on this thread has a shape and no bytes, and what is done to
// it is noted. Afterwards the parameters are on the meta device, and what was noted is done for the buffers. Values
// that
// are read at once (item()) are computed for that. A constructor that reads the memory of a large tensor (data_ptr(),
// accessor()) gets LibTorch's error that it is not allocated.

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <c10/core/Device.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace torch::nn {
class Module;
}

namespace trainyard::dispatch {

namespace detail {

/// Tensors that are made while it lives have no bytes. Nests not.
class DeferredTensors {
  public:
    /// Begins to defer on this thread, if `device` is meta.
    explicit DeferredTensors(c10::Device device);
    ~DeferredTensors();
    DeferredTensors(const DeferredTensors&) = delete;
    DeferredTensors& operator=(const DeferredTensors&) = delete;
    /// Ends it. Puts parameters on the device, and with `include_buffers` buffers, too; others have their values.
    void finish(torch::nn::Module& module, std::optional<bool> include_buffers);

  private:
    void end();
    c10::Device device_;
    std::optional<c10::impl::IncludeDispatchKeyGuard> guard_;
};

template <class Net>
torch::nn::Module& module_of(const std::shared_ptr<Net>& net) {
    return *net;
}
template <class Holder>
requires requires {
    typename Holder::ContainedType;
}
torch::nn::Module& module_of(const Holder& holder) {
    return *holder.ptr();
}

}  // namespace detail

/// Returns what `make` returns, a shared pointer to a module or a holder of TORCH_MODULE, with its parameters moved to
/// `device`: their values are those that they have on the processor. Buffers stay in the processor's memory unless
/// `include_buffers`; nothing: $ACCELERATE_INIT_INCLUDE_BUFFERS, else false.
template <class Make>
auto init_on_device(c10::Device device, Make&& make, std::optional<bool> include_buffers = {}) {
    detail::DeferredTensors deferred(device);
    auto net = std::forward<Make>(make)();
    deferred.finish(detail::module_of(net), include_buffers);
    return net;
}

/// The same with the parameters on the meta device: names, shapes and types without bytes.
template <class Make>
auto init_empty_weights(Make&& make, std::optional<bool> include_buffers = {}) {
    return init_on_device(c10::Device(c10::kMeta), std::forward<Make>(make), include_buffers);
}

}  // namespace trainyard::dispatch
