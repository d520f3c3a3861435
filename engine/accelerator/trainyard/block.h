// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Blocks of a user's own model: modules that are wrapped (wrap_block, checkpoint_wrapper.h), so that something can be done to each where it is called.
// A model names them in `std::vector<accelerator::Block*> blocks()`, and prepare_model chooses among them, as FSDP's auto-wrap policy does.

#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::accelerator {

/// Runs a block whose weights are whole only while it computes (zero_stage 3).
class BlockRunner {
  public:
    /// The tensor arguments or results of a block.
    using Tensors = std::vector<at::Tensor>;
    virtual ~BlockRunner() = default;
    /// Returns what `forward` returns for the inputs.
    virtual Tensors run(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& forward) = 0;
};

/// A block of a model, whose forward can be checkpointed or run by a BlockRunner.
class Block {
  public:
    virtual ~Block() = default;
    /// Of the module, without namespaces: "Layer".
    virtual std::string class_name() const = 0;
    /// Returns the number of elements of all parameters of the module.
    virtual std::int64_t parameter_count() const = 0;
    /// The parameters of the module and of the modules in it.
    virtual std::vector<at::Tensor> parameters() const = 0;
    /// What runs the block's forward. Not owned; null: the block itself.
    std::shared_ptr<BlockRunner> runner() const { return runner_.lock(); }
    /// Sets the runner of the block's forward. Not owned.
    void set_runner(std::weak_ptr<BlockRunner> runner) { runner_ = std::move(runner); }
    /// Activation checkpointing: autograd keeps the block's inputs alone, and its forward runs again in backward.
    bool is_checkpointed() const { return checkpointed_; }
    /// Switches activation checkpointing of this block on or off, from its next forward on.
    void set_checkpointed(bool on) { checkpointed_ = on; }

  protected:
    /// Starts with activation checkpointing on or off.
    explicit Block(bool checkpointed) : checkpointed_(checkpointed) {}
    /// Copies refer to the same module.
    Block(const Block&) = default;
    /// Copies refer to the same module.
    Block& operator=(const Block&) = default;

  private:
    bool checkpointed_;
    std::weak_ptr<BlockRunner> runner_;
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
