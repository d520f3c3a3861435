// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Detects weights written to a checkpoint that contain numbers from which training cannot continue.

#include <string>

#include "formats/weights/safetensors.h"

namespace trainyard::checkpoint {

/// Names of the first tensor with an element that is NaN, and of the first with an infinite one; empty: there is none.
struct NotFinite {
    std::string nan, infinite;
};

/// Looks at the elements of a tensor, or of a piece of one (whole elements), of type F64, F32, F16 or BF16; other types count as finite. By the
/// calling thread: it is the saver's, and training has the cores.
void add_not_finite(const weights::TensorToWrite& piece, NotFinite& found);

}  // namespace trainyard::checkpoint
