// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/frozen_base.h"

#include <algorithm>

#include "base/error.h"
#include "base/free_memory.h"
#include "config/recipe/memory_checks.h"
#include "distributed/tensors/dtype.h"
#include "inference/dispatch/load_checkpoint.h"

namespace trainyard::train {

bool has_frozen_base(const config::ModelRecipe& recipe) {
    return !recipe.device_map.empty() || config::keeps_quantized(recipe);
}

FrozenBase place_frozen(const models::Model& model, const config::ModelRecipe& recipe,
                        const std::set<const parallel::Parameter*>& elsewhere, at::ScalarType type, c10::Device device,
                        int ranks_here) {
    if (!device.is_cpu() && config::keeps_quantized(recipe))
        throw UserError(
            "quantization.method: weights stay in 4 and 8 bits on processors alone in this version: set it to no, or "
            "start with --cpu");
    if (!device.is_cpu())
        throw UserError(
            "model.device_map: this version stores weights on a disk only for ranks on processors: leave it out, or "
            "start with --cpu");
    dispatch::DeviceMapOptions how;
    how.max_memory = config::max_memory_of(recipe);
    how.dtype = dtype_name(type);
    how.accelerator = "cpu";
    const bool quantized = config::keeps_quantized(recipe);
    dispatch::InferredMap inferred =
        dispatch::resolve_device_map(model, recipe.device_map.empty() ? "cpu" : recipe.device_map, how);
    for (const auto& [name, place] : inferred.map)
        if (place != "cpu" && !dispatch::is_disk(place))
            throw UserError("model.device_map: {}", config::frozen_weights_elsewhere(name, place));
    for (const dispatch::ModelTensor& tensor : dispatch::tensors_of(model))
        if (tensor.parameter != nullptr && !tensor.parameter->trains())
            tensor.place({}, {});
    dispatch::LoadOptions options;
    options.device_map = inferred.map;
    options.dtype = type;
    options.main_device = device;
    options.accelerator = "cpu";
    options.keeps_trained = true;
    options.elsewhere = elsewhere;
    if (quantized) {
        options.packing = models::packing_plan(model, recipe.quantization, type);
        options.keep_in_fp32_modules = recipe.quantization.keep_in_fp32_modules;
    }
    dispatch::LoadedCheckpoint loaded = dispatch::load_checkpoint_in_model(model, recipe.weights, options);
    FrozenBase base;
    base.warnings = std::move(inferred.warnings);
    base.packed = loaded.packed;
    base.warnings.insert(base.warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
    base.on_disk = loaded.packed_on_disk;
    for (const auto& [name, stored] : loaded.offloaded)
        base.on_disk += stored.piece ? stored.piece->bytes : 0;
    dispatch::DispatchOptions where;
    where.main_device = device;
    where.accelerator = "cpu";
    where.keeps_trained = true;
    where.elsewhere = elsewhere;
    // The other half is for activations, gradients and the program.
    where.page_room = available_memory() / 2 / static_cast<std::uint64_t>(std::max(1, ranks_here));
    base.dispatched = dispatch::dispatch_model(model, inferred.map, std::move(loaded.offloaded), where);
    return base;
}

}  // namespace trainyard::train
