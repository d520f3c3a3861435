// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a model whose parts are on several devices, in the memory of the processor and on disk (dispatch_model,
// cpu_offload, disk_offload of accelerate.big_modeling): a hook on every unit brings inputs and weights to the device
// that computes it, and releases the weights after it. A unit computes on one device; what it needs from elsewhere is
// read while the unit before it computes (weight_prefetcher.h).
//
// A model may be trained if all offloaded weights are frozen (with adapters): kernels read weights of a unit again in
// its backward, which loads them as its forward did, in reverse order.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "inference/dispatch/model_device_map.h"
#include "inference/dispatch/stored_weights.h"
#include "inference/dispatch/weight_prefetcher.h"

namespace trainyard::dispatch {

struct DispatchOptions {
    std::optional<c10::Device> main_device =
        {};  ///< computes the units on cpu or disk; empty: the first accelerator of the map, else cpu
    std::filesystem::path offload_dir = {};  ///< for weights on disk that are not in a file yet
    bool offload_buffers = false;            ///< buffers of offloaded parts are offloaded, too
    std::string accelerator = "cuda";        ///< kind of the devices that have numbers alone
    /// Parameters that are trained stay where they are, whatever the map says; without it nothing is trained.
    bool keeps_trained = false;
    std::set<const parallel::Parameter*> elsewhere = {};  ///< on other ranks: they have no value here
    /// Bytes of memory that pages of weights on disk may take; nothing: what this process can have.
    std::optional<std::uint64_t> page_room = {};
};

/// The tensors of the context that a unit reads, on the device that computes it.
class MovedContext {
  public:
    void move(parallel::Tensors& inputs, parallel::StepContext& context, c10::Device device);
    /// Moves the loss to the device of the caller.
    void give_back(parallel::StepContext& context);

  private:
    at::Tensor loss_sum_;  ///< the caller's, where it is on another device
};

/// Hooks of a model; without it the weights that are offloaded stay on the meta device. The model must live longer.
class Dispatched final : public parallel::UnitHook {
  public:
    Dispatched(const models::Model& model, std::vector<UnitWeights> units, std::uint64_t page_room,
               bool trains = false);
    ~Dispatched() override;
    Dispatched(const Dispatched&) = delete;
    Dispatched& operator=(const Dispatched&) = delete;

    /// Device for the inputs of the model.
    c10::Device first_device() const { return first_device_; }
    bool has_offloaded_params() const;
    /// What each unit uses that is stored elsewhere or in another dtype; empty: nothing is.
    std::vector<UnitWeights> stored() const {
        return prefetcher_ != nullptr ? prefetcher_->units() : std::vector<UnitWeights>();
    }
    PrefetchFigures figures() const { return prefetcher_ ? prefetcher_->figures() : PrefetchFigures{}; }

    void before(parallel::Unit& unit, parallel::Tensors& inputs, parallel::StepContext& context) override;
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;
    void after(parallel::Unit& unit, parallel::Tensors& outputs, parallel::StepContext& context) override;
    void before_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;
    void after_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;

  private:
    bool uses_any(std::size_t unit) const { return prefetcher_ != nullptr && !prefetcher_->units()[unit].uses.empty(); }

    std::vector<parallel::Unit*> units_;
    std::map<const parallel::Unit*, std::size_t> number_;
    std::vector<c10::Device> devices_;
    c10::Device first_device_ = at::kCPU;
    bool trains_;
    std::unique_ptr<Prefetcher> prefetcher_;  ///< null: nothing is offloaded
    MovedContext moved_;
};

/// Where each unit of a model computes: on the accelerator that holds most of its bytes. Its other weights are copied
/// there. Throws UserError for an invalid device.
std::map<const parallel::Unit*, c10::Device> execution_devices(const models::Model& model, const DeviceMap& map,
                                                               const DispatchOptions& options);

/// `offloaded`: what load_checkpoint_in_model() did not place. Weights that a model has already are moved to the device
/// in the map. Throws UserError.
std::unique_ptr<Dispatched> dispatch_model(const models::Model& model, const DeviceMap& device_map,
                                           WeightsMap offloaded = {}, const DispatchOptions& options = {});

/// Keeps all weights in the memory of the processor and copies them to `execution_device` for each unit. The model must
/// have its weights.
std::unique_ptr<Dispatched> cpu_offload(const models::Model& model, c10::Device execution_device,
                                        bool offload_buffers = false);

/// Keeps all weights in `offload_dir`, stored as Accelerate writes them (formats/weights/offload_folder.h). The model
/// has its weights, or the folder does.
std::unique_ptr<Dispatched> disk_offload(const models::Model& model, const std::filesystem::path& offload_dir,
                                         c10::Device execution_device = at::kCPU, bool offload_buffers = false);

/// A whole model that is on its device while it runs and until offload(), or until the next model of the chain runs.
class UserCpuOffloadHook final : public parallel::UnitHook {
  public:
    UserCpuOffloadHook(const models::Model& model, c10::Device device, UserCpuOffloadHook* previous);
    ~UserCpuOffloadHook() override { remove(); }
    UserCpuOffloadHook(const UserCpuOffloadHook&) = delete;
    UserCpuOffloadHook& operator=(const UserCpuOffloadHook&) = delete;

    /// Moves the model to the memory of the processor.
    void offload();
    /// Removes the hook; the weights stay where they are.
    void remove();
    bool is_on_device() const { return on_device_; }

    void before(parallel::Unit& unit, parallel::Tensors& inputs, parallel::StepContext& context) override;
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override;
    void after(parallel::Unit& unit, parallel::Tensors& outputs, parallel::StepContext& context) override;

  private:
    const models::Model& model_;
    c10::Device device_;
    UserCpuOffloadHook* previous_;
    bool on_device_ = false, attached_ = true;
    MovedContext moved_;
};

/// `prev_module_hook`: of the model that runs before this one; it is offloaded when this one runs.
std::unique_ptr<UserCpuOffloadHook> cpu_offload_with_hook(const models::Model& model, c10::Device execution_device,
                                                          UserCpuOffloadHook* prev_module_hook = nullptr);

}  // namespace trainyard::dispatch
