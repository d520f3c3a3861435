#pragma once
// Module trees of classes of transformers 5, built from a config.json alone, for memory estimates: names, shapes and
// defaults are those of transformers. These models are only counted; families/ describes the models that Trainyard
// trains.

#include <set>
#include <string>
#include <vector>

#include "estimate/module_tree.h"

namespace trainyard::estimate {

struct ModelTree {
    std::string model_class;  ///< "LlamaForCausalLM"
    Module root;
    std::set<std::string> no_split;              ///< classes whose modules must stay on one device
    std::vector<std::vector<std::string>> tied;  ///< full names of parameters that share a weight
};

/// The supported values of `model_type` in a config.json.
std::vector<std::string> architecture_names();

/// `auto_class`: "AutoModel", "AutoModelForCausalLM" ... Throws UserError (a sentence with `where`) for an unknown
/// model or class, and for values that no model can have.
ModelTree model_tree(const std::string& config_json, const std::string& where, const std::string& auto_class);

}  // namespace trainyard::estimate
