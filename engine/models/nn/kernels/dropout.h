// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dropout whose mask is a function of (seed, step, index in the model, global sample, position), so that every layout
// of ranks and micro-batches drops the same elements.

#include <cstdint>
#include <span>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/sequence_share.h"

namespace trainyard::models {

struct DropoutKey {
    std::uint64_t seed = 0;
    std::int64_t step = 0;
    std::uint32_t place = 0;        ///< index of the dropout in the model
    std::int64_t first_sample = 0;  ///< global index of row 0
    /// Positions of dimension 1 in a sample; nullptr: all of them. It outlives the key.
    const parallel::PositionRuns* positions = nullptr;
    std::int64_t first_element = 0;  ///< of a sample, where x has a consecutive part of it
    /// [2] int64 on the device, read instead of `step` and `first_sample` (StepContext::counters); undefined: those.
    at::Tensor counters = {};
};

/// x [batch, ...]; elements are zeroed with `probability`, the others scaled by 1 / (1 - probability). Probability 0 is
/// the identity.
at::Tensor counter_dropout(const at::Tensor& x, const DropoutKey& key, double probability);

/// The fp32 factors of such a dropout for elements of a sample, one run after the other: [samples, elements of the
/// runs].
at::Tensor dropout_factors(std::int64_t samples, std::span<const parallel::PositionRun> elements, const DropoutKey& key,
                           double probability, at::Device device);

/// fp32 numbers between 0 and 1, without both, of the same kind: [samples, elements of a sample].
at::Tensor counter_uniform(std::int64_t samples, std::int64_t elements, const DropoutKey& key, at::Device device);

}  // namespace trainyard::models
