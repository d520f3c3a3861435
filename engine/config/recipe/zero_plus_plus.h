// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What ZeRO++ does not go with: one table for recipes, settings of DeepSpeed and own programs.

#include <cstdint>
#include <vector>

#include "base/message.h"

namespace trainyard::config {

/// The keys of ZeRO++ and what they depend on.
struct ZeroPlusPlusUse {
    std::int64_t hpz_partition_size = 1;
    bool quantized_weights = false, quantized_gradients = false;
    std::int64_t zero_stage = 0;
    std::int64_t shard_ranks = 0;  ///< ranks that shard the weights; 0: not known yet
    bool weights_on_disk = false;  ///< offload_param
    bool float8_gathers = false;   ///< enable_fsdp_float8_all_gather
};

struct ZeroPlusPlusProblem {
    const char* key;  ///< zero_hpz_partition_size, zero_quantized_weights or zero_quantized_gradients
    Message message;
};

/// Bytes of an element that is sent as a code, with its part of the scale of 128 elements.
inline constexpr double kInt8CodeBytes = 1 + 4.0 / 128, kInt4CodeBytes = 0.5 + 4.0 / 128;

std::vector<ZeroPlusPlusProblem> problems_of(const ZeroPlusPlusUse& use);

}  // namespace trainyard::config
