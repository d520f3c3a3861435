// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/attention_bfloat16.h"

#include <cmath>
#include <memory>

#include <ATen/Parallel.h>

#include "base/instruction_set.h"
#include "models/nn/kernels/attention_cpu.h"
#include "models/nn/kernels/matrix_unit.h"

namespace trainyard::models {

namespace {

/// Working memory of a thread.
class Workspace {
  public:
    explicit Workspace(std::size_t bytes)
        : memory_(static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64}))) {}
    ~Workspace() { ::operator delete (memory_, std::align_val_t{64}); }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;
    std::byte* data() const { return memory_; }

  private:
    std::byte* memory_;
};

AttentionHead head_of(const AttentionShape& shape, std::int64_t index, const std::uint16_t* qkv) {
    const std::uint16_t* packed = qkv + shape.head_offset(index, 3 * shape.width());
    return {shape.seq,         shape.head_width,   packed, packed + shape.width(), packed + 2 * shape.width(),
            3 * shape.width(), shape.score_scale()};
}

}  // namespace

#ifdef TRAINYARD_X86_KERNELS
extern const Bfloat16Attention bfloat16_attention_avx512bf16, bfloat16_attention_amx;
#endif

const Bfloat16Attention* bfloat16_attention() {
#ifdef TRAINYARD_X86_KERNELS
    if (instruction_set() < InstructionSet::avx512bf16)
        return nullptr;
    return may_use_matrix_unit() ? &bfloat16_attention_amx : &bfloat16_attention_avx512bf16;
#else
    return nullptr;
#endif
}

bool has_bfloat16_attention(const AttentionShape& shape) {
    return shape.head_width % 2 == 0 && bfloat16_attention() != nullptr;
}

void bfloat16_attention_forward(const AttentionShape& shape, const std::uint16_t* qkv, std::uint16_t* out,
                                float* log_sum_exp) {
    const Bfloat16Attention& kernel = *bfloat16_attention();
    std::int64_t tiles = (shape.seq + kernel.tile - 1) / kernel.tile;
    // Tiles of a head are processed together, because they share what is prepared for the head.
    at::parallel_for(0, shape.batch * shape.heads * tiles, 1, [&](std::int64_t begin, std::int64_t end) {
        Workspace room(kernel.forward_room(shape.seq, shape.head_width));
        std::int64_t prepared = -1;
        for (std::int64_t item = begin; item < end; ++item) {
            std::int64_t index = item / tiles;
            AttentionHead head = head_of(shape, index, qkv);
            if (index != prepared)
                kernel.forward_prepare(head, room.data());
            prepared = index;
            kernel.forward_tile(
                head, item % tiles * kernel.tile,
                {out + shape.head_offset(index, shape.width()), shape.width(), log_sum_exp + index * shape.seq},
                room.data());
        }
    });
}

void bfloat16_attention_backward(const AttentionShape& shape, const std::uint16_t* qkv, const std::uint16_t* out,
                                 const float* log_sum_exp, const std::uint16_t* dout, std::uint16_t* dqkv) {
    const Bfloat16Attention& kernel = *bfloat16_attention();
    at::parallel_for(0, shape.batch * shape.heads, 1, [&](std::int64_t begin, std::int64_t end) {
        Workspace room(kernel.backward_room(shape.seq, shape.head_width));
        for (std::int64_t index = begin; index < end; ++index) {
            std::int64_t plain = shape.head_offset(index, shape.width());
            std::uint16_t* packed = dqkv + shape.head_offset(index, 3 * shape.width());
            kernel.backward(
                head_of(shape, index, qkv), {out + plain, dout + plain, shape.width(), log_sum_exp + index * shape.seq},
                {packed, packed + shape.width(), packed + 2 * shape.width(), 3 * shape.width()}, room.data());
        }
    });
}

}  // namespace trainyard::models
