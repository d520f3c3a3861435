#pragma once
// Histograms of event files as values, and the two things TensorBoard shows of them: the same few bins for every step (histogram
// dashboard) and nine percentiles over steps (distribution dashboard).

#include <array>
#include <cstdint>
#include <vector>

namespace trainyard::widgets {

/// counts[i] values lie in [limits[i], limits[i + 1]).
struct Histogram {
    std::int64_t step = 0;
    double wall_time = 0;        ///< seconds
    std::vector<double> limits;  ///< ascending; one more than counts
    std::vector<double> counts;
    double total() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
};

/// Into `bins` equal bins between `lower` and `upper`; what a source bin holds is spread evenly over it. A bin without width gives all
/// to the bin it lies in.
std::vector<double> rebinned(const Histogram& histogram, double lower, double upper, int bins);

/// Basis points at which TensorBoard compresses a distribution (tensorboard/plugins/distribution/compressor.py): both ends, the median,
/// and half, one and one and a half standard deviations of a normal distribution to either side.
inline constexpr std::array<int, 9> kBasisPoints{0, 668, 1587, 3085, 5000, 6915, 8413, 9332, 10000};

/// The nine values as TensorBoard's compress_histogram: a percentile lies in the first bin that the cumulative share leaves above it, as far
/// into the bin as the share asks for; before any count the bin begins at the first limit. Empty histogram: all NaN (TensorBoard: 0).
std::array<double, 9> percentiles(const Histogram& histogram);

/// Smallest range that holds every bin with a count in it; false when all are empty.
bool histogram_range(const std::vector<Histogram>& histograms, double& lower, double& upper);

}  // namespace trainyard::widgets
