#pragma once
// How much memory one rank needs to train a recipe, by part, before anything starts. Sizes of parameters, gradients and
// optimizer state are exact; activations follow what the family
// says that its units save for backward (families/family.h); the base of the process is a
// measured figure. Parts are bytes.

#include <cstdint>
#include <string>

#include "config/recipe.h"

namespace trainyard::estimate {

struct MemoryEstimate {
    std::int64_t parameter_count = 0;  ///< tied embedding counted once, frozen parameters too
    std::uint64_t weights = 0;         ///< fp32 values
    std::uint64_t compute_copy = 0;    ///< bf16 values, with mixed precision
    std::uint64_t gradients = 0;    ///< of what is trained; under ZeRO stage 2 the rank's share, and what is on its way
    std::uint64_t optimizer = 0;    ///< two moments of AdamW, likewise; under ZeRO the rank's share
    std::uint64_t activations = 0;  ///< of one micro-batch, kept from forward to backward
    std::uint64_t logits = 0;       ///< chunk of the last layer and gradient of its input
    std::uint64_t workspace = 0;    ///< gradients of activations in flight during backward
    std::uint64_t base = 0;         ///< program, LibTorch, threads

    std::uint64_t total() const {
        return weights + compute_copy + gradients + optimizer + activations + logits + workspace + base;
    }
};

/// Of one of `ranks` that share out what parallel.zero_stage says. Where they do not see rank 0's disk, rank 0 has the optimizer state of all
/// of them besides while a checkpoint is written.
MemoryEstimate estimate_memory(const config::Recipe& recipe, std::int64_t ranks = 1);

/// estimate.json: `{"predicted": {"parameter_count", "memory": {part: bytes, ..., "total"}}}`, and `"measured":
/// {"peak_resident_bytes"}` when it is known (not 0).
std::string to_json(const MemoryEstimate& estimate, std::uint64_t measured_peak_bytes = 0);

}  // namespace trainyard::estimate
