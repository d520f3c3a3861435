// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Histograms of event files as values, and the two views of them in TensorBoard: equal bins for every step (histogram
// dashboard) and nine percentiles over steps (distribution dashboard).

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

namespace trainyard::widgets {

/// A histogram: counts[i] values are in [limits[i], limits[i + 1]).
struct Histogram {
    std::int64_t step = 0;
    double wall_time = 0;        ///< seconds
    std::vector<double> limits;  ///< ascending; one more than counts
    std::vector<double> counts;
    double total() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
};

/// Redistributes the counts into `bins` equal bins between `lower` and `upper`, assuming that values are spread evenly
/// over a source bin. A source bin of zero width is added to the bin that contains it.
std::vector<double> rebinned(const Histogram& histogram, double lower, double upper, int bins);

/// Basis points at which TensorBoard compresses a distribution (tensorboard/plugins/distribution/compressor.py):
/// minimum, maximum, median, and half, one and one and a half standard deviations of a normal distribution to either
/// side.
inline constexpr std::array<int, 9> kBasisPoints{0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};

/// The nine values as computed by TensorBoard's compress_histogram: a percentile is in the first bin whose cumulative
/// share exceeds it, at the linearly interpolated position. Before the first count, the bin begins at the first limit.
/// All values of an empty histogram are NaN (TensorBoard: 0).
std::array<double, 9> percentiles(const Histogram& histogram);

/// Returns the smallest range that contains all non-empty bins. Returns false if all bins are empty.
bool histogram_range(const std::vector<Histogram>& histograms, double& lower, double& upper);

}  // namespace trainyard::widgets
