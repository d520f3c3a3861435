#pragma once
// Whether weights that are written to a checkpoint hold numbers that no training can go on from.

#include <span>
#include <string>

#include "io/safetensors.h"

namespace trainyard::checkpoint {

/// Names of the first tensor with an element that is NaN, and of the first with an infinite one; empty: there is none.
struct NotFinite {
    std::string nan, infinite;
};

/// Looks at all elements of type F64, F32, F16 and BF16; tensors without `bytes` (streams) and of other types count as finite. One pass
/// over the memory by the calling thread: it is the saver's, and training has the cores.
NotFinite not_finite_in(std::span<const io::TensorToWrite> tensors);

}  // namespace trainyard::checkpoint
