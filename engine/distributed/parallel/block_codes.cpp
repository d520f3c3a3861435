// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/block_codes.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

namespace trainyard::parallel {

namespace {

std::int64_t blocks_of(std::int64_t elements) {
    return (elements + kCodeBlock - 1) / kCodeBlock;
}

std::int64_t code_bytes(std::int64_t elements, CodeBits bits) {
    constexpr std::int64_t kAlignment = sizeof(float);
    const std::int64_t bytes = (elements * static_cast<int>(bits) + 7) / 8;
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

double largest_code(CodeBits bits) {
    return bits == CodeBits::eight ? 127 : 7;
}

}  // namespace

std::int64_t coded_bytes(std::int64_t elements, CodeBits bits) {
    return code_bytes(elements, bits) + blocks_of(elements) * static_cast<std::int64_t>(sizeof(float));
}

void encode(const at::Tensor& values, CodeBits bits, const at::Tensor& to) {
    const std::int64_t elements = values.numel(), blocks = blocks_of(elements), bytes = code_bytes(elements, bits);
    if (elements == 0)
        return;
    const at::Tensor flat = values.to(at::kFloat);
    const at::Tensor padded =
        (elements % kCodeBlock == 0 ? flat : at::constant_pad_nd(flat, {0, blocks * kCodeBlock - elements}))
            .view({blocks, kCodeBlock});
    const double most = largest_code(bits);
    const at::Tensor scales = padded.abs().amax(1, true).div_(most);
    const at::Tensor codes =
        padded.div(at::where(scales == 0, at::ones_like(scales), scales)).round_().clamp_(-most, most).view(-1);
    at::Tensor packed;
    if (bits == CodeBits::eight) {
        packed = codes.to(at::kChar).view(at::kByte);
    } else {  // the first of two in the lower half, as an offset from -8
        const at::Tensor pairs = codes.add(8).to(at::kByte).view({-1, 2});
        packed = pairs.select(1, 0).add(pairs.select(1, 1), 16);
    }
    to.narrow(0, 0, bytes).copy_(packed.narrow(0, 0, bytes));
    to.narrow(0, bytes, to.numel() - bytes).view(at::kFloat).copy_(scales.view(-1));
}

at::Tensor decode(const at::Tensor& from, std::int64_t elements, CodeBits bits) {
    const std::int64_t blocks = blocks_of(elements), bytes = code_bytes(elements, bits);
    const at::Tensor packed = from.narrow(0, 0, bytes);
    at::Tensor codes;
    if (bits == CodeBits::eight)
        codes = packed.view(at::kChar);
    else
        codes = at::stack({packed.bitwise_and(15), packed.bitwise_right_shift(4)}, 1).view(-1).to(at::kChar).sub_(8);
    const at::Tensor values = at::zeros({blocks * kCodeBlock}, from.options().dtype(at::kFloat));
    values.narrow(0, 0, elements).copy_(codes.narrow(0, 0, elements));
    if (elements > 0)
        values.view({blocks, kCodeBlock})
            .mul_(from.narrow(0, bytes, blocks * static_cast<std::int64_t>(sizeof(float)))
                      .view(at::kFloat)
                      .view({blocks, 1}));
    return values.narrow(0, 0, elements);
}

}  // namespace trainyard::parallel
