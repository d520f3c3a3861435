// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors and other values of what torch.save wrote, by the keys of the tables around them.

#include <string>
#include <vector>

#include "formats/weights/model_level.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

struct TorchLeaves {
    std::vector<StateLeaf> leaves;
    std::vector<const TensorPart*> tensors;  ///< by leaf; nullptr: another value
    std::vector<const Value*> values;        ///< by leaf
};

/// Tables are opened down to a few levels, and lists only if they hold tables, lists or tensors. A table that is below
/// itself, and one that is used many times, end at a limit. Throws UserError at that limit.
TorchLeaves leaves_of(const TorchFile& file);

}  // namespace trainyard::weights
