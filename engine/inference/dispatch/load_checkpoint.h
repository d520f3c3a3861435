// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of any checkpoint (formats/weights/weight_source.h) into a model that has none yet, each straight to the
// device that the map names (load_checkpoint_in_model and load_checkpoint_and_dispatch of accelerate). They are read
// tensor by tensor from mapped files, so a checkpoint never has to fit into memory, nor does a shard of it.

#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "inference/dispatch/dispatch_model.h"
#include "models/nn/modules/packing_plan.h"

namespace trainyard::dispatch {

struct LoadOptions {
    std::optional<DeviceMap> device_map = {};  ///< nothing: all on cpu
    /// For weights on disk whose checkpoint cannot be read in place. Weights of safetensors files can, and do not need
    /// it.
    std::filesystem::path offload_folder = {};
    /// That matrices are computed in; nothing: the checkpoint's.
    std::optional<at::ScalarType> dtype = at::kFloat;
    /// Matrices of Linear layers and convolutions that stay on their device are stored in it and cast for each
    /// forward (layerwise casting).
    std::optional<at::ScalarType> storage_dtype = {};
    /// Weights that stay in the processor's memory remain pages of their file where the dtype fits; nothing: where
    /// something is on disk.
    std::optional<bool> offload_state_dict = {};
    bool offload_buffers = false;
    std::vector<std::string> keep_in_fp32_modules = {};  ///< parts of names of what stays fp32
    /// For training beside frozen weights: parameters that are trained are left alone, and tables are looked up in
    /// fp32 whatever `dtype` is.
    bool keeps_trained = false;
    std::set<const parallel::Parameter*> elsewhere = {};  ///< on other ranks: they are not read and have no value here
    /// Matrices that stay in 4 or 8 bits in the memory of the processor, or with their codes on disk; nothing: none do.
    std::optional<models::Packing> packing = {};
    bool strict = false;                          ///< tensors that the model lacks are an error
    std::optional<c10::Device> main_device = {};  ///< dispatch_model.h
    std::string accelerator = "cuda";
};

struct LoadedCheckpoint {
    WeightsMap offloaded;              ///< for dispatch_model()
    std::uint64_t packed = 0;          ///< bytes in memory of weights that stay in 4 or 8 bits
    std::uint64_t packed_on_disk = 0;  ///< bytes of their codes that stay in files
    std::uint64_t mapped = 0;          ///< bytes of weights in memory that are pages of their file
    std::vector<Message> warnings;
};

/// `checkpoint`: a file, a folder, or a model of the hub (org/name), which is downloaded if it is missing. Throws
/// UserError naming the tensors that are missing or do not fit.
LoadedCheckpoint load_checkpoint_in_model(const models::Model& model, const std::filesystem::path& checkpoint,
                                          const LoadOptions& options);

struct DispatchedCheckpoint {
    std::unique_ptr<Dispatched> dispatched;
    std::vector<Message> warnings;
};

/// Both steps. `options.device_map` is the result of resolve_device_map().
DispatchedCheckpoint load_checkpoint_and_dispatch(const models::Model& model, const std::filesystem::path& checkpoint,
                                                  const LoadOptions& options);

/// The floating dtype of most elements of a checkpoint. Throws UserError.
at::ScalarType dtype_of_checkpoint(const std::filesystem::path& checkpoint);

}  // namespace trainyard::dispatch
