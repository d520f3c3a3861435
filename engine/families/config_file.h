#pragma once
// Reads and writes Hugging Face's config.json with the key table of its family. No field is ignored silently: it takes
// effect, or is known not to affect training, or is listed as unsupported.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "families/family.h"

namespace trainyard::families {

struct ConfigFile {
    ModelConfig config;  ///< keys missing in the file have the defaults of transformers
    /// A sentence for each field that this version does not know or cannot compute, without the file's name.
    std::vector<std::string> refused;
};

/// `where` names the text in errors. Throws UserError if the text is not a JSON object or lacks the model_type of a
/// known family, and InvalidInput with every value of a wrong type or out of range.
ConfigFile read_config(const std::string& json, const std::string& where);

/// The config.json with which transformers' from_pretrained loads the same model.
std::string write_config(const ModelConfig& config);

/// The value of a key as written in config.json: 12, "gelu_new", null.
std::string value_text(const ConfigKey& key, const ModelConfig& config);

}  // namespace trainyard::families
