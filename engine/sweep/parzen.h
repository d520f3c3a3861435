// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The density of a tree-structured Parzen estimator over all parameters together. Bergstra et al., "Algorithms for
// Hyper-Parameter Optimization", NeurIPS 2011; joint kernels and bandwidths as in Watanabe, "Tree-Structured Parzen
// Estimator: Understanding Its Algorithm Components and Their Roles", arXiv 2304.11127.

#include <cstdint>
#include <random>
#include <span>
#include <vector>

namespace trainyard::sweep {

/// Random numbers that are the same with every standard library.
class Draws {
  public:
    Draws(std::uint64_t seed, std::uint64_t stream, std::uint64_t number);
    /// In [0, 1).
    double uniform();
    /// One of 0 ... count - 1.
    std::int64_t below(std::int64_t count);

  private:
    std::mt19937_64 bits_;
};

/// Of one parameter: numbers from low to high, or one of so many choices, as 0, 1, ...
struct Dimension {
    double low = 0, high = 0;
    std::int64_t choices = 0;  ///< 0: numbers
};

/// A mixture of kernels around the observed points, with one that is wide in every dimension.
class ParzenDensity {
  public:
    /// `points`: a number for each dimension; the oldest first.
    ParzenDensity(std::span<const Dimension> dimensions, std::span<const std::vector<double>> points);
    std::vector<double> draw(Draws& draws) const;
    double log_density(std::span<const double> point) const;

  private:
    /// The parts of numbers beyond the range are cut off.
    struct Kernel {
        double mean = 0, deviation = 0;
        double below = 0, inside = 1;  ///< mass below the range, and in it
    };
    double log_of(std::size_t part, std::size_t dimension, double value) const;

    std::vector<Dimension> dimensions_;
    std::vector<double> weights_;               ///< of the parts; the wide one is the last
    std::vector<std::vector<Kernel>> kernels_;  ///< of each part, by dimension; of choices the mean is the observed one
};

}  // namespace trainyard::sweep
