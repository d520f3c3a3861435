#pragma once
// What an architecture is made of; internal to the library. Each file architectures_*.cpp gives a table of them.

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
    Build build;  ///< the whole model, base included
    /// Names that share one weight where config.tie_word_embeddings holds.
    std::vector<std::vector<std::string>> tied = {};
    /// Names that share one weight in any case.
    std::vector<std::vector<std::string>> shared = {};
};

struct Architecture {
    std::string model_type;
    std::set<std::string> no_split;
    bool tie_word_embeddings = false;   ///< what a configuration without the key means
    std::map<std::string, Head> heads;  ///< by auto class
};

std::vector<Architecture> decoder_architectures();
std::vector<Architecture> encoder_architectures();
std::vector<Architecture> sequence_architectures();
std::vector<Architecture> vision_architectures();

}  // namespace trainyard::estimate
