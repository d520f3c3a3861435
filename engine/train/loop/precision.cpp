// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/precision.h"

#include <map>
#include <mutex>

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>

#include "base/error.h"

namespace trainyard {

Precision parse_precision(std::string_view text) {
    if (const auto precision = find_choice<Precision>(text))
        return *precision;
    throw UserError("mixed_precision is '{}': choose no, fp16, bf16 or fp8", text);
}

AutocastScope::AutocastScope(Precision precision, c10::DeviceType device, AutocastOptions options) : device_(device) {
    if (precision == Precision::no && options.enabled)
        return;
    was_enabled_ = at::autocast::is_autocast_enabled(device_);
    was_dtype_ = at::autocast::get_autocast_dtype(device_);
    was_cached_ = at::autocast::is_autocast_cache_enabled();
    active_ = true;
    at::autocast::set_autocast_enabled(device_, options.enabled);
    if (options.enabled)
        at::autocast::set_autocast_dtype(device_, scalar_type(precision));
    at::autocast::increment_nesting();
    if (options.cache_enabled)
        at::autocast::set_autocast_cache_enabled(*options.cache_enabled);
}

AutocastScope::~AutocastScope() {
    if (!active_)
        return;
    // The outermost scope drops the cached copies: the next step's weights are others.
    if (at::autocast::decrement_nesting() == 0)
        at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(device_, was_enabled_);
    at::autocast::set_autocast_dtype(device_, was_dtype_);
    at::autocast::set_autocast_cache_enabled(was_cached_);
}

Message why_unavailable(Precision precision, at::Device device) {
    if (precision == Precision::no || device.type() == at::kMeta)
        return "";
    static std::mutex mutex;
    static std::map<std::pair<Precision, std::string>, Message> known;
    const std::lock_guard lock(mutex);
    const auto [place, is_new] = known.try_emplace({precision, device.str()});
    if (is_new) {
        const at::ScalarType dtype = scalar_type(precision);
        Message why;
        try {
            const at::Tensor ones = at::ones({2, 2}, at::TensorOptions().dtype(dtype).device(device));
            if (at::matmul(ones, ones).sum().item<double>() != 8.0)
                why = "its products are wrong";
        } catch (const c10::Error& error) {
            const std::string text = error.what_without_backtrace();
            why = Message::verbatim(text.substr(0, text.find('\n')));
        }
        if (!why.empty())
            place->second = Message("mixed_precision {} does not work on {} ({}): choose no or {}", precision,
                                    device.str(), why, precision == Precision::fp16 ? "bf16" : "fp16");
    }
    return place->second;
}

void require_available(Precision precision, at::Device device) {
    if (const Message why = why_unavailable(precision, device); !why.empty())
        throw UserError(why);
}

void set_tf32(bool allow) {
    at::globalContext().setAllowTF32CuBLAS(allow);
    at::globalContext().setAllowTF32CuDNN(allow);
}

bool tf32() {
    return at::globalContext().allowTF32CuBLAS();
}

at::Tensor to_fp32(const at::Tensor& tensor) {
    if (tensor.defined() && (tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16))
        return tensor.to(at::kFloat);
    return tensor;
}

Tree to_fp32(const Tree& tree) {
    return tree.map_tensors([](const at::Tensor& tensor) { return to_fp32(tensor); });
}

}  // namespace trainyard
