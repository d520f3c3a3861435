// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of 4 and 8 bits in the file layout of bitsandbytes, and in fp8 with scales, as sources over other sources
// (weight_source.h).

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "formats/weights/weight_source.h"

namespace trainyard::quantization {

struct WeightQuantization {
    std::string method = "nf4";  ///< nf4 | fp4 | int8
    bool double_quant = false;   ///< of nf4 and fp4
    bool transposes = false;     ///< matrices are [in, out] (Conv1D of transformers), and become [out, in]
};

/// The source with these weights (names of matrices) quantized; others stay. Throws UserError where a name is not a
/// matrix of floating-point numbers, or has numbers that are not finite.
std::unique_ptr<weights::WeightSource> quantized(std::unique_ptr<weights::WeightSource> source,
                                                 const std::vector<std::string>& names,
                                                 const WeightQuantization& quantization);

/// The source with the values of quantized weights: 4-bit ones of bitsandbytes in the type that they had, 8-bit ones
/// and those in fp8 with scales (fp8_blocks.h) in fp32. Others are returned as they are. Throws UserError naming a
/// tensor that does not fit.
std::unique_ptr<weights::WeightSource> dequantized(std::unique_ptr<weights::WeightSource> source);
/// Whether a source with a tensor of this name and type may have such weights.
bool may_be_quantized(std::string_view name, std::string_view dtype);

}  // namespace trainyard::quantization
