// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/model_device_map.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/free_memory.h"
#include "base/memory_size.h"
#include "base/number.h"
#include "base/nvml.h"
#include "distributed/parallel/load_device.h"
#include "inference/dispatch/stored_weights.h"
#include "models/spec/module_tree.h"
#include "models/spec/tasks.h"

namespace trainyard::dispatch {

namespace fs = std::filesystem;

namespace {

estimate::ModelPart part_of(const families::Module& module) {
    estimate::ModelPart part{module.type, {}, {}, {}};
    for (const families::ModuleTensor& tensor : module.tensors)
        (tensor.buffer ? part.buffers : part.parameters)
            .push_back({tensor.name, tensor.shape, tensor.element_bytes == 8 ? "int64" : "float32"});
    for (const families::Module& child : module.children)
        for (std::int64_t i = 0; i < child.repeat; ++i)
            part.children.emplace_back(families::module_name_at(child, i), part_of(child));
    return part;
}

families::ModelTree tree_of(const models::Model& model) {
    return families::model_tree(model.config(), families::auto_class(model.config().task));
}

std::optional<int> number_of(const std::string& text) {
    return parse_number<int>(text, 0, 1'000);
}

/// Of a device name with or without a kind: its number, where it has one.
std::string key_of(const std::string& device) {
    const std::size_t colon = device.find(':');
    if (colon != std::string::npos && number_of(device.substr(colon + 1)))
        return device.substr(colon + 1);
    return device;
}

void add_modules(const estimate::ModelPart& part, const std::string& name, std::set<std::string>& names) {
    names.insert(name);
    for (const auto& [own, child] : part.children)
        add_modules(child, name.empty() ? own : name + "." + own, names);
}

}  // namespace

estimate::ModelPart module_tree(const models::Model& model) {
    return part_of(tree_of(model).root);
}

estimate::PlacementOptions placement_options(const models::Model& model, const DeviceMapOptions& options) {
    estimate::PlacementOptions placement;
    families::ModelTree tree = tree_of(model);
    placement.no_split = std::move(tree.no_split);
    placement.no_split.insert(options.no_split_module_classes.begin(), options.no_split_module_classes.end());
    placement.tied = std::move(tree.tied);
    placement.dtype = options.dtype;
    placement.special_dtypes = options.special_dtypes;
    return placement;
}

estimate::DeviceMemory get_max_memory(const std::map<std::string, std::string>& given, const std::string& accelerator) {
    estimate::DeviceMemory limits;
    for (const auto& [device, size] : given) {
        const std::string key = key_of(device);
        if (!number_of(key) && key != "cpu" && key != "disk" && key != "mps")
            throw UserError("max_memory: '{}' is not a device: give numbers of accelerators, cpu or disk", device);
        try {
            limits[key] = static_cast<double>(parse_memory_size(size));
        } catch (const UserError&) {
            const std::optional<double> bytes = parse_number<double>(size, 0.0);
            if (!bytes)
                throw UserError("max_memory: {}={} is not a size: give one such as 200MB or 10GiB", device, size);
            limits[key] = *bytes;
        }
    }
    if (!limits.empty())
        return limits;
    if (accelerator == "cuda") {
        int number = 0;
        for (const GpuReading& gpu : Nvml().read()) {
            if (gpu.memory_total_bytes)
                limits[std::to_string(number)] =
                    static_cast<double>(*gpu.memory_total_bytes) - static_cast<double>(gpu.memory_bytes.value_or(0));
            ++number;
        }
    } else if (accelerator != "cpu") {
        throw UserError(
            "how much memory the devices '{}' have is not known: give it with max_memory, such as "
            "0=10GiB",
            accelerator);
    }
    limits["cpu"] = static_cast<double>(available_memory());
    return limits;
}

namespace {

InferredMap infer_within(const PlacedModel& model, estimate::DeviceMemory limits, bool balanced, bool low_zero,
                         const DeviceMapOptions& options) {
    if (balanced)
        limits = estimate::balanced_memory(model.tree, limits, model.placement, low_zero);
    estimate::DeviceMapOptions all;
    static_cast<estimate::PlacementOptions&>(all) = model.placement;
    all.clean = options.clean_result;
    all.offload_buffers = options.offload_buffers;
    all.fallback = options.fallback_allocation;
    estimate::DeviceMap inferred = estimate::infer_device_map(model.tree, limits, all);
    return {std::move(inferred.devices), std::move(inferred.warnings)};
}

bool is_inferred(const std::string& choice) {
    return choice == "auto" || choice == "balanced" || choice == "balanced_low_0" || choice == "sequential";
}

PlacedModel placed(const models::Model& model, const DeviceMapOptions& options) {
    return {module_tree(model), placement_options(model, options)};
}

}  // namespace

InferredMap infer_auto_device_map(const PlacedModel& model, const DeviceMapOptions& options) {
    return infer_within(model, get_max_memory(options.max_memory, options.accelerator), false, false, options);
}

InferredMap infer_auto_device_map(const models::Model& model, const DeviceMapOptions& options) {
    return infer_auto_device_map(placed(model, options), options);
}

InferredMap resolve_device_map(const PlacedModel& model, const std::string& choice, const DeviceMapOptions& options) {
    if (is_inferred(choice))
        return infer_within(model, get_max_memory(options.max_memory, options.accelerator), choice != "sequential",
                            choice == "balanced_low_0", options);
    InferredMap result;
    std::error_code error;
    if (choice == "cpu" || choice == "disk" || number_of(key_of(choice)))
        result.map[""] = choice;
    else if (fs::is_regular_file(choice, error))
        result.map = config::read_device_map(choice);
    else
        throw UserError(
            "device_map '{}' is neither auto, balanced, balanced_low_0, sequential, a device (cpu, "
            "disk, 0, cuda:1), nor a JSON file with a map",
            choice);
    if (!options.max_memory.empty())
        result.warnings.push_back(
            "max_memory has no effect on a device map that is given: it limits auto, balanced, balanced_low_0 and "
            "sequential");
    return result;
}

InferredMap resolve_device_map(const models::Model& model, const std::string& choice, const DeviceMapOptions& options) {
    if (is_inferred(choice))
        return resolve_device_map(placed(model, options), choice, options);
    InferredMap result = resolve_device_map(PlacedModel{}, choice, options);
    std::vector<Message> unknown = check_device_map(model, result.map);
    result.warnings.insert(result.warnings.end(), unknown.begin(), unknown.end());
    return result;
}

std::string place_of(const ModelTensor& tensor, const DeviceMap& map) {
    const auto as_module = config::place_in(map, tensor.module_name()), as_file = config::place_in(map, tensor.name);
    const auto& best = as_module == map.end() || as_module->first.empty() ? as_file : as_module;
    return best == map.end() ? std::string() : best->second;
}

std::vector<Message> check_device_map(const models::Model& model, const DeviceMap& map) {
    std::vector<std::vector<std::string>> tensors;
    for (const ModelTensor& tensor : tensors_of(model))
        if (!tensor.is_adapter())
            tensors.push_back({tensor.name, tensor.module_name()});
    return check_device_map(map, tensors, [&] { return module_tree(model); });
}

std::vector<Message> check_device_map(const DeviceMap& map, const std::vector<std::vector<std::string>>& tensors,
                                      const std::function<estimate::ModelPart()>& modules) {
    std::vector<std::string> without;
    std::vector<Message> notes;
    for (const auto& [name, place] : map)
        if (!is_disk(place))
            device_of(place, "cuda");
    std::set<std::string> paths{""};
    for (const std::vector<std::string>& names : tensors) {
        if (std::ranges::all_of(names,
                                [&](const std::string& name) { return config::place_in(map, name) == map.end(); }))
            without.push_back(names.front());
        for (const std::string& name : names) {
            for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
                paths.insert(name.substr(0, dot));
            paths.insert(name);
        }
    }
    if (!without.empty())
        throw UserError("the device map says of {} tensors not where they are: {}", without.size(), first_of(without));
    std::vector<std::string> others;
    for (const auto& [name, place] : map)
        if (!paths.contains(name))
            others.push_back(name);
    if (others.empty())
        return notes;
    std::set<std::string> known;  // modules without weights of their own, and heads that are tied
    add_modules(modules(), "", known);
    for (const std::string& name : others)
        if (!known.contains(name))
            notes.push_back(Message("the device map names '{}', which the model does not have", name));
    return notes;
}

bool is_disk(const std::string& place) {
    return place == "disk";
}

c10::Device device_of(const std::string& place, const std::string& accelerator) {
    if (place == "cpu" || is_disk(place))
        return at::kCPU;
    const std::string key = key_of(place);
    const std::optional<int> number = number_of(key);
    const std::string kind = place.find(':') != std::string::npos ? place.substr(0, place.find(':')) : accelerator;
    if (!number || kind.empty() || kind == "cpu")
        throw UserError(
            "the device map names the device '{}': devices are numbers of accelerators, "
            "also as cuda:0, cpu and disk",
            place);
    if (kind == "cuda")
        return {at::kCUDA, static_cast<c10::DeviceIndex>(*number)};
    return {c10::DeviceType::PrivateUse1, static_cast<c10::DeviceIndex>(*number)};
}

void load_devices(const DeviceMap& map, const std::string& accelerator, const std::string& library) {
    std::set<std::string> loaded;
    for (const auto& [name, place] : map) {
        if (place == "cpu" || is_disk(place) || !loaded.insert(place).second)
            continue;
        const c10::Device device = device_of(place, accelerator);
        const std::string kind = place.find(':') != std::string::npos ? place.substr(0, place.find(':')) : accelerator;
        parallel::load_device(kind, device.index(), kind == "cuda" ? "" : library);
    }
}

}  // namespace trainyard::dispatch
