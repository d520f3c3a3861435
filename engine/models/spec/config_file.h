// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads and writes Hugging Face's config.json with the key table of its family. No field is ignored silently: it takes
// effect, or is known not to affect training, or is listed as unsupported.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/message.h"
#include "models/spec/family.h"

namespace trainyard::families {

struct ConfigFile {
    ModelConfig config;  ///< keys missing in the file have the defaults of transformers
    /// A sentence for each field that this version does not know or cannot compute, without the file's name.
    std::vector<Message> refused;
    /// A sentence for each value that takes effect in another way than its file may mean, without the file's name.
    std::vector<Message> notes;
};

/// `where` names the text in errors. Throws UserError if the text is not a JSON object or lacks the model_type of a
/// known family, and InvalidInput with every value of a wrong type or out of range.
ConfigFile read_config(const std::string& json, const std::string& where);

/// The beginnings of the names of transformers' classes, of a family and of a type that has the same network.
struct ClassPrefixes {
    std::string of_family, of_type;
};
/// Turns the config.json of a model_type that has a family's network, with defaults of its own (mT5), into one of that
/// family. Returns std::nullopt, and leaves it as it is, if the model_type is another one.
std::optional<ClassPrefixes> read_as_family(nlohmann::json& config);
/// The model_types that read_as_family() takes.
std::vector<std::string> types_read_as_families();

/// The config.json with which transformers' from_pretrained loads the same model. `dtype` is that of the weights
/// ("float32", "bfloat16"). `origin` is the text of the config.json that the model was read from, or empty: its fields
/// remain as they were, unknown ones and lists of end tokens included, except those whose value is another one now.
std::string write_config(const ModelConfig& config, const std::string& origin = {},
                         const std::string& dtype = "float32");

/// A config.json of any model, known or not, with the dtype of its weights under the name that the file has for it.
/// Returns `text` unchanged if it is not a JSON object.
std::string with_dtype(const std::string& text, const std::string& dtype);

/// A config.json with tie_word_embeddings: false. Returns `text` unchanged if it is not a JSON object.
std::string with_own_head(const std::string& text);

/// What config.json says of weights that bitsandbytes quantized.
struct BitsandbytesConfig {
    std::string method = "nf4";                  ///< nf4 | fp4 | int8
    bool double_quant = false;                   ///< of nf4 and fp4
    std::string compute_dtype = "float32";       ///< of products with 4-bit weights
    std::vector<std::string> skip_modules = {};  ///< that stay as they are; empty: those of transformers' default
};
/// A config.json with that quantization_config, with which transformers loads such weights. Returns `text` unchanged
/// if it is not a JSON object.
std::string with_quantization(const std::string& text, const BitsandbytesConfig& quantization);

/// The value of a key as written in config.json: 12, "gelu_new", null.
std::string value_text(const ConfigKey& key, const ModelConfig& config);

/// Whether all configurations of transformers have this field, and it does not affect training: about loading, calling
/// and text generation.
bool is_common_field(const std::string& name);

}  // namespace trainyard::families
