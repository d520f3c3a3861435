#pragma once
// A module tree from the names and shapes in a file of weights.

#include <vector>

#include "estimate/module_tree.h"

namespace trainyard::estimate {

/// The type of modules with a number for a name.
inline constexpr const char* kNumbered = "numbered";

/// Consecutive modules with numbers for names that are alike become one with `repeat`, as architectures.h makes them.
Module tree_of_names(const std::vector<ModuleTensor>& tensors);

}  // namespace trainyard::estimate
