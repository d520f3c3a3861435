// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model as an ONNX file: what it computes, with operators of set 17 in fp32, for any number of samples and tokens.
// Large weights are in a file beside it.

#include <filesystem>
#include <memory>

#include "models/exports/exported_tensor.h"

namespace trainyard::exports {

/// Weights of more bytes are in a file beside the model, NAME_data. Protobuf's own library reads up to 2 GB.
inline constexpr std::uint64_t kMostOnnxBytes = 256u << 20;

/// Reads no data. The result keeps the source. Throws UserError for a model that has no operators in ONNX. `folder`:
/// for messages. `most_bytes`: of weights in the file itself.
ExportedModel onnx_model(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                         const std::filesystem::path& folder, std::uint64_t most_bytes = kMostOnnxBytes);

}  // namespace trainyard::exports
