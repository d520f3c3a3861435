// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The networks of models/ with compiled packages in place of their own forward: of each block, or of the whole model.

#include <filesystem>
#include <map>
#include <vector>

#include <trainyard/compiled_model.h>

#include "distributed/parallel/unit.h"

namespace trainyard::compiled {

/// The weights of units, which must be their own tensors: not packed in 4 or 8 bits, without adapters. Names begin
/// after `prefix`. Tied weights have the names of the heads of Hugging Face's models, too. Throws UserError.
std::vector<WeightShape> weights_of(const std::vector<parallel::Unit*>& units, std::size_t prefix = 0);
/// Their values as they compute now, in the same order.
std::vector<at::Tensor> values_of(const std::vector<parallel::Unit*>& units);

/// Computes blocks with one package that was compiled from one of them: hidden states [batch, seq, hidden] in and out.
/// Each block uses its own weights, wherever a device map has them. A sequence is computed from its first position.
class CompiledBlocks final : public parallel::UnitHook {
  public:
    /// Throws UserError if the package does not fit one of the blocks. `package` and the blocks must outlive the
    /// object.
    CompiledBlocks(CompiledModel& package, const std::vector<parallel::Unit*>& blocks);
    ~CompiledBlocks() override;
    CompiledBlocks(const CompiledBlocks&) = delete;
    CompiledBlocks& operator=(const CompiledBlocks&) = delete;

    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;

  private:
    CompiledModel& package_;
    std::map<parallel::Unit*, std::vector<WeightShape>> weights_;
};

}  // namespace trainyard::compiled
