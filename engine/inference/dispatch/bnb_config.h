// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which weights of a model are quantized while its checkpoint is read, and how: BnbQuantizationConfig of
// accelerate.utils.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <c10/core/ScalarType.h>

#include "base/message.h"

namespace trainyard::dispatch {

/// Accelerate's BnbQuantizationConfig. Types are fp32, fp16 and bf16.
struct BnbQuantizationConfig {
    bool load_in_8bit = false;                    ///< LLM.int8
    double llm_int8_threshold = 6;                ///< magnitude of outliers; 0: none are
    bool load_in_4bit = false;                    ///< nf4 or fp4
    std::string bnb_4bit_quant_type = "fp4";      ///< fp4 | nf4
    bool bnb_4bit_use_double_quant = false;       ///< the magnitudes of blocks are quantized, too
    std::string bnb_4bit_compute_dtype = "fp16";  ///< of products
    /// Of what is not quantized; nothing: with 8 bits fp16, with 4 bits the compute type.
    std::optional<std::string> torch_dtype = std::nullopt;
    std::optional<std::vector<std::string>> skip_modules = std::nullopt;  ///< nothing: the head
    /// Parts of names of what stays fp32.
    std::vector<std::string> keep_in_fp32_modules = {};

    /// nf4 | fp4 | int8
    std::string method() const { return load_in_8bit ? "int8" : bnb_4bit_quant_type; }
    /// The type of 4-bit products.
    at::ScalarType compute_type() const;
    /// The type of what is not quantized.
    at::ScalarType type() const;
};

/// Reads a JSON object with these names; a type may also be written as torch.bfloat16. Throws UserError with all
/// unknown names and invalid values.
BnbQuantizationConfig read_bnb_config(std::string_view json);
/// Throws UserError with everything that is invalid. Returns messages about values without effect.
std::vector<Message> check_bnb_config(const BnbQuantizationConfig& config);

}  // namespace trainyard::dispatch
