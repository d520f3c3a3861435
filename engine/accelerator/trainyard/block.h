// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Blocks of a user's own model: modules that are wrapped (wrap_block, checkpoint_wrapper.h), so that something can be done to each where it is called.
// A block is a unit (distributed/parallel/unit.h): what is done to it is a hook of that unit, as in the engine's
// models.
// A model names them in `std::vector<accelerator::Block*> blocks()`, and prepare_model chooses among them, as FSDP's auto-wrap policy does.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/unit.h"
#include "distributed/tensors/tree.h"

namespace trainyard::accelerator {

/// The unit that a module of a program's own is called through. Its hooks see the tensor arguments and results.
class ModuleUnit final : public parallel::Unit {
  public:
    /// Takes a name for messages and profiles.
    explicit ModuleUnit(std::string name) : Unit(std::move(name), parallel::BackwardMarks::tensor_hooks) {}
    /// The result of a module for its tensor arguments.
    using Forward = std::function<parallel::Tensors(const parallel::Tensors& inputs)>;
    /// Runs `forward` with the hooks of the unit around it.
    parallel::Tensors run(const parallel::Tensors& inputs, const Forward& forward);
    /// A hook that the unit holds, besides those of add_hook(); null: there is none.
    const std::shared_ptr<parallel::UnitHook>& own_hook() const { return own_hook_; }
    /// Replaces it.
    void set_own_hook(std::shared_ptr<parallel::UnitHook> hook);

  protected:
    /// Runs the function that run() was given.
    parallel::Tensors forward(const parallel::Tensors& inputs, parallel::StepContext& context) override;

  private:
    std::shared_ptr<parallel::UnitHook> own_hook_;
};

/// A block of a model: a module whose forward runs in a unit. Copies are the same block.
class Block {
  public:
    virtual ~Block() = default;
    /// Of the module, without namespaces: "Layer".
    virtual std::string class_name() const = 0;
    /// Parameters of the module and of the modules in it, under their names there.
    virtual NamedTensors named_parameters() const = 0;
    /// The same of buffers.
    virtual NamedTensors named_buffers() const = 0;
    /// Returns the number of elements of all parameters of the module.
    std::int64_t parameter_count() const;
    /// The parameters of the module and of the modules in it.
    std::vector<at::Tensor> parameters() const;
    /// What the block's forward runs in: add_hook() and remove_hook() act on its calls.
    ModuleUnit& unit() const { return *unit_; }
    /// The same, shared: hooks that may outlive the block hold it.
    const std::shared_ptr<ModuleUnit>& shared_unit() const { return unit_; }
    /// Activation checkpointing: autograd keeps the block's inputs alone, and its forward runs again in backward.
    bool is_checkpointed() const { return checkpointing_->is_on; }
    /// Switches activation checkpointing of this block on or off, from its next forward on.
    void set_checkpointed(bool on) { checkpointing_->is_on = on; }

  protected:
    /// Starts with activation checkpointing on or off.
    Block(const std::string& name, parallel::ActivationCheckpointOptions options, bool checkpointed);
    /// Copies refer to the same module.
    Block(const Block&) = default;
    /// Copies refer to the same module.
    Block& operator=(const Block&) = default;
    /// Whether a call of the module differs from its plain forward.
    bool is_hooked() const { return is_checkpointed() || unit_->has_hooks(); }
    /// Runs `forward` as the block is to be run.
    parallel::Tensors run(const parallel::Tensors& inputs, const ModuleUnit::Forward& forward) const;

  private:
    struct Checkpointing {
        bool is_on;
        parallel::ActivationCheckpointOptions options;
    };
    std::shared_ptr<ModuleUnit> unit_;
    std::shared_ptr<Checkpointing> checkpointing_;
};

/// Which blocks: those of these classes (any where none is named) with at least so many parameters. Accelerate's
/// fsdp_transformer_layer_cls_to_wrap and fsdp_min_num_params; both may be given here.
struct WrapPolicy {
    /// Class names without namespaces; empty: any class.
    std::vector<std::string> classes = {};
    /// The least number of parameter elements of a block.
    std::int64_t min_parameters = 0;
};

/// Checkpoints the blocks that the policy chooses, and no others. Throws UserError where it chooses none, or names a class that no block has;
/// then nothing has changed.
void checkpoint_blocks(const std::vector<Block*>& blocks, const WrapPolicy& policy);

/// The blocks whose weights are gathered one block at a time: those that the policy chooses, without those inside a
/// block of the classes `whole`. The size of a block does not include chosen blocks inside it. Throws UserError for a
/// class that no block has.
std::vector<Block*> blocks_to_gather(const std::vector<Block*>& blocks, const WrapPolicy& policy,
                                     const std::vector<std::string>& whole);

/// A model that names its blocks.
template <class Net>
concept HasBlocks = requires(Net& net) {
    { net.blocks() } -> std::convertible_to<std::vector<Block*>>;
};

}  // namespace trainyard::accelerator
