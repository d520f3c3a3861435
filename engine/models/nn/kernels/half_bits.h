// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The bits of 16-bit tensors, as the loops need them.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "models/nn/kernels/number_format.h"

namespace trainyard::models {

inline bool is_half(at::ScalarType type) {
    return type == at::kBFloat16 || type == at::kHalf;
}

inline bool has_number_format(at::ScalarType type) {
    return type == at::kFloat || is_half(type);
}

/// For dtypes that have a 16-bit format.
inline NumberFormat format_of(at::ScalarType type) {
    return type == at::kBFloat16 ? NumberFormat::bf16 : type == at::kHalf ? NumberFormat::fp16 : NumberFormat::fp32;
}

inline const std::uint16_t* bits(const at::Tensor& x) {
    return static_cast<const std::uint16_t*>(x.const_data_ptr());
}

inline std::uint16_t* bits_to_write(const at::Tensor& x) {
    return static_cast<std::uint16_t*>(x.data_ptr());
}

}  // namespace trainyard::models
