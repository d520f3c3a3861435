// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the kernels of the current instruction set. LibTorch's products are used where they are faster: on other
// devices, for formats that the processor multiplies itself, and for fp32 on processors for which we have no vector
// kernels.

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/instruction_set.h"
#include "models/nn/kernels/batch_norm_loops.h"
#include "models/nn/kernels/tile_products.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

extern const VectorLoops vector_loops_generic;
extern const BatchNormLoops batch_norm_loops_generic;
extern const TileProducts tile_products_generic;
#ifdef TRAINYARD_X86_KERNELS
extern const VectorLoops vector_loops_avx2, vector_loops_avx512, vector_loops_avx512bf16;
extern const BatchNormLoops batch_norm_loops_avx2, batch_norm_loops_avx512, batch_norm_loops_avx512bf16;
extern const TileProducts tile_products_avx2, tile_products_avx512, tile_products_avx512bf16;
#endif

namespace {

template <class Table>
const Table& of_instruction_set_in_use(const std::array<const Table*, kInstructionSets.size()>& tables) {
    return *tables[static_cast<std::size_t>(instruction_set())];
}

}  // namespace

#ifdef TRAINYARD_X86_KERNELS

const VectorLoops& vector_loops() {
    return of_instruction_set_in_use<VectorLoops>(
        {&vector_loops_generic, &vector_loops_avx2, &vector_loops_avx512, &vector_loops_avx512bf16});
}

const BatchNormLoops& batch_norm_loops() {
    return of_instruction_set_in_use<BatchNormLoops>(
        {&batch_norm_loops_generic, &batch_norm_loops_avx2, &batch_norm_loops_avx512, &batch_norm_loops_avx512bf16});
}

const TileProducts& tile_products() {
    return of_instruction_set_in_use<TileProducts>(
        {&tile_products_generic, &tile_products_avx2, &tile_products_avx512, &tile_products_avx512bf16});
}

#else

const VectorLoops& vector_loops() {
    return vector_loops_generic;
}

const BatchNormLoops& batch_norm_loops() {
    return batch_norm_loops_generic;
}

const TileProducts& tile_products() {
    return tile_products_generic;
}

#endif

MatrixData part_of(const MatrixData& x, std::int64_t row, std::int64_t column) {
    std::int64_t at = x.transposed ? column * x.stride + row : row * x.stride + column;
    MatrixData part = x;
    part.data = static_cast<const std::byte*>(x.data) + at * (x.format == NumberFormat::fp32 ? 4 : 2);
    return part;
}

RightOperand pack_whole(const MatrixData& b, std::int64_t k, std::int64_t n, float* room) {
    const TileProducts& products = tile_products();
    RightOperand packed{room, k * products.columns};
    for (std::int64_t column = 0; column < n; column += products.columns)
        products.pack_right(part_of(b, 0, column), k, std::min(products.columns, n - column),
                            room + column / products.columns * packed.stride);
    return packed;
}

}  // namespace trainyard::models
