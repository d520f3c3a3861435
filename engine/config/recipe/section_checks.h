// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of sections and keys of recipes, each in a file of its own. Internal to the library: others call
// check_recipe().

#include <functional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"

namespace trainyard::config {

/// A problem of `key`, unless it or one of the others has one of its own.
using ReportProblem =
    std::function<void(const std::string& key, const std::vector<std::string>& others, Message message)>;

/// The section `lora`: adapters, and what does not go with them. `knows_parameters`: the names of the model's
/// parameters follow from the recipe.
void check_lora(const Recipe& recipe, bool knows_parameters, const ReportProblem& complain);
/// The section `quantization`. `own_model`: of a plug-in or a module, whose layers are not known.
void check_quantization(const Recipe& recipe, bool own_model, const ReportProblem& complain);
/// The section `fp8`. `knows_parameters`: the names and shapes of the model's parameters follow from the recipe.
void check_fp8(const Recipe& recipe, bool own_model, bool knows_parameters, const ReportProblem& complain);
/// training.cuda_graph: settings with which forward and backward cannot be captured (train/step_graph.h). The keys of
/// the model must be good. Does nothing unless the recipe asks for a graph.
void check_graph(const Recipe& recipe, const ReportProblem& complain);
/// parallel.cp_size and sp_size: sequences that several ranks share.
void check_sequence(const Recipe& recipe, const ReportProblem& complain);

}  // namespace trainyard::config
