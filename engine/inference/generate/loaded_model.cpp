// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/loaded_model.h"

#include <algorithm>
#include <optional>
#include <set>

#include <ATen/ops/cat.h>

#include <fmt/format.h>

#include "base/error.h"
#include "checkpoint/checkpoint.h"
#include "config/inputs/start_weights.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/megatron_folder.h"
#include "inference/compiled/compiled_blocks.h"
#include "inference/generate/adapters.h"

namespace trainyard::generate {

namespace fs = std::filesystem;

namespace {

config::ModelRecipe config_of(const fs::path& folder, std::vector<Message>& warnings) {
    config::ModelRecipe recipe;
    recipe.weights = folder.string();
    inputs::SettledModel settled = inputs::settle_model(recipe);
    std::vector<Message> problems;
    for (const inputs::InputProblem& problem : settled.problems)
        problems.push_back(problem.message);
    if (!problems.empty())
        throw UserError(Message::joined(problems));
    warnings.insert(warnings.end(), settled.notes.begin(), settled.notes.end());
    return settled.model;
}

at::ScalarType dtype_of(const std::string& name, const fs::path& folder) {
    if (name == "auto")
        return dispatch::dtype_of_checkpoint(folder);
    const std::optional<at::ScalarType> type = dtype_of_name(name);
    if (!type || (*type != at::kFloat && *type != at::kBFloat16 && *type != at::kHalf))
        throw UserError("dtype '{}' is not supported for computation: use float32, bfloat16, float16 or auto", name);
    return *type;
}

at::ScalarType storage_dtype_of(const std::string& name) {
    const std::optional<at::ScalarType> type = dtype_of_name(name);
    const auto known = {at::kFloat8_e4m3fn, at::kFloat8_e5m2, at::kBFloat16, at::kHalf};
    if (!type || std::ranges::find(known, *type) == known.end())
        throw UserError(
            "storage_dtype '{}' is not supported for weights: use float8_e4m3fn, float8_e5m2, bfloat16 or float16",
            name);
    return *type;
}

/// Throws UserError for placement options with pipeline stages, where each rank places its own stage.
void check_stages(const ModelPlacement& placement, const std::vector<LoadedAdapter>& adapters) {
    if (placement.device_map != "cpu" || !placement.max_memory.empty() || !placement.storage_dtype.empty())
        throw UserError(
            "several processes hold a stage of the model each, in the processor's memory: leave the device map, limits "
            "of memory and the storage dtype out, or use one process");
    for (const LoadedAdapter& adapter : adapters)
        if (changes_base(adapter))
            throw UserError(
                "{} changes weights of the model itself, which only one process does: merge it first "
                "(trainyard merge-adapter)",
                adapter.from.folder.string());
}

/// Changes to weights of the model itself are made in the processor's memory.
void check_placement(const ModelPlacement& placement, const std::vector<LoadedAdapter>& adapters) {
    if (placement.device_map == "cpu" && placement.storage_dtype.empty())
        return;
    for (const LoadedAdapter& adapter : adapters)
        if (changes_base(adapter))
            throw UserError(
                "{} changes weights of the model itself, which only a model in the "
                "processor's memory takes: merge it first (trainyard merge-adapter)",
                adapter.from.folder.string());
}

constexpr const char* kPackage = ".pt2";

/// A package is machine code: one that is only in the folder of a model is not loaded.
std::vector<Message> notes_on_packages(const fs::path& folder, const ModelPlacement& placement) {
    std::vector<Message> notes;
    std::error_code error;
    if (placement.compiled.empty() && placement.compiled_blocks.empty())
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
            if (entry.path().extension() == kPackage)
                notes.push_back(
                    Message("{} is a compiled package, which is code, and is not used: name it with --compiled or "
                            "--compiled-blocks if you trust it",
                            entry.path().string()));
    return notes;
}

}  // namespace

LoadedModel::LoadedModel(const ModelSource& source) {
    std::error_code error;
    if (source.path.extension() == kPackage && fs::is_regular_file(source.path, error))
        throw UserError(
            "{} is a compiled package, which has no config.json and no tokenizer: give the folder of its model, and "
            "the package with --compiled",
            source.path.string());
    if (!fs::exists(source.path, error))
        throw UserError("{}: there is no such folder", source.path.string());
    std::vector<AdapterSource> adapters = source.adapters;
    folder_ = source.path;
    if (!fs::exists(folder_ / "config.json", error) && !fs::exists(folder_ / "adapter_config.json", error) &&
        weights::megatron_folder(folder_).empty())
        folder_ = checkpoint::find(source.path);
    if (!fs::exists(folder_ / "config.json", error) && fs::exists(folder_ / "adapter_config.json", error)) {
        adapters.insert(adapters.begin(), {folder_, 1});
        folders_.push_back(folder_);
        folder_ = base_of_adapter(folder_);
    }
    if (fs::exists(folder_ / "adapter_config.json", error))  // a checkpoint of an adapter that was trained
        adapters.insert(adapters.begin(), {folder_, 1});
    folders_.push_back(folder_);
    config_ = config_of(folder_, warnings_);
    const std::vector<Message> notes = notes_on_packages(folder_, source.placement);
    warnings_.insert(warnings_.end(), notes.begin(), notes.end());
    model_ = models::make_model(config_);
    adapters_ = add_adapters(*model_, adapters);
    for (const LoadedAdapter& adapter : adapters_)
        warnings_.insert(warnings_.end(), adapter.warnings.begin(), adapter.warnings.end());
    place(source);
    use_package(source.placement);
}

LoadedModel::~LoadedModel() = default;

void LoadedModel::open_package(const ModelSource& source) {
    const ModelPlacement& placement = source.placement;
    const bool whole = !placement.compiled.empty();
    if (!whole && placement.compiled_blocks.empty())
        return;
    if (whole && !placement.compiled_blocks.empty())
        throw UserError("a package of the whole model and one of its blocks are given: use one of both");
    if (stages_)
        throw UserError("a compiled package is computed by one process: leave num_processes out");
    if (!placement.storage_dtype.empty())
        throw UserError("a compiled package reads the weights as they are stored: leave storage_dtype out");
    if (!adapters_.empty())
        throw UserError(
            "a compiled package computes without adapters: merge them into the model first (trainyard merge-adapter)");
    std::set<std::string> devices;
    bool is_offloaded = false;
    for (const auto& [module, place] : map_) {
        is_offloaded |= place == "disk" || (place == "cpu" && map_.size() > 1);
        if (place != "cpu" && place != "disk")
            devices.insert(place);
    }
    if (devices.size() > 1 || (whole && (map_.size() > 1 || is_offloaded)))
        throw UserError(
            whole ? Message("a compiled package of the whole model computes with all weights on one device: give it as "
                            "device_map (cpu, 0)")
                  : Message("a compiled package computes on one device, and the device map has several"));
    const std::string kind = placement.accelerator.empty() ? "cuda" : placement.accelerator;
    package_ = std::make_unique<compiled::CompiledModel>(
        whole ? placement.compiled : placement.compiled_blocks,
        devices.empty() ? c10::Device(at::kCPU) : dispatch::device_of(*devices.begin(), kind));
}

void LoadedModel::use_package(const ModelPlacement& placement) {
    if (package_ == nullptr)
        return;
    if (placement.compiled.empty()) {
        compiled_blocks_ = std::make_unique<compiled::CompiledBlocks>(*package_, model_->blocks());
        return;
    }
    package_->use_weights(compiled::weights_of(model_->units()), compiled::values_of(model_->units()));
}

at::Tensor LoadedModel::next_compiled(const at::Tensor& tokens, parallel::KeyValueCache& cache) const {
    // The tokens of the sequences take the place of keys and values: beams reorder both alike.
    parallel::Tensors& seen = cache.entries[nullptr];
    seen = {seen.empty() ? tokens : at::cat({seen.front(), tokens}, 1)};
    cache.length = seen.front().size(1);
    const at::Tensor all = seen.front().to(first_device());
    at::Tensor logits;
    if (compiled_blocks_) {
        parallel::StepContext context;
        context.tokens = all;
        context.training = false;
        context.logits = &logits;
        model_->forward(context);
    } else {
        const parallel::Tensors outputs = package_->run({all});
        if (outputs.empty() || outputs[0].dim() != 3 || outputs[0].size(0) != all.size(0) ||
            outputs[0].size(1) != all.size(1) || outputs[0].size(2) != config_.vocab_size)
            throw UserError(
                "{} does not return logits [batch, seq, {}] for token ids [batch, seq]: compile a module that takes "
                "input_ids and returns the logits",
                package_->package().string(), config_.vocab_size);
        logits = outputs[0];
    }
    return logits.select(1, cache.length - 1).to(at::kFloat).contiguous();
}

void LoadedModel::place(const ModelSource& source) {
    const ModelPlacement& placement = source.placement;
    check_placement(placement, adapters_);
    dispatch::LoadOptions options;
    options.dtype = dtype_of(placement.dtype, folder_);
    if (!placement.storage_dtype.empty())
        options.storage_dtype = storage_dtype_of(placement.storage_dtype);
    options.offload_folder = placement.offload_folder;
    options.offload_buffers = placement.offload_buffers;
    options.accelerator = placement.accelerator.empty() ? "cuda" : placement.accelerator;
    dispatch::DeviceMapOptions limits;
    limits.max_memory = placement.max_memory;
    limits.no_split_module_classes = {placement.no_split_module_classes.begin(),
                                      placement.no_split_module_classes.end()};
    limits.dtype = dtype_name(*options.dtype);
    limits.offload_buffers = placement.offload_buffers;
    limits.accelerator = options.accelerator;
    if (source.ranks != nullptr && source.ranks->size() > 1) {
        check_stages(placement, adapters_);
        stages_ = dispatch::prepare_pippy(*model_, *source.ranks, at::kCPU);
        map_ = stages_->device_map();
    } else {
        dispatch::InferredMap inferred = dispatch::resolve_device_map(*model_, placement.device_map, limits);
        warnings_.insert(warnings_.end(), inferred.warnings.begin(), inferred.warnings.end());
        dispatch::load_devices(inferred.map, options.accelerator, placement.device_library);
        map_ = std::move(inferred.map);
    }
    options.device_map = map_;
    open_package(source);
    load_adapters(adapters_, *options.dtype);
    // Adapters that change the model itself, and layerwise casting, need values.
    if (!stages_ && placement.storage_dtype.empty() && std::ranges::none_of(adapters_, changes_base))
        options.packing = models::Packing{.options = models::packed_options(config_.quantization, *options.dtype)};
    if (stages_) {
        options.offload_state_dict = false;
        std::vector<Message> warnings = dispatch::load_checkpoint_in_model(*model_, folder_, options).warnings;
        warnings_.insert(warnings_.end(), warnings.begin(), warnings.end());
        return;
    }
    dispatch::DispatchedCheckpoint loaded = dispatch::load_checkpoint_and_dispatch(*model_, folder_, options);
    dispatched_ = std::move(loaded.dispatched);
    warnings_.insert(warnings_.end(), loaded.warnings.begin(), loaded.warnings.end());
    change_base(*model_, adapters_);
}

std::int64_t LoadedModel::parameter_count() const {
    std::int64_t count = 0;
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            count += parameter->numel();
    return count;
}

}  // namespace trainyard::generate
