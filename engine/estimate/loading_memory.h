// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Memory of a model when it is loaded, per dtype, and when it is trained with Adam: the figures of `accelerate
// estimate-memory`, from a Hugging Face config.json alone. Supports the classes of architectures.h, including those
// that cannot be trained here. Shared weights are counted once (Accelerate counts them once per use).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "models/spec/model_config.h"

namespace trainyard::estimate {

struct ModelSize {
    std::string model_class;           ///< "GPT2Model", "GPT2LMHeadModel"
    std::uint64_t total_bytes = 0;     ///< fp32
    std::uint64_t largest_layer = 0;   ///< fp32 bytes of the largest layer that must stay on one device
    std::vector<std::string> layers;   ///< its names; several if they have the same size
    std::int64_t parameter_count = 0;  ///< shared ones are counted once
    std::vector<std::string> tied;     ///< names that share a weight
    std::vector<Message> notes;        ///< on how the weights were read: WeightSource::notes()
};

/// The class that a config.json is loaded as: the first AutoModelFor... of its `auto_map`, else AutoModel. Throws
/// UserError if the text is not a configuration, or (a sentence) if the model is unknown; `where` names it.
ModelSize model_size(const std::string& config_json, const std::string& where);
/// The same for a given class.
ModelSize model_size(const std::string& config_json, const std::string& where, const std::string& auto_class);
/// The same for the model of a recipe.
ModelSize model_size(const families::ModelConfig& model);

/// From names and shapes in files of weights alone (formats/weights/weight_source.h); numbered layers are not divided, shared weights are stored once.
ModelSize model_size_of_file(const std::filesystem::path& weights);
/// The same of a model of timm, whose modules may all be on devices of their own.
ModelSize timm_size_of_file(const std::filesystem::path& weights);

/// One row of the table. Sizes in bytes; 4-bit elements give fractions.
struct DtypeRow {
    std::string dtype;  ///< of dtype_names()
    double largest_layer = 0;
    double total = 0;
    bool trainable = false;  ///< with Adam; the fields below are only valid then
    double weights = 0, gradients = 0, optimizer = 0, step = 0;
    /// Peak memory of training.
    double training() const;
};

/// Those of Accelerate.
inline const std::vector<std::string> kDtypes{"float32", "float16", "int8", "int4"};
/// These and more: 16 and 8 bits of floating-point numbers, and bitsandbytes' 4 bits with their magnitudes, which
/// double quantization stores in 8 bits.
const std::vector<std::string>& dtype_names();

/// Of a model whose tensors are all of this dtype. Throws UserError for a dtype that is not one of dtype_names().
DtypeRow dtype_row(const ModelSize& size, const std::string& dtype);

/// `474.7 MB`: binary units, at most two decimals, as Accelerate prints them.
std::string loading_size(double bytes);

/// The lines of the table with frame and title, without newlines.
std::vector<std::string> loading_table(const std::string& name, const std::vector<DtypeRow>& rows);
/// Sentences below it: what inference takes, and the figures of training that Accelerate's guide has for types that
/// Adam cannot train.
std::vector<std::string> loading_hints(const std::vector<DtypeRow>& rows);
/// What inference takes besides the weights, at most, as a share of them. Anthony et al., "Transformer math 101", 2023.
inline constexpr double kInferenceShare = 0.2;

}  // namespace trainyard::estimate
