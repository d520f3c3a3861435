// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parts of tensor names that come from modules around a model, and not from the model: torch.compile, DataParallel and
// DistributedDataParallel, FSDP, activation checkpointing, Lightning Fabric, PEFT.

#include <string>
#include <string_view>
#include <vector>

namespace trainyard::weights {

struct UnwrappedNames {
    std::vector<std::string> names;  ///< in the order of the given ones
    /// The parts that were left out, each once: "_orig_mod."
    std::vector<std::string> wrappers;
};

/// Names of the module inside of all wrappers. "module." and "base_model.model." are also names that a model may use:
/// they are left out where all names begin with them, the second one only without adapters of PEFT in the file. Names
/// stay as they are if two of them would become equal.
UnwrappedNames unwrapped_names(const std::vector<std::string>& names);

/// Cheap: false for names in which unwrapped_names() finds nothing.
bool may_be_wrapped(std::string_view name);

}  // namespace trainyard::weights
