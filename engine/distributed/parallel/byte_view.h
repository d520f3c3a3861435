// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The numbers of a contiguous tensor as bytes, one after the other: what travels where dtypes do not matter.

#include <ATen/core/Tensor.h>

namespace trainyard::parallel {

inline at::Tensor bytes_of(const at::Tensor& contiguous) {
    return contiguous.view({-1}).view(at::kByte);
}

}  // namespace trainyard::parallel
