// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Descriptions of models that are only counted; internal to the library. Each file architectures_*.cpp defines a table
// of them. Those that are trained are in models/spec.

#include <functional>
#include <string>
#include <vector>

#include "estimate/architecture_config.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

using families::Module;
using Build = std::function<void(Module& model, const ArchitectureConfig& config)>;

struct Head {
    std::string auto_class, model_class;
    Build build;  ///< what the class has besides the model without a head
};

struct Architecture {
    std::string model_type;
    std::string base_class, base_name;  ///< "BartModel", and what classes with a head call it: "model"
    Build base;
    families::ModuleRow modules = {};
    bool tie_word_embeddings = false;  ///< default of the key
    std::vector<Head> heads = {};
    /// Inputs of the layers of modules.classes.
    std::function<std::int64_t(const ArchitectureConfig&)> width = {};
};

std::vector<Architecture> decoder_architectures();
std::vector<Architecture> encoder_architectures();
std::vector<Architecture> sequence_architectures();
std::vector<Architecture> vision_architectures();
std::vector<Architecture> multimodal_architectures();

}  // namespace trainyard::estimate
