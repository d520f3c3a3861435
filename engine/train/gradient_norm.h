#pragma once
// Euclidean norm of a flat buffer of gradients. at::linalg_vector_norm alone adds the squares of the whole buffer in a few fp32
// lanes, which is off by 1e-3 at 10 million elements (and so would be the clipped update); here rows are added first.

#include <ATen/core/Tensor.h>

namespace trainyard::train {

/// `flat` fp32 [elements], contiguous, on any device. Not finite when an element is not, or a row overflows.
double gradient_norm(const at::Tensor& flat);

}  // namespace trainyard::train
