// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::widgets {

namespace {

constexpr double kHuge = 1e300;  // TensorFlow's outermost limits are the largest doubles

/// Bins that have both limits.
std::size_t bins_of(const Histogram& histogram) {
    return histogram.limits.empty() ? 0 : std::min(histogram.counts.size(), histogram.limits.size() - 1);
}
}  // namespace

std::vector<double> rebinned(const Histogram& histogram, double lower, double upper, int bins) {
    std::vector<double> out(static_cast<std::size_t>(std::max(0, bins)), 0.0);
    if (bins < 1 || !(upper > lower))
        return out;
    const double width = (upper - lower) / bins;
    for (std::size_t i = 0; i < bins_of(histogram); ++i) {
        const double from = histogram.limits[i], to = histogram.limits[i + 1], count = histogram.counts[i];
        if (!(count > 0) || !std::isfinite(count) || std::isnan(from) || std::isnan(to))
            continue;
        // An end that is not finite (or the largest number there is, as writers put it) ends where the picture does.
        const double left = std::max(from, lower), right = std::min(to, upper);
        if (!(to > from)) {
            if (from >= lower && from <= upper)
                out[static_cast<std::size_t>(std::clamp(static_cast<int>((from - lower) / width), 0, bins - 1))] +=
                    count;
            continue;
        }
        if (!(right > left))
            continue;
        const double whole = std::isfinite(to - from) ? to - from : right - left;
        const int first = std::clamp(static_cast<int>((left - lower) / width), 0, bins - 1);
        const int last = std::clamp(static_cast<int>((right - lower) / width), 0, bins - 1);
        for (int bin = first; bin <= last; ++bin) {
            const double begin = std::max(left, lower + bin * width);
            const double end = bin == bins - 1 ? right : std::min(right, lower + (bin + 1) * width);
            if (end > begin)
                out[static_cast<std::size_t>(bin)] += count * (end - begin) / whole;
        }
    }
    return out;
}

std::array<double, 9> percentiles(const Histogram& histogram) {
    std::array<double, 9> found;
    found.fill(std::numeric_limits<double>::quiet_NaN());
    const std::size_t bins = bins_of(histogram);
    const double total = histogram.total();
    double lowest = 0, highest = 0;
    if (bins == 0 || !(total > 0) || !histogram_range({histogram}, lowest, highest))
        return found;
    // The outermost limits of some writers are infinite, or nearly so: there the finite ones stand.
    const auto limit = [&](std::size_t i) {
        const double at = histogram.limits[i];
        return std::abs(at) < kHuge ? at : at < 0 ? lowest : highest;
    };
    for (std::size_t p = 0; p < kBasisPoints.size(); ++p) {
        const double wanted = kBasisPoints[p];
        found[p] = limit(bins);
        double sum = 0;
        for (std::size_t i = 0; i < bins; ++i) {
            const double before = sum / total * kBasisPoints.back();
            sum += histogram.counts[i];
            const double after = sum / total * kBasisPoints.back();
            if (!(after > wanted) || !(after > before))
                continue;
            const double from = before > 0 ? limit(i) : limit(0);
            found[p] = from + (limit(i + 1) - from) * (wanted - before) / (after - before);
            break;
        }
    }
    return found;
}

bool histogram_range(const std::vector<Histogram>& histograms, double& lower, double& upper) {
    lower = HUGE_VAL;
    upper = -HUGE_VAL;
    for (const Histogram& histogram : histograms)
        for (std::size_t i = 0; i < bins_of(histogram); ++i) {
            if (!(histogram.counts[i] > 0))
                continue;
            for (double limit : {histogram.limits[i], histogram.limits[i + 1]})
                if (std::abs(limit) < kHuge) {
                    lower = std::min(lower, limit);
                    upper = std::max(upper, limit);
                }
        }
    if (lower > upper)
        return false;
    if (!(upper > lower)) {
        const double pad = std::max(std::abs(lower) * 0.05, 1e-6);
        lower -= pad;
        upper += pad;
    }
    return true;
}

}  // namespace trainyard::widgets
