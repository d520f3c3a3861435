#pragma once
// Memory that one rank needs to train a recipe, by part in bytes, before the start. Parameters, gradients and optimizer
// state are exact; activations follow from what the family's units save for backward (families/family.h); the process's
// base memory is a measured figure.

#include <cstdint>
#include <string>

#include "config/recipe.h"

namespace trainyard::estimate {

struct MemoryEstimate {
    std::int64_t parameter_count = 0;  ///< a tied embedding is counted once; includes frozen parameters
    std::uint64_t weights = 0;         ///< fp32 values
    std::uint64_t compute_copy = 0;    ///< bf16 values, with mixed precision
    /// Of trainable parameters; under ZeRO stage 2 the rank's shard and the buckets in flight.
    std::uint64_t gradients = 0;
    std::uint64_t optimizer = 0;    ///< AdamW's two moments of trainable parameters; under ZeRO the rank's shard
    std::uint64_t activations = 0;  ///< of one micro-batch, saved for backward
    std::uint64_t logits = 0;       ///< a chunk of the logits and the gradient of the head's input
    std::uint64_t workspace = 0;    ///< gradients of activations in flight during backward
    std::uint64_t base = 0;         ///< program, LibTorch, threads

    std::uint64_t total() const {
        return weights + compute_copy + gradients + optimizer + activations + logits + workspace + base;
    }
};

/// For each of `ranks` ranks that shard what parallel.zero_stage says. If the ranks do not share rank 0's disk, rank 0
/// in addition holds the optimizer state of all ranks while a checkpoint is written.
MemoryEstimate estimate_memory(const config::Recipe& recipe, std::int64_t ranks = 1);

/// estimate.json: `{"predicted": {"parameter_count", "memory": {part: bytes, ..., "total"}}}`, and `"measured":
/// {"peak_resident_bytes"}` if it is known (not 0).
std::string to_json(const MemoryEstimate& estimate, std::uint64_t measured_peak_bytes = 0);

}  // namespace trainyard::estimate
