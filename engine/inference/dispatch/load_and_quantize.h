// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Quantizes the Linear layers of a model while its checkpoint is read (load_and_quantize_model of
// accelerate.utils.bnb). A matrix is in memory as codes of 4 or 8 bits, or its codes are in a file where the device map
// says disk. save_quantized_model() writes what transformers and load_checkpoint_in_model() load again.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "inference/dispatch/bnb_config.h"
#include "inference/dispatch/load_checkpoint.h"

namespace trainyard::dispatch {

struct QuantizedModel {
    std::unique_ptr<Dispatched> dispatched;
    std::vector<Message> warnings;
    std::vector<std::string> skip_modules;  ///< what stays, keep_in_fp32_modules included
};

/// `options` with its device map, folder for offloaded weights and main device; formats are those of `config`. Throws
/// UserError.
QuantizedModel load_and_quantize_model(const models::Model& model, const std::filesystem::path& weights_location,
                                       const BnbQuantizationConfig& config, LoadOptions options = {});

/// Writes model.safetensors (shards with an index above `max_shard_bytes`; 0: one file) in the layout of bitsandbytes.
/// Throws UserError.
void save_quantized_model(const models::Model& model, const std::filesystem::path& folder,
                          std::uint64_t max_shard_bytes = 0);

}  // namespace trainyard::dispatch
