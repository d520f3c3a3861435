// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Number formats of the forward pass: automatic casting as RAII scopes, what a device can do, and fp32 again at the end.
// Operators choose their format by LibTorch's autocast tables (matrix products in the low format, reductions and losses in fp32).

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include "base/message.h"
#include "base/training_choices.h"
#include "distributed/tensors/tree.h"

namespace trainyard {

/// "no", "fp16", "bf16", "fp8", as the settings write them. Throws UserError naming them.
Precision parse_precision(std::string_view text);
/// fp32 for Precision::no; bfloat16 beside fp8, in which matrix products alone are computed.
inline at::ScalarType scalar_type(Precision precision) {
    return precision == Precision::fp16 ? at::kHalf : precision == Precision::no ? at::kFloat : at::kBFloat16;
}

/// AutocastKwargs.
struct AutocastOptions {
    bool enabled = true;
    /// Keep the low-precision copies of weights until the outermost scope ends. Empty: as LibTorch has it (on).
    std::optional<bool> cache_enabled = std::nullopt;
};

/// Casts automatically on one kind of device until it dies; restores what was before. Nests: a scope with `enabled = false` is an fp32 region within
/// (give it fp32 tensors: to_fp32). Belongs to the thread that made it.
class [[nodiscard]] AutocastScope {
  public:
    /// Precision::no changes nothing, as in Accelerate, unless options.enabled is false, which switches an outer scope off.
    AutocastScope(Precision precision, c10::DeviceType device, AutocastOptions options = {});
    ~AutocastScope();
    AutocastScope(const AutocastScope&) = delete;
    AutocastScope& operator=(const AutocastScope&) = delete;

  private:
    bool active_ = false;
    c10::DeviceType device_;
    bool was_enabled_ = false;
    bool was_cached_ = true;
    at::ScalarType was_dtype_ = at::kFloat;
};

/// A sentence saying why a device cannot compute in that format and what to choose instead; empty when it can. Tried once with a small product.
Message why_unavailable(Precision precision, at::Device device);
/// Throws UserError with that sentence.
void require_available(Precision precision, at::Device device);

/// TensorFloat-32 in matrix products and convolutions of NVIDIA GPUs: 10 bits of mantissa at several times the speed. No effect on other devices.
void set_tf32(bool allow);
bool tf32();

/// fp16 and bf16 tensors as fp32, everything else as it is; containers keep their kind. Further types: an overload beside the type.
at::Tensor to_fp32(const at::Tensor& tensor);
Tree to_fp32(const Tree& tree);

template <class T>
std::vector<T> to_fp32(std::vector<T> values);
template <class... T>
std::tuple<T...> to_fp32(std::tuple<T...> values);
template <class A, class B>
std::pair<A, B> to_fp32(std::pair<A, B> values);
template <class T>
std::optional<T> to_fp32(std::optional<T> value);

/// Converts the result of a prepared model: applies to_fp32 if it has an overload for the type, else returns the value.
template <class T>
T outputs_to_fp32(T value) {
    if constexpr (requires(T & v) {
                      { to_fp32(v) } -> std::convertible_to<T>;
                  })
        return to_fp32(std::move(value));
    else
        return value;
}

template <class T>
std::vector<T> to_fp32(std::vector<T> values) {
    for (T& value : values)
        value = outputs_to_fp32(std::move(value));
    return values;
}
template <class... T>
std::tuple<T...> to_fp32(std::tuple<T...> values) {
    return std::apply([](auto&... value) { return std::tuple<T...>(outputs_to_fp32(std::move(value))...); }, values);
}
template <class A, class B>
std::pair<A, B> to_fp32(std::pair<A, B> values) {
    return {outputs_to_fp32(std::move(values.first)), outputs_to_fp32(std::move(values.second))};
}
template <class T>
std::optional<T> to_fp32(std::optional<T> value) {
    if (value)
        value = outputs_to_fp32(std::move(*value));
    return value;
}

}  // namespace trainyard
