#pragma once
// Matrix products of dense layers and of the loss. On the CPU fp32 products and those of 16-bit formats that the processor cannot multiply itself
// are ours (tile_products.h): widened in blocks, multiplied in fp32 on all threads, rounded once at the end. The order of additions does
// not depend on the number of threads.

#include <ATen/core/Tensor.h>

#include "parallel/parameter.h"

namespace trainyard::models {

/// Whether LibTorch makes the products of tensors like this one: on other devices; of formats that the processor has products of (bfloat16
/// with AVX512_BF16, fp16 with AVX512_FP16) and may use (TRAINYARD_CPU_ISA); fp32 and fp64 without a vector unit that we have kernels for.
bool torch_multiplies(const at::Tensor& x);

/// a b, or a b + bias, in the dtype of a and b. a [m, k] and b [k, n] lie in rows or are the transposes of such; bias [n].
at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});
/// The same into rows.
void product_into(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias = {});

/// weight's gradient += a b, summed in fp32.
void add_product(parallel::Parameter& weight, const at::Tensor& a, const at::Tensor& b);

}  // namespace trainyard::models
