// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a rank of a tensor-parallel group has of a parameter, and the two sums that such ranks exchange in a layer:
// backward sums the gradients of a whole input of which each rank computes a part of the outputs, and forward sums the
// outputs of which each rank has computed a part. Shoeybi et al., "Megatron-LM", 2019.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/split.h"
#include "models/spec/placement.h"

namespace trainyard::parallel {

class Communicator;
using families::Placement;

struct TensorPart {
    Communicator* ranks = nullptr;  ///< the group; it outlives the parameter
    Placement placement = Placement::replicated;
    std::vector<std::int64_t> whole_shape;
    std::size_t dimension = 0;  ///< the one that is divided
    /// Of that dimension, one after the other, each divided among the ranks: those of heads for fused projections.
    /// Empty: every rank has the whole tensor.
    std::vector<std::int64_t> sections;
    int copies = 1;  ///< consecutive ranks that have the same part, each with a part of its gradient
    /// Outside of the layers that they share the ranks have a part of the positions each. Korthikanti et al., "Reducing
    /// activation recomputation in large transformer models", 2022.
    bool divides_positions = false;
    /// Parts of a rank's positions that are exchanged one after the other, while those before them are multiplied.
    std::int64_t overlap_chunks = 1;

    bool is_divided() const { return !sections.empty(); }
    /// Several ranks have these elements, and their gradients are added.
    bool sums_gradients() const { return placement == Placement::summed || copies > 1; }
    /// Whether this rank is the first that has its part.
    bool is_first() const;
    /// Of the divided dimension, in the order in which the rank has them.
    std::vector<Range> ranges_of(int rank) const;
    std::vector<std::int64_t> shape_of(int rank) const;
    /// This rank's.
    std::vector<Range> ranges() const;
    /// Copies of this rank's elements of a whole tensor.
    at::Tensor select(const at::Tensor& whole) const;
    /// Adds this rank's part to that of a whole tensor.
    void add_to(const at::Tensor& whole, const at::Tensor& own) const;
    /// The whole tensor, of the parts of all ranks. Collective.
    at::Tensor gather(const at::Tensor& own, const std::string& name) const;
    /// Calls `visit(begin, whole_begin, count)` for the elements of this rank's part, which are consecutive in the
    /// whole tensor, too; rising.
    void for_runs(
        const std::function<void(std::int64_t begin, std::int64_t whole_begin, std::int64_t count)>& visit) const;
};

/// x, whose gradient is the sum of those of the ranks. `name` is for messages.
at::Tensor share_input(const at::Tensor& x, Communicator& ranks, const std::string& name);
/// The sum over the ranks, each of which passes its gradient on as it is. `name` is for messages.
at::Tensor sum_outputs(const at::Tensor& part, Communicator& ranks, const std::string& name);

/// All columns of x [..., columns of this rank], whose parts follow one another: [..., columns]. The gradient is that
/// of
/// the own columns. `name` is for messages.
at::Tensor gather_outputs(const at::Tensor& x, Communicator& ranks, std::int64_t columns, const std::string& name);

/// The gradient of whole positions is a part on each rank, or the same on all of them.
enum class PositionParts { summed, equal };
/// x [batch, positions of this rank, ...], of consecutive parts -> [batch, positions, ...] of all ranks. The gradient
/// is that of the own positions.
at::Tensor gather_positions(const at::Tensor& x, Communicator& ranks, PositionParts gradients, const std::string& name);
/// The sum over the ranks of x [batch, positions, ...], or of equal ones the first: [batch, positions of this rank,
/// ...]. The gradient is that of all positions, on every rank.
at::Tensor scatter_positions(const at::Tensor& x, Communicator& ranks, PositionParts outputs, const std::string& name);
/// The parts of these, for kernels that have their own gradients: x [batch, positions of this rank, ...] of all ranks,
/// one after the other; the sum over the ranks of the positions of this rank; and these positions of x.
at::Tensor all_positions(const at::Tensor& own, Communicator& ranks, const std::string& name);
at::Tensor sum_of_positions(const at::Tensor& parts, Communicator& ranks, const std::string& name);
at::Tensor own_positions(const at::Tensor& x, const Communicator& ranks);

}  // namespace trainyard::parallel
