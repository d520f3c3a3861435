// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A user's own torch module with weights that are stored in fewer bits than they are computed in
// (load_and_quantize_model of accelerate.utils.bnb, attach_layerwise_casting_hooks of accelerate.big_modeling):
//
//     auto net = dispatch::init_empty_weights([] { return std::make_shared<Net>(); });
//     auto [model, warnings, skipped] = dispatch::load_and_quantize_model(
//         net, "checkpoints/net", {.load_in_4bit = true, .bnb_4bit_quant_type = "nf4", .torch_dtype = "fp32"});
//     at::Tensor result = model(x);
//
// The module keeps its classes and names. Linear layers have the codes as their weights, as bitsandbytes' have: int8
// [out, in], or uint8 [codes / 2, 1]; such weights are frozen. Call the result, not the module, and keep it as long as
// the module is used. What is trained beside them, such as adapters, is trained by Accelerator::prepare(net), with
// replicas as well as with FSDP and ZeRO; its checkpoints have what is not quantized, and save_quantized_model() writes
// everything.

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <torch/nn/module.h>

#include <trainyard/big_models.h>

#include "inference/dispatch/bnb_config.h"

namespace trainyard::dispatch {

/// A module whose Linear layers are quantized.
template <class Net>
struct QuantizedNet {
    DispatchedNet<Net> model;               ///< to call
    std::vector<Message> warnings;          ///< tensors of the checkpoint that the module lacks, and the like
    std::vector<std::string> skip_modules;  ///< what stays, keep_in_fp32_modules included
};

/// Result of load_and_quantize_in_model().
struct QuantizedWeights {
    std::shared_ptr<ModelHook> hook;        ///< for DispatchedModule::use_stored_weights()
    WeightsMap offloaded;                   ///< for dispatch_model()
    std::vector<Message> warnings;          ///< see QuantizedNet
    std::vector<std::string> skip_modules;  ///< see QuantizedNet
};

/// Reads a checkpoint into a module, Linear layers as codes of 4 or 8 bits. The first step of
/// load_and_quantize_model(). Throws UserError.
QuantizedWeights load_and_quantize_in_model(torch::nn::Module& module, const std::filesystem::path& checkpoint,
                                            const BnbQuantizationConfig& config, const ModuleLoadOptions& options);

/// Reads a checkpoint into a module, which may be empty, and quantizes its Linear layers on the way. A layer stays in
/// torch_dtype if skip_modules names it; without skip_modules the last of several children of the module stays, and
/// layers with tied weights always do. keep_in_fp32_modules stay, too. Of `options` the device map, the folder for what
/// the map puts on disk, and the main device count; the map puts quantized weights on cpu or disk. A folder that was
/// quantized before is read as it is. Throws UserError.
template <class Net>
QuantizedNet<Net> load_and_quantize_model(std::shared_ptr<Net> net, const std::filesystem::path& checkpoint,
                                          const BnbQuantizationConfig& config, const ModuleLoadOptions& options = {}) {
    QuantizedWeights loaded = load_and_quantize_in_model(*net, checkpoint, config, options);
    DispatchedNet<Net> model = dispatch_model(std::move(net), options.device_map.value_or(DeviceMap{{"", "cpu"}}),
                                              options.of_dispatch(), std::move(loaded.offloaded));
    model.hooks().use_stored_weights(std::move(loaded.hook));
    return {std::move(model), std::move(loaded.warnings), std::move(loaded.skip_modules)};
}

/// The sizes that a module has once it is quantized, for resolve_device_map(): `options` with their dtypes.
DeviceMapOptions quantized_map_options(const torch::nn::Module& module, const BnbQuantizationConfig& config,
                                       DeviceMapOptions options = {});

/// Writes all tensors of a module to model.safetensors (shards with an index above `max_shard_bytes`; 0: one file),
/// quantized ones in the layout of bitsandbytes. load_and_quantize_model() reads the same codes again. Throws
/// UserError.
void save_quantized_model(const torch::nn::Module& module, const std::filesystem::path& folder,
                          std::uint64_t max_shard_bytes = 0);

/// The same of a dispatched module, with values for what is stored elsewhere.
void save_quantized_model(const torch::nn::Module& module, const NamedTensors& values,
                          const std::filesystem::path& folder, std::uint64_t max_shard_bytes);
/// The same for a dispatched module, also where a map has parts of it on a disk.
template <class Net>
void save_quantized_model(const DispatchedNet<Net>& model, const std::filesystem::path& folder,
                          std::uint64_t max_shard_bytes = 0) {
    save_quantized_model(*model.operator->(), model.hooks().state_dict(), folder, max_shard_bytes);
}

/// Options of attach_layerwise_casting_hooks() for a user's module.
struct ModuleCasting {
    at::ScalarType storage_dtype = at::kFloat8_e4m3fn;  ///< that weights and biases are stored in
    at::ScalarType compute_dtype = at::kBFloat16;       ///< that they are cast to for each use
    /// Regular expressions (ECMAScript), searched in names of modules: those and what they contain stay.
    std::vector<std::string> skip_modules_pattern = {};
    /// Classes of modules that stay: "Conv2d".
    std::vector<std::string> skip_modules_classes = {};
};

/// Stores weights and biases of the module in storage_dtype. The first step of attach_layerwise_casting_hooks().
/// Throws UserError.
std::shared_ptr<ModelHook> store_weights(torch::nn::Module& module, const ModuleCasting& casting);

/// The device of the module as a map. Throws UserError if its tensors are on several.
DeviceMap place_of_module(const torch::nn::Module& module);

/// Layer-wise casting: weights and biases of Linear layers and convolutions are stored in one dtype and cast to another
/// for each use. They are frozen by it. Tied weights stay. The module must have its weights. Throws UserError.
template <class Net>
DispatchedNet<Net> attach_layerwise_casting_hooks(std::shared_ptr<Net> net, const ModuleCasting& casting = {}) {
    std::shared_ptr<ModelHook> hook = store_weights(*net, casting);
    const DeviceMap place = place_of_module(*net);
    DispatchedNet<Net> model = dispatch_model(std::move(net), place);
    model.hooks().use_stored_weights(std::move(hook));
    return model;
}

}  // namespace trainyard::dispatch
