// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/load_and_quantize.h"

#include <algorithm>
#include <utility>

#include <ATen/core/grad_mode.h>

#include "formats/weights/quantization/module_choice.h"
#include "inference/dispatch/packed_weights.h"
#include "models/nn/quantization/packed_kernel.h"
#include "models/spec/family.h"

namespace trainyard::dispatch {

QuantizedModel load_and_quantize_model(const models::Model& model, const std::filesystem::path& weights_location,
                                       const BnbQuantizationConfig& config, LoadOptions options) {
    QuantizedModel result;
    result.warnings = check_bnb_config(config);
    check_places_of_packed(options.device_map.value_or(DeviceMap{}), options.accelerator);
    std::vector<std::string> modules;
    for (const ModelTensor& tensor : tensors_of(model))
        if (tensor.parameter != nullptr && models::can_pack(*tensor.parameter, model))
            modules.push_back(tensor.name.substr(0, tensor.name.rfind('.')));
    const std::string head_weight = families::family_of(model.config()).head_name(),
                      head = head_weight.substr(0, head_weight.rfind('.'));
    result.skip_modules = config.skip_modules.value_or(head.empty() ? std::vector<std::string>() : std::vector{head});
    std::ranges::copy(config.keep_in_fp32_modules, std::back_inserter(result.skip_modules));
    std::vector<models::ModuleChoice> rows;
    for (const std::string& module : modules)
        if (quantization::is_skipped(module, result.skip_modules))
            rows.push_back({.pattern = module, .kernel = "dense"});
    rows.push_back({.pattern = "*", .kernel = config.method()});
    options.dtype = config.type();
    options.storage_dtype = {};
    options.keep_in_fp32_modules = config.keep_in_fp32_modules;
    models::Packing packing{.plan = models::ModulePlan(std::move(rows)),
                            .options = {.result = config.type(), .threshold = config.llm_int8_threshold},
                            .double_quant = config.bnb_4bit_use_double_quant,
                            .rounded = config.type()};
    if (config.load_in_4bit)
        packing.options.compute = config.compute_type();
    options.packing = std::move(packing);
    DispatchedCheckpoint loaded = load_checkpoint_and_dispatch(model, weights_location, options);
    result.dispatched = std::move(loaded.dispatched);
    std::ranges::move(loaded.warnings, std::back_inserter(result.warnings));
    return result;
}

void save_quantized_model(const models::Model& model, const std::filesystem::path& folder,
                          std::uint64_t max_shard_bytes) {
    const at::NoGradGuard no_grad;
    HeldTensors held;
    for (const ModelTensor& tensor : tensors_of(model)) {
        if (tensor.parameter == nullptr || tensor.is_adapter())
            continue;
        const parallel::MatrixKernel* kernel = tensor.parameter->kernel();
        if (const auto* packed = dynamic_cast<const models::PackedKernel*>(kernel)) {
            held.take(tensor.name, packed->weight());
            continue;
        }
        const auto* cast = dynamic_cast<const models::CastKernel*>(kernel);
        held.take(tensor.name, cast != nullptr                        ? cast->stored()
                               : tensor.parameter->shape().size() < 2 ? tensor.parameter->compute()
                                                                      : tensor.parameter->value());
    }
    held.write(folder, max_shard_bytes);
}

}  // namespace trainyard::dispatch
