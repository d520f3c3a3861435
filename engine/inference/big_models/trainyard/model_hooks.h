// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hooks on the blocks of a user's own model (accelerate.hooks): objects that see the tensors of a block before and
// after
// its forward, and where backward enters and leaves it. A block is a module that is wrapped with wrap_block
// (<trainyard/block.h>), an element of a dispatched torch::nn::Sequential, or a whole dispatched model.

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <trainyard/block.h>

#include "inference/dispatch/stored_weights.h"

namespace trainyard::dispatch {

/// A hook of a block. before_backward() and after_backward() of UnitHook may be overridden, too.
class ModelHook : public parallel::UnitHook {
  public:
    /// If `no_grad` is set, the forward of the block runs without gradients.
    explicit ModelHook(bool no_grad = false) : no_grad_(no_grad) {}
    /// Called when the hook is added to a block.
    virtual void init_hook(const accelerator::Block& /*block*/) {}
    /// Called before the forward of the block; may replace its tensor arguments.
    virtual void pre_forward(parallel::Unit& /*unit*/, parallel::Tensors& /*inputs*/) {}
    /// Called after the forward; may replace its results.
    virtual void post_forward(parallel::Unit& /*unit*/, parallel::Tensors& /*outputs*/) {}
    /// Called instead of post_forward() where the forward, or a hook after this one, throws.
    virtual void abandon_forward() {}
    /// Called when the hook is removed from a block.
    virtual void detach_hook(const accelerator::Block& /*block*/) {}

    /// Called by the unit before the forward.
    void before(parallel::Unit& unit, parallel::Tensors& inputs, parallel::StepContext& context) override;
    /// Called by the unit to run the forward.
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;
    /// Called by the unit after the forward.
    void after(parallel::Unit& unit, parallel::Tensors& outputs, parallel::StepContext& context) override;

  private:
    bool no_grad_;
};

/// Several hooks as one: each of their functions runs in the order of the list, and where backward leaves the block in
/// reverse order.
class SequentialHook final : public ModelHook {
  public:
    /// Takes the hooks in their order.
    explicit SequentialHook(std::vector<std::shared_ptr<ModelHook>> hooks) : hooks_(std::move(hooks)) {}
    /// Returns the hooks.
    const std::vector<std::shared_ptr<ModelHook>>& hooks() const { return hooks_; }
    void init_hook(const accelerator::Block& block) override;
    void detach_hook(const accelerator::Block& block) override;
    /// Called by the unit before the forward.
    void before(parallel::Unit& unit, parallel::Tensors& inputs, parallel::StepContext& context) override;
    /// Called by the unit to run the forward.
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;
    /// Called by the unit after the forward.
    void after(parallel::Unit& unit, parallel::Tensors& outputs, parallel::StepContext& context) override;
    /// Called by the unit before backward enters the block.
    void before_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;
    /// Called by the unit after backward left the block.
    void after_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;

  private:
    std::vector<std::shared_ptr<ModelHook>> hooks_;
};

/// The hook of a block that was added with add_hook_to_module(); null: there is none.
std::shared_ptr<ModelHook> hook_of(const accelerator::Block& block);
/// Adds a hook to a block. An earlier one is replaced; with `append` both run, as a SequentialHook. The block holds it.
void add_hook_to_module(const accelerator::Block& block, std::shared_ptr<ModelHook> hook, bool append = false);
/// Removes the hook of a block, if it has one.
void remove_hook_from_module(const accelerator::Block& block);
/// The same for several blocks: `net.blocks()`.
void remove_hook_from_submodules(const std::vector<accelerator::Block*>& blocks);

/// A tensor of a module that is stored elsewhere while no block computes with it, on the meta device then.
class OffloadedTensor {
  public:
    /// `stored`: the value; without one it is the tensor's own, moved to the processor's memory.
    OffloadedTensor(at::Tensor tensor, bool is_buffer, std::optional<StoredTensor> stored = {});
    /// Puts the value on the device; counted, so that blocks within each other may both use it. Throws UserError.
    void take(c10::Device device);
    /// Ends one use. After the last one the tensor is on the meta device.
    void release();
    /// Returns a copy of the value in the processor's memory.
    at::Tensor value() const;
    /// Returns the module's tensor.
    const at::Tensor& tensor() const { return tensor_; }

  private:
    at::Tensor load(c10::Device device) const;
    at::Tensor tensor_;
    bool is_buffer_;
    StoredTensor stored_;
    int uses_ = 0;
    std::mutex mutex_;
};

/// Values by the address of the module's tensor, so that a tensor with several names is stored once.
using OffloadedTensors = std::map<const void*, std::shared_ptr<OffloadedTensor>>;

/// Options of an AlignDevicesHook.
struct AlignDevicesOptions {
    std::optional<c10::Device> execution_device = {};  ///< nothing: the processor
    bool offload = false;                              ///< weights are stored elsewhere between two forwards
    bool io_same_device = false;                       ///< results are moved to the device of the first input
    WeightsMap weights_map = {};                       ///< of parameters and buffers by name; else their own values
    bool offload_buffers = false;                      ///< buffers, too, are stored elsewhere
    bool place_submodules = false;                     ///< also the tensors of the modules in the block
    /// Shared by the hooks of one model; null: of this hook alone.
    std::shared_ptr<OffloadedTensors> tied_params_map = {};
};

/// Runs a block on a device: moves its inputs there and, with `offload`, its weights for as long as forward or backward
/// needs them. Without `offload` the weights are moved once, when the hook is added.
class AlignDevicesHook final : public ModelHook {
  public:
    /// Takes the options; for add_hook_to_module().
    explicit AlignDevicesHook(AlignDevicesOptions options) : options_(std::move(options)) {}
    /// For these tensors, whatever the block has.
    AlignDevicesHook(AlignDevicesOptions options, std::vector<std::shared_ptr<OffloadedTensor>> tensors)
        : options_(std::move(options)), tensors_(std::move(tensors)), is_given_(true) {}
    void init_hook(const accelerator::Block& block) override;
    void pre_forward(parallel::Unit& unit, parallel::Tensors& inputs) override;
    void post_forward(parallel::Unit& unit, parallel::Tensors& outputs) override;
    void abandon_forward() override { release(); }
    /// Offloaded weights are put back to the processor's memory.
    void detach_hook(const accelerator::Block& block) override;
    /// Called by the unit to run the forward.
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;
    /// Called by the unit before backward enters the block.
    void before_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;
    /// Called by the unit after backward left the block.
    void after_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;
    /// Returns whether weights of the block are stored elsewhere.
    bool has_offloaded_params() const { return !tensors_.empty(); }

  private:
    c10::Device device() const { return options_.execution_device.value_or(c10::Device(c10::kCPU)); }
    void take();
    void release();

    AlignDevicesOptions options_;
    std::vector<std::shared_ptr<OffloadedTensor>> tensors_;
    bool is_given_ = false;
    std::vector<c10::Device> came_from_;  ///< of the first input of each forward that is not over
};

/// Whether weights of a block are stored elsewhere by an AlignDevicesHook.
bool has_offloaded_params(const accelerator::Block& block);

}  // namespace trainyard::dispatch
