#pragma once
// Descriptions of architectures; internal to the library. Each file architectures_*.cpp defines a table of them.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "estimate/architecture_config.h"
#include "estimate/architectures.h"

namespace trainyard::estimate {

using Build = std::function<void(Module& model, const ArchitectureConfig& config)>;

struct Head {
    std::string model_class;
    Build build;  ///< builds the whole model, including the base
    /// Names that share a weight if config.tie_word_embeddings is true.
    std::vector<std::vector<std::string>> tied = {};
    /// Names that always share a weight.
    std::vector<std::vector<std::string>> shared = {};
};

struct Architecture {
    std::string model_type;
    std::set<std::string> no_split;
    bool tie_word_embeddings = false;   ///< default of the key
    std::map<std::string, Head> heads;  ///< by auto class
};

std::vector<Architecture> decoder_architectures();
std::vector<Architecture> encoder_architectures();
std::vector<Architecture> sequence_architectures();
std::vector<Architecture> vision_architectures();

}  // namespace trainyard::estimate
