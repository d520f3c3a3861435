// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// When the weights of a program's own module are whole, where no rank has all of them (zero_stage 3): the rooms of its
// blocks (distributed/parallel/value_rooms.h). The parameters of a block are those of a unit that is never called: a
// hook
// of the block's own unit (block.h), which the program calls, passes forwards and backwards on to it.
//
// Parameters of no block, and those that several blocks share, or a block and the rest of the model (tied weights),
// belong to the root: whole from the beginning of forward to the end of backward.

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/block.h>

#include "distributed/parallel/unit.h"
#include "distributed/parallel/value_rooms.h"
#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// Which unit has a parameter: the root (0), those that stay whole (1, if there are any), or one of the blocks, which
/// are the last units.
struct ModuleCut {
    std::vector<std::string> names;    ///< of the units
    std::vector<std::size_t> unit_of;  ///< [parameter]
    bool has_persistent = false;
};
/// A parameter belongs to the innermost of the blocks that have it under all its names. `named`: every name of every
/// parameter; the cut has a parameter once, at its first name. `persistent`: parameters that stay whole.
ModuleCut cut_module(const NamedTensors& named, const std::vector<Block*>& blocks,
                     const std::set<const void*>& persistent = {});

/// The parameters of the modules whose whole names match the regular expression, or that are in a block of one of the
/// classes (fsdp_ignored_modules). Throws UserError for an expression or a class that matches nothing where it
/// `must_match`.
std::set<const void*> ignored_parameters(const NamedTensors& named, const std::vector<Block*>& blocks,
                                         const std::string& pattern, const std::vector<std::string>& classes,
                                         bool must_match = true);

class BlockRooms;

class ModuleRooms {
  public:
    /// `units[0]` is the root, the last are those of `blocks`. Adds a hook to each block. `forward_only`: no backward
    /// follows a forward, even one with gradients.
    ModuleRooms(parallel::UnitRooms& rooms, const std::vector<std::unique_ptr<ModuleUnit>>& units,
                const std::vector<Block*>& blocks, bool forward_only);
    ~ModuleRooms();
    ModuleRooms(const ModuleRooms&) = delete;
    ModuleRooms& operator=(const ModuleRooms&) = delete;

    // Around the module's forward, and around every backward. They gather: collective.
    void begin_forward();
    void end_forward();
    void begin_backward();
    void end_backward();

  private:
    parallel::StepContext context_of_forward() const;

    parallel::UnitRooms& rooms_;
    parallel::Unit& root_;
    bool forward_only_;
    std::vector<std::unique_ptr<BlockRooms>> blocks_;
};

}  // namespace trainyard::accelerator
