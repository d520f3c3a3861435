// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PowerSGD: gradients as products of two thin matrices, found by one step of power iteration that starts from the last one, with the
// error of the approximation added to the next gradient. Vogels, Karimireddy, Jaggi, "PowerSGD: Practical Low-Rank Gradient
// Compression for Distributed Optimization", NeurIPS 2019.
//
// The numbers are those of torch 2.11's powerSGD_hook and batched_powerSGD_hook, random start included (NumPy's MT19937 draws a seed
// for torch's CPU generator). Different: a column of zeros stays zero where torch divides by its norm and gets NaN; compression may
// start at step 0 or 1 with error feedback too, since buckets are never rebuilt here; batched works where 2.11 fails an
// assertion of its own.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include <trainyard/comm_hook.h>

namespace trainyard::parallel {

/// torch's PowerSGDState.
struct PowerSgdOptions {
    std::int64_t matrix_approximation_rank = 1;
    std::int64_t start_powerSGD_iter = 1000;  ///< steps that are reduced exactly before
    double min_compression_rate = 2;          ///< a matrix that saves less is reduced exactly
    bool use_error_feedback = true;
    bool warm_start = true;
    double orthogonalization_epsilon = 0;
    std::int64_t random_seed = 0;  ///< [0, 2^32)
    std::int64_t compression_stats_logging_frequency = 10000;
    bool batch_tensors_with_same_shape = false;

    /// From a dictionary of those names; missing ones keep their default. Throws UserError that lists every problem.
    static PowerSgdOptions from(const Tree& options);
};

/// Elements that would have been sent and that were, since compression began.
struct CompressionStats {
    std::int64_t before = 0;
    std::int64_t after = 0;
    double rate() const { return after > 0 ? static_cast<double>(before) / static_cast<double>(after) : 0; }
};

class PowerSgdHook : public CommHook {
  public:
    virtual CompressionStats compression_stats() const = 0;
    /// Sets the receiver of the line about compression, every compression_stats_logging_frequency steps. Not sent until
    /// it is set.
    virtual void report_to(std::function<void(const std::string& line)> report) = 0;
};

/// Compresses every matrix separately; tensors of more dimensions are reshaped to [first, rest]. Vectors, and tensors
/// that would not shrink, are reduced exactly.
std::shared_ptr<PowerSgdHook> power_sgd_hook(PowerSgdOptions options = {});
/// Compresses the whole bucket as one square matrix: faster, less exact.
std::shared_ptr<PowerSgdHook> batched_power_sgd_hook(PowerSgdOptions options = {});

}  // namespace trainyard::parallel
