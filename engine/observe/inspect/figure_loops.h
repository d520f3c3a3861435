// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to float_figures.h: the loops over floating-point elements, compiled once for each instruction set
// (figure_loops.cpp with TRAINYARD_ISA set by the build).

#include <cstddef>
#include <cstdint>

namespace trainyard::inspect {

inline constexpr std::size_t kFigureBins = 64;

/// Of a block. Exact where `plain`; else an element is not finite, or sums of floats cannot hold the block.
struct BlockFigures {
    float min = 0, max = 0;
    double sum = 0, squares = 0;
    std::size_t zeros = 0;
};

/// Of two blocks: their sums leave out what is not finite on either side.
struct BlockDifference {
    double squares = 0, base = 0;
    float largest = 0;
    std::size_t changed = 0, not_finite = 0;
};

struct FigureLoops {
    std::size_t lanes;  ///< counts of elements are multiples of it
    std::size_t block;  ///< elements at most: float sums of more lose digits
    /// Elements that are not finite make a sum that is not finite.
    void (*f32)(const std::byte* elements, std::size_t count, BlockFigures& out);
    void (*bf16)(const std::byte* elements, std::size_t count, BlockFigures& out);
    void (*f16)(const std::byte* elements, std::size_t count, BlockFigures& out);
    void (*compare)(const float* before, const float* after, std::size_t count, BlockDifference& out);
    /// Counts values by (value - low) * scale into kFigureBins bins, the first and the last of which take what lies beyond. Those
    /// that are not finite are left out.
    void (*bins)(const float* values, std::size_t count, double low, double scale, std::uint32_t* bins);
};

/// Returns the loops for the instruction set in use.
const FigureLoops& figure_loops();

}  // namespace trainyard::inspect
