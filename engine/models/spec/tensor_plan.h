// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Plans of tensor parallelism, one for each family of decoders: pattern of module names -> placement. An adapter is
// divided as the matrix next to it. Recipe checks, the division of models (models/nn/divide_tensors.h) and documentation read them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/model_config.h"
#include "models/spec/placement.h"

namespace trainyard::families {

struct PlacementRow {
    std::string modules;  ///< fnmatch pattern of names of modules, where * also matches dots: "*.attn.c_attn"
    Placement placement = Placement::replicated;
    std::size_t outputs = 0;  ///< dimension of the weight that has its outputs: 0 (torch's Linear) or 1 (Conv1D)
    /// Of column: outputs of the projections that share a weight, one after the other, each of which is divided. Empty:
    /// one projection.
    std::vector<std::int64_t> sections = {};
    /// Heads whose outputs stay together: more ranks than heads share each of them evenly. 0: none do.
    std::int64_t heads = 0;
};

/// How one tensor is divided among tensor-parallel ranks.
struct TensorCut {
    Placement placement = Placement::replicated;
    std::size_t dimension = 0;
    std::vector<std::int64_t> sections = {};  ///< of that dimension; empty: nothing is divided
    std::int64_t heads = 0;                   ///< as PlacementRow has it
};

/// A size that the ranks of a group divide among themselves.
struct DividedSize {
    std::string key;  ///< of config.json: num_attention_heads
    std::int64_t size = 0;
    bool evenly = true;      ///< the ranks must divide it; false: ranks may have one more than others
    bool or_copies = false;  ///< a multiple of it will do, too: then several ranks have the same
};

/// The first matching row is used; modules without a row are replicated. `divides_positions`: the ranks have a part of
/// the positions each between the layers that they share. Empty: models of this family cannot be divided.
std::vector<PlacementRow> tensor_plan(const ModelConfig& config, bool divides_positions = false);
/// Returns how a parameter of this name and shape is divided.
TensorCut cut_of(const std::vector<PlacementRow>& plan, const std::string& parameter,
                 const std::vector<std::int64_t>& shape);
/// Returns the sizes that the tensor-parallel ranks divide. The model must have a tensor plan.
std::vector<DividedSize> divided_sizes(const ModelConfig& config);

}  // namespace trainyard::families
