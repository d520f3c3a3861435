// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>

#include <trainyard/module_device_map.h>

#include "distributed/tensors/dtype.h"

namespace trainyard::dispatch {

namespace {

/// "torch::nn::LinearImpl" is "Linear", as in Python.
std::string class_of(const torch::nn::Module& module) {
    std::string name = module.name();
    name = name.substr(0, name.find('<'));
    if (const std::size_t colon = name.rfind(':'); colon != std::string::npos)
        name = name.substr(colon + 1);
    if (name.ends_with("Impl"))
        name.resize(name.size() - 4);
    return name;
}

estimate::PartTensor part_tensor(const std::string& name, const at::Tensor& tensor) {
    return {name, tensor.sizes().vec(), dtype_name(tensor.scalar_type())};
}

}  // namespace

estimate::ModelPart module_tree(const torch::nn::Module& module) {
    estimate::ModelPart part{class_of(module), {}, {}, {}};
    for (const auto& item : module.named_parameters(false))
        part.parameters.push_back(part_tensor(item.key(), item.value()));
    for (const auto& item : module.named_buffers(false))
        part.buffers.push_back(part_tensor(item.key(), item.value()));
    for (const auto& item : module.named_children())
        part.children.push_back({item.key(), module_tree(*item.value())});
    return part;
}

std::vector<std::vector<std::string>> find_tied_parameters(const torch::nn::Module& module) {
    std::map<const void*, std::vector<std::string>> names;
    for (const auto& item : module.named_parameters())
        names[item.value().unsafeGetTensorImpl()].push_back(item.key());
    std::vector<std::vector<std::string>> groups;
    for (auto& [tensor, group] : names)
        if (group.size() > 1) {
            std::ranges::sort(group);
            groups.push_back(std::move(group));
        }
    std::ranges::sort(groups);
    return groups;
}

PlacedModel placed_model(const torch::nn::Module& module, const DeviceMapOptions& options) {
    PlacedModel model{module_tree(module), {}};
    model.placement.no_split = options.no_split_module_classes;
    model.placement.dtype = options.dtype;
    model.placement.special_dtypes = options.special_dtypes;
    model.placement.tied = find_tied_parameters(module);
    return model;
}

std::vector<std::pair<std::string, double>> compute_module_sizes(const torch::nn::Module& module,
                                                                 const DeviceMapOptions& options) {
    const PlacedModel model = placed_model(module, options);
    return estimate::part_sizes(model.tree, model.placement);
}

std::pair<double, std::pair<double, std::vector<std::string>>> calculate_maximum_sizes(
    const torch::nn::Module& module, const DeviceMapOptions& options) {
    const PlacedModel model = placed_model(module, options);
    double total = 0;
    for (const auto& [name, bytes] : estimate::part_sizes(model.tree, model.placement))
        if (name.empty())
            total = bytes;
    return {total, estimate::largest_part(model.tree, model.placement)};
}

estimate::DeviceMemory get_balanced_memory(const torch::nn::Module& module, const DeviceMapOptions& options,
                                           bool low_zero) {
    const PlacedModel model = placed_model(module, options);
    return estimate::balanced_memory(model.tree, get_max_memory(options.max_memory, options.accelerator),
                                     model.placement, low_zero);
}

InferredMap infer_auto_device_map(const torch::nn::Module& module, const DeviceMapOptions& options) {
    return infer_auto_device_map(placed_model(module, options), options);
}

InferredMap resolve_device_map(const torch::nn::Module& module, const std::string& choice,
                               const DeviceMapOptions& options) {
    InferredMap result = resolve_device_map(placed_model(module, options), choice, options);
    std::vector<Message> unknown = check_device_map(module, result.map);
    result.warnings.insert(result.warnings.end(), unknown.begin(), unknown.end());
    return result;
}

DeviceMap device_map_of_rank(const DeviceMap& map, int local_rank, int local_ranks) {
    DeviceMap own = map;
    for (auto& [name, place] : own)
        if (place != "cpu" && !is_disk(place)) {
            const int number = device_of(place, "cuda").index() * local_ranks + local_rank;
            const std::size_t colon = place.find(':');  // "1" is number 1 of the accelerators of this machine
            place.replace(colon == std::string::npos ? 0 : colon + 1, std::string::npos, std::to_string(number));
        }
    return own;
}

std::vector<Message> check_device_map(const torch::nn::Module& module, const DeviceMap& map) {
    std::vector<std::vector<std::string>> tensors;
    for (const auto& item : module.named_parameters())
        tensors.push_back({item.key()});
    for (const auto& item : module.named_buffers())
        tensors.push_back({item.key()});
    return check_device_map(map, tensors, [&] { return module_tree(module); });
}

}  // namespace trainyard::dispatch
