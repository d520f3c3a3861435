#pragma once
// Dropout whose mask is a function of (seed, step, index in the model, global sample, position), so that every layout
// of ranks and micro-batches drops the same elements.

#include <cstdint>

#include <ATen/core/Tensor.h>

namespace trainyard::models {

struct DropoutKey {
    std::uint64_t seed = 0;
    std::int64_t step = 0;
    std::uint32_t place = 0;        ///< index of the dropout in the model
    std::int64_t first_sample = 0;  ///< global index of row 0
};

/// x [batch, ...]; elements are zeroed with `probability`, the others scaled by 1 / (1 - probability). Probability 0 is
/// the identity.
at::Tensor counter_dropout(const at::Tensor& x, const DropoutKey& key, double probability);

}  // namespace trainyard::models
