// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Figures of tensors from one pass over their bytes: smallest, largest, mean, deviation, norm, zeros, NaN, infinite,
// and a histogram. A pass over a checkpoint reads
// its files in order, in pieces, on all cores, and reports each tensor as soon as it is complete.

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "observe/inspect/figure_loops.h"
#include "observe/inspect/reader.h"

namespace trainyard::inspect {

inline constexpr std::size_t kHistogramBins = kFigureBins;
/// Elements of a tensor that a histogram counts, evenly spread: as in the histograms of a run.
inline constexpr std::uint64_t kHistogramSample = 65'536;

struct Statistics {
    std::uint64_t elements = 0, zeros = 0, nan = 0, infinite = 0;
    double min = std::numeric_limits<double>::infinity(),
           max = -std::numeric_limits<double>::infinity();  ///< of finite elements
    double sum = 0, squares = 0;                            ///< of finite elements
    std::array<std::uint32_t, kHistogramBins> bins{};       ///< of the sample, equal parts of [min, max]

    std::uint64_t finite() const { return elements - nan - infinite; }
    double mean() const { return finite() == 0 ? 0 : sum / static_cast<double>(finite()); }
    double deviation() const;           ///< of the population
    double norm() const;                ///< L2
    void add(const Statistics& other);  ///< figures, not bins
};

/// Figures of elements; the bins stay empty. The dtype is numeric (formats/weights/elements.h).
Statistics statistics_of(std::string_view dtype, std::span<const std::byte> elements);
/// The bins of values, of which those that are not finite are left out.
void fill_bins(std::span<const float> sample, Statistics& statistics);

/// The whole tensor; of a weight that bitsandbytes quantized, its values. Throws UserError (a type that is not
/// readable, a file that cannot be read), Cancelled.
Statistics statistics_of(const Reader& reader, const Tensor& tensor, Progress& progress);

/// Called with the index of a tensor in Contents::tensors, by several threads, one at a time.
using OnStatistics = std::function<void(std::size_t, const Statistics&)>;
struct PassResult {
    std::vector<Message> problems;  ///< files that could not be read, sentences
    std::uint64_t bytes = 0;
};
/// All tensors of `wanted` (indices; empty: all) that are readable. `threads`: 0: one for each core. Throws
/// Cancelled.
PassResult statistics_pass(const Reader& reader, const std::vector<std::size_t>& wanted, const OnStatistics& on_tensor,
                           Progress& progress, int threads = 0);

}  // namespace trainyard::inspect
