// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model as a GGUF file of llama.cpp: the values that describe it, the tokenizer, and its tensors under llama.cpp's
// names, in its order of rows and in its types. Names and values: https://github.com/ggml-org/llama.cpp (gguf-py).

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "config/inputs/adapter_config.h"
#include "config/inputs/adapter_file.h"
#include "models/exports/exported_tensor.h"

namespace trainyard::exports {

/// Names of types that matrices can be written in: "f32", "q4_k".
const std::vector<std::string>& gguf_types();

/// `folder`: of the tokenizer. `type`: one of gguf_types(); empty: that of most weights. Reads no data. The result
/// keeps the source. Throws UserError for a model that llama.cpp would compute differently, with all reasons.
ExportedModel gguf_model(std::shared_ptr<const weights::WeightSource> source, const families::ModelConfig& config,
                         const std::filesystem::path& folder, const std::string& type);

/// A tensor of llama.cpp, and what its values are in the files of a model.
struct GgufCounterpart {
    std::string name;
    std::vector<std::int64_t> shape;
    std::vector<std::string> stored;  ///< names in the source
    std::function<void(const TakeFloats& take)> read;
};
/// The tensors of gguf_model(), of a model that llama.cpp may compute differently, too. Throws UserError if llama.cpp
/// does not know the family, or a tensor is missing.
std::vector<GgufCounterpart> gguf_counterparts(std::shared_ptr<const weights::WeightSource> source,
                                               const families::ModelConfig& config,
                                               const std::filesystem::path& folder);

/// An adapter (LoRA) of PEFT's layout as a GGUF file, which llama.cpp adds to a model of these values (`config`).
/// Throws UserError for one that changes more than matrices.
ExportedModel gguf_adapter(const inputs::AdapterFile& file, const inputs::AdapterConfig& adapter,
                           const families::ModelConfig& config, const std::string& type);

}  // namespace trainyard::exports
