// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products of dense layers and of the loss. On the CPU, products of fp32 and of 16-bit formats that the
// processor cannot multiply use our kernels (tile_products.h): operands are widened in blocks, multiplied in fp32 on
// all threads, and rounded once at the end. The order of additions does not depend on the number of threads.

#include <ATen/core/Tensor.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

/// Whether LibTorch computes products of tensors like this one: on other devices; for formats that the processor can
/// multiply (bfloat16 with AVX512_BF16, fp16 with AVX512_FP16) and is allowed to (TRAINYARD_CPU_ISA); for fp32 and fp64
/// without a vector unit that our kernels support.
bool torch_multiplies(const at::Tensor& x);

/// a b, or a b + bias, in the dtype of a and b. a [m, k] and b [k, n] are row-major or transposed; bias [n].
at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});
/// The same, written to existing rows.
void product_into(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

/// out += a b, in fp32 in place.
void add_product_into(at::Tensor& out, const at::Tensor& a, const at::Tensor& b);

/// While one lives, the model of this thread is used and not trained, also where its weights can be: products of a few rows are in the order of additions
/// that is quickest, and not in the one that is the same for every number of rows.
class InUse {
  public:
    InUse();
    ~InUse();
    InUse(const InUse&) = delete;
    InUse& operator=(const InUse&) = delete;
    static bool is_set();

  private:
    bool before_;
};

/// weight's gradient += a b, summed in fp32.
void add_product(parallel::Parameter& weight, const at::Tensor& a, const at::Tensor& b);

}  // namespace trainyard::models
