// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Module trees of classes of transformers 5, built from a config.json alone, for memory estimates: names, shapes and
// defaults are those of transformers. models/spec has those of the models that Trainyard trains; further ones are only
// counted, and described here.

#include <string>
#include <vector>

#include "models/spec/module_tree.h"

namespace trainyard::estimate {

using families::ModelTree;
using families::Module;
using families::ModuleTensor;

/// The supported values of `model_type` in a config.json.
std::vector<std::string> architecture_names();

/// `auto_class`: "AutoModel", "AutoModelForCausalLM" ... Throws UserError (a sentence with `where`) for an unknown
/// model or class, and for values that no model can have.
ModelTree model_tree(const std::string& config_json, const std::string& where, const std::string& auto_class);

}  // namespace trainyard::estimate
