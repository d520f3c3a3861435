#pragma once
// Euclidean norm of gradients that lie in pieces, here or on several ranks: the sums of their squares are made in double precision, so that
// how the gradients are cut changes the norm by no more than 1e-15 of it. at::linalg_vector_norm over one flat buffer adds them in a few
// fp32 lanes, which is off by 1e-3 at 10 million elements (and so would be the clipped update).

#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::train {

/// Sum of the squares of flat pieces, fp32 [elements], contiguous, all on one device of any kind. Not finite when an element is not.
double sum_of_squares(const std::vector<at::Tensor>& pieces);

/// Its root, of one piece.
double gradient_norm(const at::Tensor& flat);

}  // namespace trainyard::train
