// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/block_codes.h"

#include <algorithm>
#include <array>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include "base/instruction_set.h"

namespace trainyard::parallel {

extern const BlockCodeLoops block_code_loops_generic;
#ifdef TRAINYARD_X86_KERNELS
extern const BlockCodeLoops block_code_loops_avx2, block_code_loops_avx512;
#endif

const BlockCodeLoops& block_code_loops() {
#ifdef TRAINYARD_X86_KERNELS
    if (instruction_set() >= InstructionSet::avx512)
        return block_code_loops_avx512;
    if (instruction_set() == InstructionSet::avx2)
        return block_code_loops_avx2;
#endif
    return block_code_loops_generic;
}

namespace {

constexpr std::int64_t kBlocksOfThread = 256;  ///< that justify a thread

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

std::int64_t bytes_of_block(CodeBits bits) {
    return code_bytes(kCodeBlock, bits);
}

/// Whether our loops read and write such a tensor. LibTorch's operators are used for all others.
bool has_loops(const at::Tensor& values) {
    return values.is_cpu() && values.scalar_type() == at::kFloat && values.is_contiguous();
}

/// Codes of `elements` numbers and their scales, in a message.
struct Coded {
    std::uint8_t* codes;
    float* scales;

    Coded(const at::Tensor& message, std::int64_t elements, CodeBits bits)
        : codes(static_cast<std::uint8_t*>(message.data_ptr())),
          scales(reinterpret_cast<float*>(codes + code_bytes(elements, bits))) {}
};

void encode_by_loops(const float* values, std::int64_t elements, CodeBits bits, const Coded& to) {
    const auto encode_blocks = bits == CodeBits::eight ? block_code_loops().encode8 : block_code_loops().encode4;
    const std::int64_t whole = elements / kCodeBlock, rest = elements % kCodeBlock, bytes = bytes_of_block(bits);
    at::parallel_for(0, whole, kBlocksOfThread, [&](std::int64_t begin, std::int64_t end) {
        encode_blocks(values + begin * kCodeBlock, end - begin, to.codes + begin * bytes, to.scales + begin);
    });
    if (rest == 0)
        return;
    std::array<float, kCodeBlock> padded{};
    std::array<std::uint8_t, kCodeBlock> codes{};
    std::copy_n(values + whole * kCodeBlock, rest, padded.begin());
    encode_blocks(padded.data(), 1, codes.data(), to.scales + whole);
    std::copy_n(codes.begin(), code_bytes(rest, bits), to.codes + whole * bytes);
}

void decode_by_loops(const Coded& from, std::int64_t elements, CodeBits bits, bool add, float* values) {
    const auto decode_blocks = bits == CodeBits::eight ? block_code_loops().decode8 : block_code_loops().decode4;
    const std::int64_t whole = elements / kCodeBlock, rest = elements % kCodeBlock, bytes = bytes_of_block(bits);
    at::parallel_for(0, whole, kBlocksOfThread, [&](std::int64_t begin, std::int64_t end) {
        decode_blocks(from.codes + begin * bytes, from.scales + begin, end - begin, add, values + begin * kCodeBlock);
    });
    if (rest == 0)
        return;
    std::array<float, kCodeBlock> padded{};
    std::array<std::uint8_t, kCodeBlock> codes{};
    std::copy_n(from.codes + whole * bytes, code_bytes(rest, bits), codes.begin());
    float* const last = values + whole * kCodeBlock;
    if (add)
        std::copy_n(last, rest, padded.begin());
    decode_blocks(codes.data(), from.scales + whole, 1, add, padded.data());
    std::copy_n(padded.begin(), rest, last);
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
    if (has_loops(flat) && to.is_contiguous())
        return encode_by_loops(flat.const_data_ptr<float>(), elements, bits, Coded(to, elements, bits));
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

void decode_to(const at::Tensor& from, CodeBits bits, const at::Tensor& to) {
    if (has_loops(to) && from.is_contiguous())
        decode_by_loops(Coded(from, to.numel(), bits), to.numel(), bits, false, to.data_ptr<float>());
    else
        to.copy_(decode(from, to.numel(), bits));
}

void add_decoded(const at::Tensor& from, CodeBits bits, const at::Tensor& sums) {
    if (has_loops(sums) && from.is_contiguous())
        decode_by_loops(Coded(from, sums.numel(), bits), sums.numel(), bits, true, sums.data_ptr<float>());
    else
        sums.add_(decode(from, sums.numel(), bits));
}

at::Tensor decode(const at::Tensor& from, std::int64_t elements, CodeBits bits) {
    if (from.is_cpu() && from.is_contiguous()) {
        const at::Tensor values = at::empty({elements}, from.options().dtype(at::kFloat));
        decode_to(from, bits, values);
        return values;
    }
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
