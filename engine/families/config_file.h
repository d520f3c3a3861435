#pragma once
// Hugging Face's config.json, by the key table of its family. Nothing in it is ignored silently: a field acts, or is known to change nothing of
// training, or is named among what cannot be trained.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "families/family.h"

namespace trainyard::families {

struct ConfigFile {
    ModelConfig config;  ///< what the file leaves out has the default of transformers
    /// A sentence for each field that this version does not know or cannot compute, without the file's name.
    std::vector<std::string> refused;
};

/// `where` names the text in errors. Throws UserError when it is no JSON object, has no model_type or one of no family here, and InvalidInput with
/// every value that is of the wrong type or out of range.
ConfigFile read_config(const std::string& json, const std::string& where);

/// What transformers' from_pretrained reads as the same model.
std::string write_config(const ModelConfig& config);

/// The value of a key as config.json has it: 12, "gelu_new", null.
std::string value_text(const ConfigKey& key, const ModelConfig& config);

}  // namespace trainyard::families
