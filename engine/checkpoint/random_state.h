// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// random_states_<rank>.pkl: the generators of one rank. Torch's are restored here; those of Python and NumPy, which a C++ program has
// no use for, are carried along, so that a script which resumes from our checkpoint finds them.

#include <cstdint>

#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// State of the calling process as Accelerate writes it: "step", "random_state", "numpy_random_seed", "torch_manual_seed" and, per
/// CUDA device that LibTorch has, "torch_cuda_manual_seed". `carried` (may be None) is what load gave: Python's and NumPy's states
/// come from it, else from torch's seed, as random.seed(seed) and numpy.random.seed(seed) would make them.
Tree capture_random_state(std::int64_t step, const Tree& carried = {});

/// Sets torch's generators, from their states or, for a rank that had none, from "derived_seed" (load_state puts it there). Throws UserError when the state is of another size or missing; then nothing has changed.
void restore_random_state(const Tree& state);

/// For a rank that has no file, since the checkpoint is of fewer ranks: a seed that depends on the state of rank 0 and on `rank`, so
/// that no two ranks draw the same numbers and every resume draws the same ones.
/// Always below 2^63.
std::uint64_t derived_seed(const Tree& state_of_rank_0, int rank);

}  // namespace trainyard::checkpoint
