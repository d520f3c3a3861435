// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the ranks of a tensor-parallel group share a tensor. Shoeybi et al., "Megatron-LM", 2019.

namespace trainyard::families {

enum class Placement : unsigned char {
    replicated,  ///< whole on every rank, with the same gradient
    summed,      ///< whole on every rank, each of which has a part of its gradient: norms of single heads
    column,      ///< each rank has a part of the outputs: the input is whole, the output a part
    row,         ///< each rank has a part of the inputs: the outputs are summed over the ranks
    vocabulary,  ///< each rank has the rows of a part of the tokens
};

}  // namespace trainyard::families
