#include "estimate/tree_of_names.h"

#include <algorithm>
#include <map>

namespace trainyard::estimate {

namespace {

bool is_number(const std::string& name) {
    return !name.empty() && name.size() < 10 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// While the tree grows, children are found by name.
struct Branch {
    std::vector<ModuleTensor> tensors;
    std::vector<std::string> order;
    std::map<std::string, Branch> children;

    Branch& at(const std::string& name) {
        auto [found, made] = children.try_emplace(name);
        if (made)
            order.push_back(name);
        return found->second;
    }
};

bool alike(const Module& a, const Module& b) {
    const auto same_tensor = [](const ModuleTensor& x, const ModuleTensor& y) {
        return x.name == y.name && x.shape == y.shape && x.element_bytes == y.element_bytes;
    };
    const auto same_child = [](const Module& x, const Module& y) {
        return x.name == y.name && x.repeat == y.repeat && alike(x, y);
    };
    return std::ranges::equal(a.tensors, b.tensors, same_tensor) &&
           std::ranges::equal(a.children, b.children, same_child);
}

void fill(const Branch& branch, Module& module) {
    module.tensors = branch.tensors;
    std::ranges::sort(module.tensors, {}, &ModuleTensor::name);  // files differ in their order
    std::vector<std::string> order = branch.order;
    std::ranges::sort(order, [](const std::string& a, const std::string& b) {
        return is_number(a) && is_number(b) ? std::stol(a) < std::stol(b) : a < b;
    });
    for (const std::string& name : order) {
        Module child;
        child.name = name;
        child.type = is_number(name) ? kNumbered : "";
        fill(branch.children.at(name), child);
        if (is_number(name) && !module.children.empty()) {
            Module& before = module.children.back();
            if (is_number(before.name) && std::stol(before.name) + before.repeat == std::stol(name) &&
                alike(before, child)) {
                ++before.repeat;
                continue;
            }
        }
        module.children.push_back(std::move(child));
    }
}

}  // namespace

Module tree_of_names(const std::vector<ModuleTensor>& tensors) {
    Branch root;
    for (const ModuleTensor& tensor : tensors) {
        Branch* branch = &root;
        std::size_t begin = 0;
        for (std::size_t dot; (dot = tensor.name.find('.', begin)) != std::string::npos; begin = dot + 1)
            branch = &branch->at(tensor.name.substr(begin, dot - begin));
        branch->tensors.push_back(tensor);
        branch->tensors.back().name = tensor.name.substr(begin);
    }
    Module model;
    fill(root, model);
    return model;
}

}  // namespace trainyard::estimate
