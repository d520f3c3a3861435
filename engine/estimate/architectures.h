#pragma once
// The classes of transformers 5 that sizes are estimated for, as trees of modules, from a config.json alone: names, shapes and defaults are those of
// transformers. What Trainyard trains is described elsewhere (families/); here a model is only counted.

#include <set>
#include <string>
#include <vector>

#include "estimate/module_tree.h"

namespace trainyard::estimate {

struct ModelTree {
    std::string model_class;  ///< "LlamaForCausalLM"
    Module root;
    std::set<std::string> no_split;              ///< classes whose modules stay on one device
    std::vector<std::vector<std::string>> tied;  ///< full names of parameters that share one weight
};

/// Values of `model_type` in a config.json that are known here.
std::vector<std::string> architecture_names();

/// `auto_class`: "AutoModel", "AutoModelForCausalLM" ... Throws UserError (one sentence with `where`) for a model or class that is not known here, and for
/// values that no model can have.
ModelTree model_tree(const std::string& config_json, const std::string& where, const std::string& auto_class);

}  // namespace trainyard::estimate
