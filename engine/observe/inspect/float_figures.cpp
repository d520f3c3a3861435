// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/float_figures.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/instruction_set.h"
#include "formats/weights/elements.h"
#include "observe/inspect/figure_loops.h"
#include "observe/inspect/statistics.h"

namespace trainyard::inspect {

extern const FigureLoops figure_loops_generic;
#ifdef TRAINYARD_X86_KERNELS
extern const FigureLoops figure_loops_avx2, figure_loops_avx512, figure_loops_avx512bf16;
#endif

const FigureLoops& figure_loops() {
#ifdef TRAINYARD_X86_KERNELS
    switch (instruction_set()) {
        case InstructionSet::avx512bf16:
            return figure_loops_avx512bf16;
        case InstructionSet::avx512:
            return figure_loops_avx512;
        case InstructionSet::avx2:
            return figure_loops_avx2;
        case InstructionSet::generic:
            break;
    }
#endif
    return figure_loops_generic;
}

namespace {

constexpr std::size_t kMostBlock = 16'384;  ///< elements of a block of any instruction set
constexpr std::size_t kCompared = 2048;     ///< elements whose differences are summed as float

enum class Stored { f32, bf16, f16 };

/// Exact, for what float's sums cannot hold and for the last few elements.
void look_at_slowly(std::span<const float> values, Statistics& figures) {
    for (float value : values) {
        ++figures.elements;
        if (std::isnan(value)) {
            ++figures.nan;
        } else if (std::isinf(value)) {
            ++figures.infinite;
        } else {
            figures.zeros += value == 0 ? 1 : 0;
            figures.min = std::min(figures.min, static_cast<double>(value));
            figures.max = std::max(figures.max, static_cast<double>(value));
            figures.sum += static_cast<double>(value);
            figures.squares += static_cast<double>(value) * static_cast<double>(value);
        }
    }
}

void add_block(const FigureLoops& loops, Stored stored, std::span<const std::byte> elements, std::size_t size,
               Statistics& figures) {
    const std::size_t count = elements.size() / size, whole = count / loops.lanes * loops.lanes;
    const auto slowly = [&](std::size_t first, std::size_t number) {
        float values[kMostBlock];
        weights::decode_elements(stored == Stored::f32    ? "F32"
                                 : stored == Stored::bf16 ? "BF16"
                                                          : "F16",
                                 elements.subspan(first * size, number * size), std::span(values, number));
        look_at_slowly(std::span(values, number), figures);
    };
    if (whole > 0) {
        BlockFigures block;
        (stored == Stored::f32    ? loops.f32
         : stored == Stored::bf16 ? loops.bf16
                                  : loops.f16)(elements.data(), whole, block);
        const auto min = static_cast<double>(block.min), max = static_cast<double>(block.max);
        // Squares of large numbers overflow float and those of small ones vanish; NaN and infinity are in the sum.
        const double largest = std::max(std::abs(min), std::abs(max));
        if (std::isfinite(block.sum) && std::isfinite(block.squares) && largest < 1e15 &&
            (largest > 1e-15 || largest == 0)) {
            figures.elements += whole;
            figures.zeros += block.zeros;
            figures.min = std::min(figures.min, min);
            figures.max = std::max(figures.max, max);
            figures.sum += block.sum;
            figures.squares += block.squares;
        } else {
            slowly(0, whole);
        }
    }
    if (whole < count)
        slowly(whole, count - whole);
}

Difference compare_slowly(std::span<const float> a, std::span<const float> b) {
    Difference sum;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!std::isfinite(a[i]) || !std::isfinite(b[i])) {
            ++sum.not_finite;
            sum.changed += a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])) ? 0 : 1;
            continue;
        }
        const double change = static_cast<double>(b[i]) - static_cast<double>(a[i]);
        sum.squares += change * change;
        sum.base += static_cast<double>(a[i]) * static_cast<double>(a[i]);
        sum.largest = std::max(sum.largest, std::abs(change));
        sum.changed += change != 0 ? 1 : 0;
    }
    return sum;
}

}  // namespace

Statistics float_figures(std::string_view dtype, std::span<const std::byte> elements) {
    const FigureLoops& loops = figure_loops();
    Statistics figures;
    const Stored stored = dtype == "F32" ? Stored::f32 : dtype == "BF16" ? Stored::bf16 : Stored::f16;
    const std::size_t size = stored == Stored::f32 ? 4 : 2, count = elements.size() / size;
    for (std::size_t at = 0; at < count; at += loops.block)
        add_block(loops, stored, elements.subspan(at * size, std::min(loops.block, count - at) * size), size, figures);
    return figures;
}

void Difference::add(const Difference& other) {
    squares += other.squares;
    base += other.base;
    largest = std::max(largest, other.largest);
    changed += other.changed;
    not_finite += other.not_finite;
}

Difference float_difference(std::span<const float> a, std::span<const float> b) {
    const FigureLoops& loops = figure_loops();
    Difference sum;
    for (std::size_t at = 0; at < a.size(); at += kCompared) {
        const std::size_t n = std::min(kCompared, a.size() - at), whole = n / loops.lanes * loops.lanes;
        BlockDifference block;
        loops.compare(a.data() + at, b.data() + at, whole, block);
        const bool in_range = std::isfinite(block.squares) && std::isfinite(block.base) &&
                              (block.changed == 0 || block.squares > 1e-30) && (block.base > 1e-30 || block.base == 0);
        if (in_range)
            sum.add({block.squares, block.base, static_cast<double>(block.largest), block.changed, block.not_finite});
        else
            sum.add(compare_slowly(a.subspan(at, whole), b.subspan(at, whole)));
        sum.add(compare_slowly(a.subspan(at + whole, n - whole), b.subspan(at + whole, n - whole)));
    }
    return sum;
}

}  // namespace trainyard::inspect
