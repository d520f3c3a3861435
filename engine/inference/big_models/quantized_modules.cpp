// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <span>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>

#include <fmt/ranges.h>
#include <trainyard/device_placement.h>
#include <trainyard/quantized_modules.h>

#include "base/error.h"
#include "checkpoint/weights.h"
#include "distributed/tensors/dtype.h"
#include "formats/hub/fetch.h"
#include "formats/weights/quantization/module_choice.h"
#include "formats/weights/quantization/quantized_source.h"
#include "inference/big_models/own_tensors.h"
#include "inference/dispatch/layerwise_casting.h"
#include "inference/dispatch/packed_weights.h"
#include "models/nn/quantization/linear_kernels.h"

namespace trainyard::dispatch {

namespace {

using Kernels = std::vector<std::shared_ptr<models::KernelOfWeight>>;

/// Around the forward of a module with such weights.
class StoredWeightsHook final : public ModelHook {
  public:
    explicit StoredWeightsHook(Kernels kernels) : kernels_(std::move(kernels)) {}
    parallel::Tensors around(parallel::Unit& unit, const parallel::Tensors& inputs, parallel::StepContext& context,
                             const parallel::UnitForward& forward) override {
        const std::shared_ptr<void> scope = models::linear_kernel_scope();
        return ModelHook::around(unit, inputs, context, forward);
    }

  private:
    Kernels kernels_;
};

/// Gives a tensor other data of another type, in place: every other handle of the tensor sees it.
void replace_typed(at::Tensor& tensor, const at::Tensor& data) {
    tensor.set_requires_grad(false);
    tensor.set_data(at::empty({0}, tensor.options().dtype(data.scalar_type())));
    accelerator::replace_data(tensor, data);
}

struct NamedLinear {
    std::string name;  ///< of the layer
    at::Tensor weight;
};

/// Linear layers whose weight has no other name.
std::vector<NamedLinear> untied_linear_layers(const torch::nn::Module& module) {
    std::map<const void*, int> names;
    for (const auto& item : module.named_parameters())
        ++names[item.value().unsafeGetTensorImpl()];
    std::vector<NamedLinear> layers;
    for (const auto& item : module.named_modules())
        if (const auto* linear = dynamic_cast<const torch::nn::LinearImpl*>(item.value().get()))
            if (names[linear->weight.unsafeGetTensorImpl()] == 1)
                layers.push_back({item.key(), linear->weight});
    return layers;
}

std::string name_of_weight(const NamedLinear& layer) {
    return layer.name.empty() ? "weight" : layer.name + ".weight";
}

std::vector<std::string> modules_to_skip(const torch::nn::Module& module, const BnbQuantizationConfig& config) {
    std::vector<std::string> skipped = config.skip_modules.value_or(std::vector<std::string>());
    if (!config.skip_modules) {
        std::vector<std::string> children;
        for (const auto& item : module.named_children())
            children.push_back(item.key());
        if (children.size() > 1)  // else nothing would be quantized
            skipped = quantization::default_skip_modules(children, {}, "");
    }
    std::ranges::copy(config.keep_in_fp32_modules, std::back_inserter(skipped));
    return skipped;
}

/// The codes of a matrix as files have them: int8 [out, in], or uint8 [codes / 2, 1].
at::Tensor codes_tensor(const quantization::PackedMatrix& matrix, std::span<const std::byte> bytes,
                        std::shared_ptr<const void> keeper) {
    const std::vector<std::int64_t> shape = matrix.is_int8()
                                                ? std::vector{matrix.rows(), matrix.columns()}
                                                : std::vector<std::int64_t>{static_cast<std::int64_t>(bytes.size()), 1};
    return at::from_blob(
        const_cast<std::byte*>(bytes.data()), shape, [keeper = std::move(keeper)](void*) mutable { keeper.reset(); },
        at::TensorOptions().dtype(matrix.is_int8() ? at::kChar : at::kByte));
}

/// Moves the codes to memory that the tensor of the layer shares.
at::Tensor codes_in_memory(quantization::PackedMatrix& matrix, const std::string& name) {
    for (const quantization::StoredTensor& part : matrix.stored(name))
        if (part.name == name) {
            auto bytes = std::make_shared<std::vector<std::byte>>(part.bytes);
            matrix.place_codes(*bytes, bytes);
            return codes_tensor(matrix, *bytes, bytes);
        }
    throw UserError("{} has no codes", name);
}

bool is_cast_module(const torch::nn::Module& module) {
    return dynamic_cast<const torch::nn::LinearImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::Conv1dImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::Conv2dImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::Conv3dImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::ConvTranspose1dImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::ConvTranspose2dImpl*>(&module) != nullptr ||
           dynamic_cast<const torch::nn::ConvTranspose3dImpl*>(&module) != nullptr;
}

}  // namespace

QuantizedWeights load_and_quantize_in_model(torch::nn::Module& module, const std::filesystem::path& checkpoint,
                                            const BnbQuantizationConfig& config, const ModuleLoadOptions& options) {
    const at::NoGradGuard no_grad;
    QuantizedWeights result;
    result.warnings = check_bnb_config(config);
    const DeviceMap map = options.device_map.value_or(DeviceMap{{"", "cpu"}});
    check_places_of_packed(map, options.accelerator);
    result.skip_modules = modules_to_skip(module, config);
    std::vector<NamedLinear> layers = untied_linear_layers(module);
    std::erase_if(layers, [&](const NamedLinear& layer) {
        return models::is_stored_weight(layer.weight) || quantization::is_skipped(layer.name, result.skip_modules);
    });
    if (layers.empty())
        throw UserError(
            "the module has no Linear layer to quantize: name fewer in skip_modules and keep_in_fp32_modules, or load "
            "it with load_checkpoint_and_dispatch()");
    const std::unique_ptr<weights::WeightSource> source =
        quantization::dequantized(weights::open_first_model(hub::model_folder(checkpoint.string())));
    std::map<std::string, std::size_t> stored;
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        stored.emplace(source->tensors()[i].name, i);
    const bool is_quantized = has_packed(*source);
    DiskTensors on_disk(options.offload_folder, checkpoint, source->kind());
    Kernels kernels;
    for (NamedLinear& layer : layers) {
        const std::string name = name_of_weight(layer);
        const auto found = stored.find(name);
        if (found == stored.end() || layer.weight.sizes() != at::IntArrayRef(source->tensors()[found->second].shape))
            continue;  // load_checkpoint_in_model() names all that do not fit
        const std::size_t tensor = found->second;
        const at::ScalarType type = checkpoint::stored_type(source->tensors()[tensor].dtype, name);
        const std::shared_ptr<quantization::PackedMatrix> matrix =
            packed_weight({.name = name, .shape = layer.weight.sizes().vec()},
                          {.method = config.method(), .double_quant = config.bnb_4bit_use_double_quant}, config.type(),
                          *source, is_quantized, tensor, type);
        if (matrix == nullptr)
            continue;
        const auto place = config::place_in(map, name);
        if (place != map.end() && is_disk(place->second)) {
            const std::shared_ptr<files::MappedRange> pages =
                leave_codes_on_disk(*matrix, *source, tensor, name, on_disk);
            replace_typed(layer.weight, codes_tensor(*matrix, pages->bytes(), pages));
        } else {
            replace_typed(layer.weight, codes_in_memory(*matrix, name));
        }
        kernels.push_back(models::set_kernel(
            layer.weight, std::make_shared<models::PackedLinear>(
                              matrix, config.load_in_4bit ? std::optional(config.compute_type()) : std::nullopt,
                              config.llm_int8_threshold)));
    }
    on_disk.finish();
    ModuleLoadOptions others = options;
    others.dtype = config.type();
    others.keep_in_fp32_modules = config.keep_in_fp32_modules;
    LoadedModule loaded = load_checkpoint_in_model(module, checkpoint, others);
    result.offloaded = std::move(loaded.offloaded);
    std::ranges::move(loaded.warnings, std::back_inserter(result.warnings));
    result.hook = std::make_shared<StoredWeightsHook>(std::move(kernels));
    return result;
}

DeviceMapOptions quantized_map_options(const torch::nn::Module& module, const BnbQuantizationConfig& config,
                                       DeviceMapOptions options) {
    const std::vector<std::string> skipped = modules_to_skip(module, config);
    std::set<std::string> packed;
    for (const NamedLinear& layer : untied_linear_layers(module))
        if (!quantization::is_skipped(layer.name, skipped))
            packed.insert(name_of_weight(layer));
    options.dtype = config.load_in_8bit ? "int8" : "int4";
    for (const OwnTensor& own : own_tensors(module))
        for (const std::string& name : own.names)
            if (!packed.contains(name) && at::isFloatingType(own.tensor.scalar_type())) {
                const bool in_fp32 = std::ranges::any_of(config.keep_in_fp32_modules, [&](const std::string& part) {
                    return name.find(part) != std::string::npos;
                });
                options.special_dtypes[name] = dtype_name(in_fp32 ? at::kFloat : config.type());
            }
    return options;
}

void save_quantized_model(const torch::nn::Module& module, const std::filesystem::path& folder,
                          std::uint64_t max_shard_bytes) {
    NamedTensors values;
    for (const OwnTensor& own : own_tensors(module))
        values.emplace_back(own.names.front(), own.tensor);
    save_quantized_model(module, values, folder, max_shard_bytes);
}

void save_quantized_model(const torch::nn::Module& module, const NamedTensors& values,
                          const std::filesystem::path& folder, std::uint64_t max_shard_bytes) {
    const at::NoGradGuard no_grad;
    const std::map<std::string, at::Tensor> by_name(values.begin(), values.end());
    HeldTensors held;
    for (const OwnTensor& own : own_tensors(module))
        held.take(own.names.front(), by_name.at(own.names.front()));
    for (const OwnTensor& own : stored_tensors(module)) {
        const std::shared_ptr<models::KernelOfWeight> entry = models::kernel_of(own.tensor);
        const auto* packed = dynamic_cast<const models::PackedLinear*>(&entry->kernel());
        if (packed != nullptr)
            held.take(own.names.front(), packed->matrix());
        else
            held.take(own.names.front(), own.tensor);
    }
    held.write(folder, max_shard_bytes);
}

std::shared_ptr<ModelHook> store_weights(torch::nn::Module& module, const ModuleCasting& casting) {
    const at::NoGradGuard no_grad;
    check_casting(casting.storage_dtype, casting.compute_dtype);
    const std::vector<std::regex> patterns = skip_patterns(casting.skip_modules_pattern);
    std::map<const void*, int> names;
    for (const auto& item : module.named_parameters())
        ++names[item.value().unsafeGetTensorImpl()];
    std::vector<std::pair<std::string, at::Tensor>> chosen;
    for (const auto& item : module.named_modules()) {
        if (!is_cast_module(*item.value()) || is_spared(item.key() + ".", patterns) ||
            std::ranges::find(casting.skip_modules_classes, module_tree(*item.value()).type) !=
                casting.skip_modules_classes.end())
            continue;
        for (const auto& own : item.value()->named_parameters(false))
            if (names[own.value().unsafeGetTensorImpl()] == 1)
                chosen.emplace_back(item.key().empty() ? own.key() : item.key() + "." + own.key(), own.value());
    }
    if (chosen.empty())
        throw UserError("layerwise casting: the module has no Linear layer or convolution that is not skipped");
    for (const auto& [name, tensor] : chosen)
        if (tensor.is_meta())
            throw UserError("{} has no value yet: load a checkpoint before its weights are cast", name);
    Kernels kernels;
    for (auto& [name, tensor] : chosen) {
        if (models::is_stored_weight(tensor))
            continue;
        replace_typed(tensor, tensor.detach().to(casting.storage_dtype));
        kernels.push_back(models::set_kernel(tensor, std::make_shared<models::CastWeight>(casting.compute_dtype)));
    }
    return std::make_shared<StoredWeightsHook>(std::move(kernels));
}

DeviceMap place_of_module(const torch::nn::Module& module) {
    std::set<std::string> places;
    for (const auto& item : module.named_parameters())
        places.insert(item.value().device().str());
    for (const auto& item : module.named_buffers())
        places.insert(item.value().device().str());
    if (places.size() > 1)
        throw UserError("the tensors of the module are on {}: move the module to one device first",
                        fmt::join(places, ", "));
    return {{"", places.empty() ? "cpu" : *places.begin()}};
}

}  // namespace trainyard::dispatch
