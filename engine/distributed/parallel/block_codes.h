// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers as signed integers of 8 or 4 bits, with an fp32 scale for each block of kCodeBlock elements: what ranks send
// of weights and gradients under ZeRO++ (sharding.h). The scale of a block is its largest magnitude / 127 or / 7, so
// that a decoded number differs from its origin by at most half a scale. A block with a number that is not finite
// decodes to numbers that are not finite.
//
// Wang et al., "ZeRO++: extremely efficient collective communication for giant model training", ICLR 2024.

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/block_code_loops.h"

namespace trainyard::parallel {

enum class CodeBits : int { four = 4, eight = 8 };

/// Bytes of so many elements: the codes, padded to 4 bytes, then the scales.
std::int64_t coded_bytes(std::int64_t elements, CodeBits bits);
/// `values` is flat and floating, `to` uint8 [coded_bytes()].
void encode(const at::Tensor& values, CodeBits bits, const at::Tensor& to);
/// Returns fp32 [elements].
at::Tensor decode(const at::Tensor& from, std::int64_t elements, CodeBits bits);
/// to = decode(from, to.numel(), bits), in the dtype of `to`, which is flat.
void decode_to(const at::Tensor& from, CodeBits bits, const at::Tensor& to);
/// sums += decode(from, sums.numel(), bits). `sums` is flat fp32.
void add_decoded(const at::Tensor& from, CodeBits bits, const at::Tensor& sums);

}  // namespace trainyard::parallel
