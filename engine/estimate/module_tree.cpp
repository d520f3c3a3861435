#include "estimate/module_tree.h"

#include <algorithm>

#include "base/number.h"

namespace trainyard::estimate {

namespace {

constexpr std::int64_t kMostNames = 1000;

std::string joined(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

std::int64_t number_of(std::string_view name) {
    return take_number<std::int64_t>(name).value_or(0);
}

std::string name_of(const Module& module, std::int64_t i) {
    return module.repeat == 1 ? module.name : std::to_string(number_of(module.name) + i);
}

void add_tensors(const Module& module, double count, TreeSizes& sizes) {
    for (const ModuleTensor& tensor : module.tensors) {
        sizes.bytes += count * tensor.elements() * tensor.element_bytes;
        sizes.parameters += tensor.buffer ? 0 : count * tensor.elements();
    }
    for (const Module& child : module.children)
        add_tensors(child, count * static_cast<double>(child.repeat), sizes);
}

double bytes_of(const Module& module) {
    TreeSizes sizes;
    add_tensors(module, 1, sizes);
    return sizes.bytes;
}

void find_layers(const Module& module, const std::string& path, const std::set<std::string>& no_split,
                 TreeSizes& sizes) {
    for (const Module& child : module.children)
        for (std::int64_t i = 0; i < std::min(child.repeat, kMostNames); ++i) {
            const std::string name = joined(path, name_of(child, i));
            if (!child.children.empty() && !no_split.contains(child.type)) {
                find_layers(child, name, no_split, sizes);
                continue;
            }
            const double bytes = bytes_of(child);
            if (bytes > sizes.largest_layer)
                sizes.layers.clear();
            if (bytes >= sizes.largest_layer) {
                sizes.largest_layer = bytes;
                sizes.layers.push_back(name);
            }
        }
}

void list_parameters(const Module& module, const std::string& path, std::vector<ModuleTensor>& list) {
    for (const ModuleTensor& tensor : module.tensors)
        if (!tensor.buffer) {
            list.push_back(tensor);
            list.back().name = joined(path, tensor.name);
        }
    for (const Module& child : module.children)
        for (std::int64_t i = 0; i < child.repeat; ++i)
            list_parameters(child, joined(path, name_of(child, i)), list);
}

}  // namespace

double ModuleTensor::elements() const {
    double count = 1;  // may exceed 64 bits
    for (std::int64_t size : shape)
        count *= static_cast<double>(size);
    return count;
}

Module& Module::child(std::string child_name, std::string child_type) {
    children.push_back({std::move(child_name), std::move(child_type), {}, {}, 1});
    return children.back();
}

Module& Module::layers(std::int64_t count, std::string child_type, std::int64_t first) {
    Module& made = child(std::to_string(first), std::move(child_type));
    made.repeat = std::max<std::int64_t>(count, 0);
    return made;
}

Module& Module::parameter(std::string tensor, Shape shape) {
    tensors.push_back({std::move(tensor), std::move(shape), false, 4});
    return *this;
}

Module& Module::buffer(std::string tensor, Shape shape, int element_bytes) {
    tensors.push_back({std::move(tensor), std::move(shape), true, element_bytes});
    return *this;
}

void Module::linear(const std::string& child_name, std::int64_t in, std::int64_t out, bool bias) {
    Module& made = child(child_name).parameter("weight", {out, in});
    if (bias)
        made.parameter("bias", {out});
}

void Module::embedding(const std::string& child_name, std::int64_t rows, std::int64_t width) {
    child(child_name).parameter("weight", {rows, width});
}

void Module::norm(const std::string& child_name, std::int64_t width, bool bias) {
    Module& made = child(child_name).parameter("weight", {width});
    if (bias)
        made.parameter("bias", {width});
}

void Module::conv(const std::string& child_name, std::int64_t in, std::int64_t out, Shape kernel, bool bias) {
    kernel.insert(kernel.begin(), {out, in});
    Module& made = child(child_name).parameter("weight", std::move(kernel));
    if (bias)
        made.parameter("bias", {out});
}

TreeSizes sizes_of(const Module& model, const std::set<std::string>& no_split) {
    TreeSizes sizes;
    add_tensors(model, 1, sizes);
    find_layers(model, "", no_split, sizes);
    return sizes;
}

std::vector<ModuleTensor> parameters_of(const Module& model) {
    std::vector<ModuleTensor> list;
    list_parameters(model, "", list);
    return list;
}

const ModuleTensor* find_parameter(const Module& model, const std::string& name) {
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) {
        for (const ModuleTensor& tensor : model.tensors)
            if (!tensor.buffer && tensor.name == name)
                return &tensor;
        return nullptr;
    }
    const std::string first = name.substr(0, dot);
    for (const Module& child : model.children) {
        const std::int64_t number = number_of(first), from = number_of(child.name);
        if (child.name == first || (child.repeat > 1 && number >= from && number < from + child.repeat))
            return find_parameter(child, name.substr(dot + 1));
    }
    return nullptr;
}

}  // namespace trainyard::estimate
