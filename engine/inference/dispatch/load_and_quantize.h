// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Quantizes the Linear layers of a model while its checkpoint is read (load_and_quantize_model of
// accelerate.utils.bnb). A matrix is in memory as codes of 4 or 8 bits, or its codes are in a file where the device map
// says disk. save_quantized_model() writes what transformers and load_checkpoint_in_model() load again.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inference/dispatch/load_checkpoint.h"

namespace trainyard::dispatch {

/// Accelerate's BnbQuantizationConfig. Types are fp32, fp16 and bf16.
struct BnbQuantizationConfig {
    bool load_in_8bit = false;
    double llm_int8_threshold = 6;
    bool load_in_4bit = false;
    std::string bnb_4bit_quant_type = "fp4";  ///< fp4 | nf4
    bool bnb_4bit_use_double_quant = false;
    std::string bnb_4bit_compute_dtype = "fp16";
    /// Of what is not quantized; nothing: with 8 bits fp16, with 4 bits the compute type.
    std::optional<std::string> torch_dtype = std::nullopt;
    std::optional<std::vector<std::string>> skip_modules = std::nullopt;  ///< nothing: the head
    std::vector<std::string> keep_in_fp32_modules = {};

    /// nf4 | fp4 | int8
    std::string method() const { return load_in_8bit ? "int8" : bnb_4bit_quant_type; }
    at::ScalarType compute_type() const;
    at::ScalarType type() const;
};

/// Reads a JSON object with these names; a type may also be written as torch.bfloat16. Throws UserError with all
/// unknown names and invalid values.
BnbQuantizationConfig read_bnb_config(std::string_view json);
/// Throws UserError with everything that is invalid. Returns messages about values without effect.
std::vector<Message> check_bnb_config(const BnbQuantizationConfig& config);

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
