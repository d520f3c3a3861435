// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Products of tensors with a matrix that stays in 4 or 8 bits (formats/weights/quantization/packed_matrix.h). A single
// row of x, and a few rows of a model that is used, are multiplied with the codes themselves; for more, strips of the
// matrix are decoded one after the other.

#include <ATen/core/Tensor.h>

#include "formats/weights/quantization/packed_matrix.h"

namespace trainyard::models {

/// x [n, in] and W [out, in] -> x W^T [n, out] in fp32. The elements of W are rounded to `type`, but for up to
/// `direct_rows` rows of x, with which they are multiplied in fp32, or, if both are bfloat16 and the processor has
/// products of them, as values of 4-bit codes that are rounded to it. x is on the processor, of any floating dtype.
at::Tensor packed_product(const at::Tensor& x, const quantization::PackedMatrix& weight, at::ScalarType type,
                          std::int64_t direct_rows = 1);
/// `direct_rows` of a model that is used: decoding a matrix costs as much as multiplying it with some rows.
inline constexpr std::int64_t kDirectRowsInUse = 16;

/// dy [n, out] -> dy W [n, in] in fp32. Elements of W are rounded to the type that they had, then to `type`.
at::Tensor packed_gradient(const at::Tensor& dy, const quantization::PackedMatrix& weight, at::ScalarType type);

/// LLM.int8 of `codes` [n, in] int8 and the codes of W: [n, out] int32.
at::Tensor product_of_codes(const at::Tensor& codes, const quantization::PackedMatrix& weight);

}  // namespace trainyard::models
