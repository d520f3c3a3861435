#pragma once
// Settings of optimizers as the dictionaries of torch: options of a program, param_groups of optimizer.bin.

#include <string>

#include "base/message.h"
#include "config/recipe/optimizer_kinds.h"
#include "distributed/tensors/tree.h"

namespace trainyard::optim {

/// What is wrong with the option as the end of a sentence; empty: it is set.
Message set_option(config::OptimizerSettings& settings, const std::string& name, const Tree& value);
/// All settings of a saved group. Throws UserError, which `where` begins.
void set_from_tree(config::OptimizerSettings& settings, const Tree& group, const Message& where);
/// A group as torch's classes have it, without its parameters.
Tree settings_to_tree(const config::OptimizerSettings& settings);

}  // namespace trainyard::optim
