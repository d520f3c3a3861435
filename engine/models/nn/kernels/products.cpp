// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/products.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <ATen/Parallel.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>

#include "base/instruction_set.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/tile_products.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

namespace {

constexpr std::int64_t kDepth = 384;               ///< depth of a block, whose rows and panels stay in the caches
constexpr std::int64_t kBlockHeight = 96;          ///< rows of a that are packed together
constexpr std::int64_t kPackedDepth = 4096;        ///< depth of b that is packed at a time
constexpr std::int64_t kPackedElements = 1 << 20;  ///< elements of b, for all threads
constexpr std::int64_t kLeastPanels = 4;           ///< panels of rows that justify a thread

/// A matrix in memory: rows of the tensor, or of its transpose. Other layouts are copied first.
struct LaidOut {
    at::Tensor kept;
    MatrixData matrix;

    explicit LaidOut(const at::Tensor& x) : kept(x) {
        bool rows = x.size(1) == 1 || x.stride(1) == 1, columns = x.size(0) == 1 || x.stride(0) == 1;
        if (!rows && !columns)
            kept = x.contiguous();
        bool transposed = !rows && columns;
        matrix = {kept.const_data_ptr(), kept.stride(transposed ? 1 : 0), format_of(kept.scalar_type()), transposed};
    }
};

/// out (+)= a b (+ bias), with row-major out. Sums are fp32: in `sums` if out is not fp32 and there are several blocks
/// of depth.
struct BlockedProduct {
    std::int64_t m, n, k;
    MatrixData a, b;
    void* out;
    std::int64_t out_stride;
    NumberFormat out_format;
    bool add;
    const float* bias;

    void run() const;

  private:
    struct Part {
        std::int64_t column, columns;  ///< of out
        std::int64_t depth, depths;    ///< of k
    };
    void run_rows(const Part& part, const RightOperand& right, float* sums, std::int64_t first_row,
                  std::int64_t last_row, std::int64_t first_column, std::int64_t last_column) const;
    ProductTarget target(std::int64_t row, std::int64_t column, bool first, bool last, float* sums,
                         std::int64_t sums_stride) const;
};

ProductTarget BlockedProduct::target(std::int64_t row, std::int64_t column, bool first, bool last, float* sums,
                                     std::int64_t sums_stride) const {
    ProductTarget to;
    to.bias = last && bias != nullptr ? bias + column : nullptr;
    std::int64_t at = row * out_stride + column;
    if (out_format == NumberFormat::fp32) {
        float* place = static_cast<float*>(out) + at;
        to.data = place;
        to.stride = to.sums_stride = out_stride;
        to.sums = first && !add ? nullptr : place;
        return to;
    }
    if (last) {
        to.data = static_cast<std::uint16_t*>(out) + at;
        to.stride = out_stride;
        to.format = out_format;
    } else {
        to.data = sums;
        to.stride = sums_stride;
    }
    to.sums = first ? nullptr : sums;
    to.sums_stride = sums_stride;
    return to;
}

void BlockedProduct::run_rows(const Part& part, const RightOperand& right, float* sums, std::int64_t first_row,
                              std::int64_t last_row, std::int64_t first_column, std::int64_t last_column) const {
    const TileProducts& products = tile_products();
    std::int64_t blocks = (part.depths + kDepth - 1) / kDepth, step = (part.depths + blocks - 1) / blocks;
    bool in_place = a.format == NumberFormat::fp32 && !a.transposed;
    std::int64_t height = std::max<std::int64_t>(1, kBlockHeight / products.rows) * products.rows;
    auto room = std::make_unique_for_overwrite<float[]>(in_place ? 0 : static_cast<std::size_t>(height * step));
    for (std::int64_t row = first_row; row < last_row; row += height) {
        std::int64_t rows = std::min(height, last_row - row);
        for (std::int64_t begin = 0; begin < part.depths; begin += step) {
            std::int64_t size = std::min(step, part.depths - begin), depth = part.depth + begin;
            MatrixData here = part_of(a, row, depth);
            LeftOperand left{room.get(), size, false};
            if (in_place) {
                left = {static_cast<const float*>(here.data), here.stride, false};
            } else if (a.transposed) {
                products.pack_left(here, rows, size, room.get());
                left = {room.get(), size * products.rows, true};
            } else {
                for (std::int64_t i = 0; i < rows; ++i)
                    vector_loops().half(a.format).widen(static_cast<const std::uint16_t*>(here.data) + i * here.stride,
                                                        room.get() + i * size, size);
            }
            RightOperand columns{right.data + first_column / products.columns * right.stride + begin * products.columns,
                                 right.stride};
            float* own_sums = sums == nullptr ? nullptr : sums + row * part.columns + first_column;
            products.multiply(
                rows, last_column - first_column, size, left, columns,
                target(row, part.column + first_column, depth == 0, depth + size == k, own_sums, part.columns));
        }
    }
}

void BlockedProduct::run() const {
    const TileProducts& products = tile_products();
    std::int64_t depth_step = std::min(k, kPackedDepth);
    std::int64_t column_step =
        std::max<std::int64_t>(1, kPackedElements / depth_step / products.columns) * products.columns;
    column_step = std::min(column_step, products.panels_of(n) * products.columns);
    auto floats = at::TensorOptions().dtype(at::kFloat);
    at::Tensor packed = at::empty({column_step * depth_step}, floats), sums;
    if (out_format != NumberFormat::fp32 && k > kDepth)
        sums = at::empty({m * std::min(n, column_step)}, floats);
    float *panels = packed.data_ptr<float>(), *sum = sums.defined() ? sums.data_ptr<float>() : nullptr;
    // Each thread gets whole panels of rows; if there are few, columns are divided, too.
    std::int64_t units = (m + products.rows - 1) / products.rows, threads = at::get_num_threads();
    std::int64_t row_parts = std::clamp<std::int64_t>(units / kLeastPanels, 1, threads);
    for (std::int64_t column = 0; column < n; column += column_step)
        for (std::int64_t depth = 0; depth < k; depth += depth_step) {
            Part part{column, std::min(column_step, n - column), depth, std::min(depth_step, k - depth)};
            RightOperand right{panels, part.depths * products.columns};
            std::int64_t panel_count = products.panels_of(part.columns);
            at::parallel_for(0, panel_count, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    std::int64_t first = i * products.columns;
                    products.pack_right(part_of(b, depth, column + first), part.depths,
                                        std::min(products.columns, part.columns - first), panels + i * right.stride);
                }
            });
            std::int64_t column_parts = std::min(panel_count, (threads + row_parts - 1) / row_parts);
            at::parallel_for(0, row_parts * column_parts, 1, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) {
                    auto share = [](std::int64_t count, std::int64_t index, std::int64_t parts) {
                        return count * index / parts;
                    };
                    std::int64_t r = i / column_parts, c = i % column_parts;
                    run_rows(part, right, sum, share(units, r, row_parts) * products.rows,
                             std::min(m, share(units, r + 1, row_parts) * products.rows),
                             share(panel_count, c, column_parts) * products.columns,
                             std::min(part.columns, share(panel_count, c + 1, column_parts) * products.columns));
                }
            });
        }
}

void multiply_in_blocks(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias,
                        bool add) {
    LaidOut left(a), right(b);
    at::Tensor wide_bias = bias.defined() ? bias.to(at::kFloat).contiguous() : bias;
    BlockedProduct{a.size(0),     b.size(1),
                   a.size(1),     left.matrix,
                   right.matrix,  out.data_ptr(),
                   out.stride(0), format_of(out.scalar_type()),
                   add,           bias.defined() ? wide_bias.const_data_ptr<float>() : nullptr}
        .run();
}

bool is_empty(const at::Tensor& a, const at::Tensor& b) {
    return a.numel() == 0 || b.numel() == 0;
}

thread_local bool in_use = false;

bool processor_multiplies_fp16() {
#ifdef TRAINYARD_X86_KERNELS
    static const bool can = __builtin_cpu_supports("avx512fp16");
    return can;
#else
    return false;
#endif
}

}  // namespace

InUse::InUse() : before_(std::exchange(in_use, true)) {}

InUse::~InUse() {
    in_use = before_;
}

bool InUse::is_set() {
    return in_use;
}

bool torch_multiplies(const at::Tensor& x) {
    if (!x.is_cpu())
        return true;
    InstructionSet set = instruction_set();
    switch (x.scalar_type()) {
        case at::kFloat:
            return set == InstructionSet::generic;
        case at::kBFloat16:
            return set >= InstructionSet::avx512bf16;
        case at::kHalf:
            return set >= InstructionSet::avx512bf16 && processor_multiplies_fp16();
        default:
            return true;
    }
}

at::Tensor product(const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias) {
    at::Tensor out = at::empty({a.size(0), b.size(1)}, a.options());
    product_into(out, a, b, bias);
    return out;
}

void product_into(const at::Tensor& out, const at::Tensor& a, const at::Tensor& b, const at::Tensor& bias) {
    if (!torch_multiplies(a) && !is_empty(a, b))
        return multiply_in_blocks(out, a, b, bias, false);
    at::Tensor target = out;
    if (bias.defined())
        at::addmm_out(target, bias, a, b);
    else
        at::mm_out(target, a, b);
}

void add_product_into(at::Tensor& out, const at::Tensor& a, const at::Tensor& b) {
    if (!torch_multiplies(a) && !is_empty(a, b) && out.scalar_type() == at::kFloat)
        multiply_in_blocks(out, a, b, {}, true);
    else
        out.add_(product(a, b));
}

void add_product(parallel::Parameter& weight, const at::Tensor& a, const at::Tensor& b) {
    if (torch_multiplies(a) || is_empty(a, b) || weight.gradient().stride(1) != 1)
        return weight.add_matmul(a, b);
    bool add = false;
    const at::Tensor& gradient = weight.gradient_to_write(add);
    multiply_in_blocks(gradient, a, b, {}, add);
}

}  // namespace trainyard::models
