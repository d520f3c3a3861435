// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/weight_gradient.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include "base/instruction_set.h"
#include "models/nn/kernels/gradient_products.h"
#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/matrix_unit.h"
#include "models/nn/kernels/products.h"

namespace trainyard::models {

namespace {

// Columns that a thread processes at once: with their rows they stay in its level 2 cache.
constexpr std::int64_t kXColumns = 192;
// Blocks of rows that are packed together: their sums are written while the columns are in the cache.
constexpr std::int64_t kRowBlocks = 4;

std::int64_t blocks_of(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
}

bool is_operand(const at::Tensor& x) {
    return x.is_cpu() && x.scalar_type() == at::kBFloat16 && x.stride(1) == 1;
}

bool takes(const parallel::Parameter& weight, const at::Tensor& x, const at::Tensor& dy) {
    const GradientProducts* const products = gradient_products();
    return products != nullptr && is_operand(x) && is_operand(dy) && weight.gradient().is_contiguous() &&
           x.size(1) % products->x_unit == 0 && dy.size(1) % 16 == 0 && x.size(0) > 0;
}

}  // namespace

#ifdef TRAINYARD_X86_KERNELS
extern const GradientProducts gradient_products_avx512bf16, gradient_products_amx;
#endif

const GradientProducts* gradient_products() {
#ifdef TRAINYARD_X86_KERNELS
    if (instruction_set() < InstructionSet::avx512bf16)
        return nullptr;
    return may_use_matrix_unit() ? &gradient_products_amx : &gradient_products_avx512bf16;
#else
    return nullptr;
#endif
}

void add_weight_gradient(parallel::Parameter& weight, const at::Tensor& x, const at::Tensor& dy) {
    if (!weight.trains())
        return;
    if (!takes(weight, x, dy))
        return add_product(weight, x.t(), dy);
    const GradientProducts& products = *gradient_products();
    const std::int64_t count = x.size(0), in = x.size(1), out = dy.size(1);
    const std::int64_t strips = blocks_of(in, kXColumns), panels = blocks_of(out, products.columns);
    const std::int64_t panel_size = products.rows / 2 * products.columns;
    const std::int64_t together = std::min(kRowBlocks, blocks_of(count, products.rows));
    const at::Tensor packed_x = at::empty({together * in * products.rows}, x.options());
    const at::Tensor packed_dy = at::empty({together * panels * panel_size}, x.options().dtype(at::kInt));
    auto* left = bits_to_write(packed_x);
    auto* right = reinterpret_cast<std::uint32_t*>(packed_dy.data_ptr<std::int32_t>());
    bool add = false;
    float* target = weight.gradient_to_write(add).data_ptr<float>();
    for (std::int64_t row = 0; row < count; row += together * products.rows, add = true) {
        const std::int64_t blocks = std::min(together, blocks_of(count - row, products.rows));
        const auto rows_of = [&](std::int64_t block) {
            return std::min(products.rows, count - row - block * products.rows);
        };
        at::parallel_for(0, blocks * (strips + panels), 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t block = i / (strips + panels), part = i % (strips + panels),
                                   first = row + block * products.rows;
                if (part < strips) {
                    products.pack_x(bits(x) + first * x.stride(0), x.stride(0), rows_of(block), part * kXColumns,
                                    std::min(in, (part + 1) * kXColumns), left + block * in * products.rows);
                    continue;
                }
                const std::int64_t column = (part - strips) * products.columns;
                products.pack_dy(bits(dy) + first * dy.stride(0) + column, dy.stride(0), rows_of(block),
                                 std::min(products.columns, out - column),
                                 right + (block * panels + part - strips) * panel_size);
            }
        });
        at::parallel_for(0, strips * panels, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t i = begin; i < end; ++i) {
                const std::int64_t first = i / panels * kXColumns, panel = i % panels,
                                   column = panel * products.columns;
                for (std::int64_t block = 0; block < blocks; ++block)
                    products.multiply(std::min(kXColumns, in - first), std::min(products.columns, out - column),
                                      rows_of(block), left + (block * in + first) * products.rows,
                                      right + (block * panels + panel) * panel_size, target + first * out + column, out,
                                      add || block > 0);
            }
        });
    }
}

}  // namespace trainyard::models
