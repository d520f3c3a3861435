#pragma once
// Blocks of a user's own model: modules that are wrapped (wrap_block, checkpoint_wrapper.h), so that something can be done to each where it is called.
// A model names them in `std::vector<accelerator::Block*> blocks()`, and prepare_model chooses among them, as FSDP's auto-wrap policy does.

#include <concepts>
#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::accelerator {

class Block {
  public:
    virtual ~Block() = default;
    /// Of the module, without namespaces: "Layer".
    virtual std::string class_name() const = 0;
    virtual std::int64_t parameter_count() const = 0;
    /// Activation checkpointing: autograd keeps the block's inputs alone, and its forward runs again in backward.
    bool is_checkpointed() const { return checkpointed_; }
    void set_checkpointed(bool on) { checkpointed_ = on; }

  protected:
    explicit Block(bool checkpointed) : checkpointed_(checkpointed) {}
    Block(const Block&) = default;
    Block& operator=(const Block&) = default;

  private:
    bool checkpointed_;
};

/// Which blocks: those of these classes (any where none is named) with at least so many parameters. Accelerate's
/// fsdp_transformer_layer_cls_to_wrap and fsdp_min_num_params; both may be given here.
struct WrapPolicy {
    std::vector<std::string> classes = {};
    std::int64_t min_parameters = 0;
};

/// Checkpoints the blocks that the policy chooses, and no others. Throws UserError where it chooses none, or names a class that no block has;
/// then nothing has changed.
void checkpoint_blocks(const std::vector<Block*>& blocks, const WrapPolicy& policy);

/// A model that names its blocks.
template <class Net>
concept HasBlocks = requires(Net& net) {
    { net.blocks() } -> std::convertible_to<std::vector<Block*>>;
};

}  // namespace trainyard::accelerator
