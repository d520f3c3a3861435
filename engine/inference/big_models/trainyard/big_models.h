// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A user's own torch module that is larger than one device (accelerate.big_modeling):
//
//     auto net = dispatch::init_empty_weights([] { return std::make_shared<Net>(); });
//     const auto map = dispatch::resolve_device_map(*net, "auto", {.max_memory = {{"cpu", "2GB"}}}).map;
//     auto model = dispatch::load_checkpoint_and_dispatch(net, "checkpoints/net", {.device_map = map});
//     at::Tensor result = model(x);
//
// Each block of the module computes on one device: a module that is wrapped with wrap_block and named by blocks()
// (<trainyard/block.h>), an element of a torch::nn::Sequential that takes and returns one tensor, and for what is in no
// block the model itself. What the map puts elsewhere is brought to the block's device for as long as it computes,
// forward or backward. Call the dispatched model, not the module.

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <torch/nn/module.h>

#include <trainyard/checkpoint_wrapper.h>
#include <trainyard/empty_weights.h>
#include <trainyard/model_hooks.h>
#include <trainyard/module_device_map.h>

namespace trainyard::dispatch {

struct ModuleDispatchOptions;

/// Options of load_checkpoint_in_model() for a user's module.
struct ModuleLoadOptions {
    std::optional<DeviceMap> device_map = {};  ///< nothing: all on cpu
    /// For weights on disk whose checkpoint cannot be read in place; those of safetensors files can.
    std::filesystem::path offload_folder = {};
    std::optional<at::ScalarType> dtype = {};            ///< of floating-point tensors; nothing: as the module has them
    std::vector<std::string> keep_in_fp32_modules = {};  ///< parts of names of what is fp32 under a half dtype
    bool offload_buffers = false;                        ///< buffers of offloaded parts are offloaded, too
    bool strict = false;                                 ///< tensors that the module lacks are an error
    std::optional<c10::Device> main_device = {};         ///< as in ModuleDispatchOptions
    std::set<std::string> preload_module_classes = {};   ///< as in ModuleDispatchOptions
    std::string accelerator = "cuda";                    ///< kind of the devices that have numbers alone
    /// The same options for dispatch_model().
    ModuleDispatchOptions of_dispatch() const;
};

/// The tensors that load_checkpoint_in_model() did not place.
struct LoadedModule {
    WeightsMap offloaded;           ///< for dispatch_model()
    std::vector<Message> warnings;  ///< tensors of the checkpoint that the module lacks, and the like
};

/// Reads a checkpoint into a module, each tensor straight to the device of the map. `checkpoint`: a file, a folder,
/// or a
/// model of the hub. Throws UserError naming the tensors that are missing or do not fit.
LoadedModule load_checkpoint_in_model(torch::nn::Module& module, const std::filesystem::path& checkpoint,
                                      const ModuleLoadOptions& options = {});

/// Options of dispatch_model() for a user's module.
struct ModuleDispatchOptions {
    /// Computes blocks on cpu or disk, and what is in no block; nothing: the first accelerator of the map, else cpu.
    std::optional<c10::Device> main_device = {};
    std::filesystem::path offload_dir = {};  ///< for weights on disk that are not in a file yet
    bool offload_buffers = false;            ///< buffers of offloaded parts are offloaded, too
    /// Classes of blocks whose weights, and those of the blocks in them, are all loaded when they are called.
    std::set<std::string> preload_module_classes = {};
    bool force_hooks = false;          ///< hooks even where the map has one device
    std::string accelerator = "cuda";  ///< kind of the devices that have numbers alone
};

/// Tensors that are on another device until it ends: see align_module_device().
class AlignedTensors {
  public:
    /// Puts `tensors` on `device`; those of `offloaded` are brought back for that. Throws UserError.
    AlignedTensors(const NamedTensors& tensors, const OffloadedTensors& offloaded, c10::Device device);
    ~AlignedTensors();
    AlignedTensors(const AlignedTensors&) = delete;
    AlignedTensors& operator=(const AlignedTensors&) = delete;

  private:
    void give_back() noexcept;
    std::vector<std::pair<at::Tensor, c10::Device>> moved_;  ///< where they came from
    std::vector<std::shared_ptr<OffloadedTensor>> taken_;
};

/// The hooks of a dispatched module.
class DispatchedModule {
  public:
    /// `root`: the module as a block; `blocks`: those that it names.
    DispatchedModule(std::shared_ptr<torch::nn::Module> module, std::shared_ptr<accelerator::Block> root,
                     std::vector<accelerator::Block*> blocks, DeviceMap map, WeightsMap offloaded,
                     const ModuleDispatchOptions& options);
    ~DispatchedModule();
    DispatchedModule(const DispatchedModule&) = delete;
    DispatchedModule& operator=(const DispatchedModule&) = delete;

    /// The place of each part (hf_device_map).
    const DeviceMap& device_map() const { return map_; }
    /// Messages about the map: entries that match nothing.
    const std::vector<Message>& warnings() const { return warnings_; }
    /// Whether weights are stored elsewhere than where they compute.
    bool has_offloaded_params() const { return !offloaded_.empty(); }
    /// All tensors in the processor's memory under their names, those that are offloaded as copies; not those that are
    /// stored in another number format than they are computed in.
    NamedTensors state_dict() const;
    /// Removes the hooks, and puts all tensors of the module in the processor's memory.
    void remove_hooks();
    /// The tensors of a module in it on a device: align_module_device().
    AlignedTensors align(const torch::nn::Module& part, c10::Device device) const;
    /// A hook that makes the whole module compute with weights that are stored in another number format; it stays when
    /// others are removed. Called by load_and_quantize_model() and attach_layerwise_casting_hooks().
    void use_stored_weights(std::shared_ptr<ModelHook> hook);

  private:
    struct Element;
    void wrap_elements(torch::nn::Module& module, std::set<const void*>& wrapped);

    std::shared_ptr<torch::nn::Module> module_;
    std::shared_ptr<accelerator::Block> root_;
    DeviceMap map_;
    std::vector<Message> warnings_;
    OffloadedTensors offloaded_;
    std::shared_ptr<ModelHook> stored_weights_;       ///< null: all are stored as they are computed with
    std::vector<std::unique_ptr<Element>> elements_;  ///< of Sequentials
    std::vector<std::pair<std::shared_ptr<accelerator::ModuleUnit>, std::shared_ptr<ModelHook>>> hooks_;
};

/// A dispatched module that is called. Copies are the same module.
template <class Net>
class DispatchedNet {
  public:
    /// Joins a module, its block and its hooks. Called by dispatch_model().
    DispatchedNet(std::shared_ptr<accelerator::CheckpointWrapper<Net>> root, std::shared_ptr<DispatchedModule> hooks)
        : root_(std::move(root)), hooks_(std::move(hooks)) {}
    /// The module's forward.
    template <class... Arguments>
    auto operator()(Arguments&&... arguments) const {
        return (*root_)(std::forward<Arguments>(arguments)...);
    }
    /// Returns the module.
    Net* operator->() const { return &**root_; }
    /// The module's forward, parameters, buffers and mode, for Accelerator::prepare.
    template <class... Arguments>
    auto forward(Arguments&&... arguments) const {
        return (*root_)(std::forward<Arguments>(arguments)...);
    }
    /// Returns the module's parameters by name.
    NamedTensors named_parameters() const { return accelerator::detail::named((**root_).named_parameters()); }
    /// Returns the module's buffers by name.
    NamedTensors named_buffers() const { return accelerator::detail::named((**root_).named_buffers()); }
    /// Sets the mode of the module.
    void train(bool on = true) const { (**root_).train(on); }
    /// Sets the mode of the module.
    void eval() const { train(false); }
    /// Returns the mode of the module.
    bool is_training() const { return (**root_).is_training(); }
    /// Returns the hooks, which tell dispatched modules apart.
    const std::shared_ptr<DispatchedModule>& shared_hooks() const { return hooks_; }
    /// Returns the hooks.
    DispatchedModule& hooks() const { return *hooks_; }
    /// Returns the whole module as a block, for hooks of one's own.
    const accelerator::Block& block() const { return *root_; }

  private:
    std::shared_ptr<accelerator::CheckpointWrapper<Net>> root_;
    std::shared_ptr<DispatchedModule> hooks_;
};

/// Spreads a module that has weights, or those that `offloaded` has, over the devices of a map. Throws UserError.
template <class Net>
DispatchedNet<Net> dispatch_model(std::shared_ptr<Net> net, const DeviceMap& device_map,
                                  const ModuleDispatchOptions& options = {}, WeightsMap offloaded = {}) {
    std::vector<accelerator::Block*> blocks;
    if constexpr (accelerator::HasBlocks<Net>)
        blocks = net->blocks();
    auto root = std::make_shared<accelerator::CheckpointWrapper<Net>>(accelerator::wrap_block(net));
    auto hooks = std::make_shared<DispatchedModule>(std::move(net), root, std::move(blocks), device_map,
                                                    std::move(offloaded), options);
    return {std::move(root), std::move(hooks)};
}

/// Both steps. A map of "" alone is one device.
template <class Net>
DispatchedNet<Net> load_checkpoint_and_dispatch(std::shared_ptr<Net> net, const std::filesystem::path& checkpoint,
                                                const ModuleLoadOptions& options = {}) {
    LoadedModule loaded = load_checkpoint_in_model(*net, checkpoint, options);
    return dispatch_model(std::move(net), options.device_map.value_or(DeviceMap{{"", "cpu"}}), options.of_dispatch(),
                          std::move(loaded.offloaded));
}

/// Puts the parameters and buffers of a module on a device until the end of the scope:
///     const auto aligned = dispatch::align_module_device(*net, device);
/// Then they are where they were before, with the values that they have by now.
AlignedTensors align_module_device(const torch::nn::Module& module, c10::Device device);
/// The same for a dispatched module, or a module in it: weights that are stored elsewhere are brought back. What is
/// written into these is lost at the end.
template <class Net>
AlignedTensors align_module_device(const DispatchedNet<Net>& model, c10::Device device) {
    return model.hooks().align(*model.operator->(), device);
}
template <class Net>
AlignedTensors align_module_device(const DispatchedNet<Net>& model, const torch::nn::Module& part, c10::Device device) {
    return model.hooks().align(part, device);
}

/// Keeps all weights in the processor's memory and copies those of a block to `execution_device` while it computes.
template <class Net>
DispatchedNet<Net> cpu_offload(std::shared_ptr<Net> net, c10::Device execution_device, bool offload_buffers = false,
                               const std::set<std::string>& preload_module_classes = {}) {
    return dispatch_model(std::move(net), {{"", "cpu"}},
                          {.main_device = execution_device,
                           .offload_buffers = offload_buffers,
                           .preload_module_classes = preload_module_classes,
                           .force_hooks = true});
}

/// Keeps all weights in `offload_dir`, stored as Accelerate writes them, and reads those of a block while it computes.
/// The module has its weights, or the folder does.
template <class Net>
DispatchedNet<Net> disk_offload(std::shared_ptr<Net> net, const std::filesystem::path& offload_dir,
                                c10::Device execution_device = at::kCPU, bool offload_buffers = false,
                                const std::set<std::string>& preload_module_classes = {}) {
    return dispatch_model(std::move(net), {{"", "disk"}},
                          {.main_device = execution_device,
                           .offload_dir = offload_dir,
                           .offload_buffers = offload_buffers,
                           .preload_module_classes = preload_module_classes,
                           .force_hooks = true});
}

/// A whole module that is on a device from its forward until offload(), or until the next module of a chain runs.
class ModuleCpuOffloadHook final : public ModelHook {
  public:
    /// Moves the module to the processor's memory. `previous`: of the module that runs before; it is offloaded then.
    ModuleCpuOffloadHook(std::shared_ptr<torch::nn::Module> module, c10::Device device,
                         std::shared_ptr<ModuleCpuOffloadHook> previous);
    void pre_forward(parallel::Unit& unit, parallel::Tensors& inputs) override;
    /// Moves the module to the processor's memory.
    void offload();
    /// Ends the hook: the module stays where it is.
    void remove() { is_removed_ = true; }
    /// Returns whether all tensors of the module are on its device. Other hooks may have moved them.
    bool is_on_device() const;

  private:
    void move_to(c10::Device device);
    std::shared_ptr<torch::nn::Module> module_;
    c10::Device device_;
    std::shared_ptr<ModuleCpuOffloadHook> previous_;
    bool is_removed_ = false;
};

/// Returns the module to call, and its hook for the next one of the chain.
template <class Net>
std::pair<accelerator::CheckpointWrapper<Net>, std::shared_ptr<ModuleCpuOffloadHook>> cpu_offload_with_hook(
    std::shared_ptr<Net> net, c10::Device execution_device,
    std::shared_ptr<ModuleCpuOffloadHook> prev_module_hook = nullptr) {
    auto hook = std::make_shared<ModuleCpuOffloadHook>(net, execution_device, std::move(prev_module_hook));
    auto block = accelerator::wrap_block(std::move(net));
    add_hook_to_module(block, hook);
    return {std::move(block), std::move(hook)};
}

}  // namespace trainyard::dispatch
