// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/spec/module_tree.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/number.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::families {

namespace {

constexpr std::size_t kMostDigits = 9;

std::string joined_name(const std::string& path, const std::string& name) {
    return path.empty() ? name : path + "." + name;
}

bool is_number(const std::string& name) {
    return !name.empty() && name.size() <= kMostDigits &&
           std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t number_of(std::string_view name) {
    return take_number<std::int64_t>(name).value_or(0);
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

class TreeBuilder {
  public:
    TreeBuilder(bool sorted, const LayerCounts& counts) : sorted_(sorted), counts_(counts) {}

    /// `prefix` is in front of the names of children.
    void fill(Branch& branch, Module& module, const std::string& prefix) const {
        module.tensors = std::move(branch.tensors);
        if (sorted_) {
            std::ranges::sort(module.tensors, {}, &ModuleTensor::name);
            std::ranges::sort(branch.order, [](const std::string& a, const std::string& b) {
                return is_number(a) && is_number(b) ? number_of(a) < number_of(b) : a < b;
            });
        }
        std::int64_t count = 0;
        for (const std::string& name : branch.order) {
            Module child;
            child.name = name;
            child.type = is_number(name) ? kNumbered : "";
            fill(branch.children.at(name), child, prefix + name + ".");
            ++count;
            if (Module* before = module.children.empty() ? nullptr : &module.children.back();
                before != nullptr && is_number(name) && is_number(before->name) &&
                number_of(before->name) + before->repeat == number_of(name) && alike(*before, child))
                ++before->repeat;
            else
                module.children.push_back(std::move(child));
        }
        if (const auto all = counts_.find(prefix); all != counts_.end() && !module.children.empty())
            module.children.back().repeat += all->second - count;
    }

  private:
    bool sorted_;
    const LayerCounts& counts_;
};

bool is_end_of(const std::string& end, const std::string& path) {
    return path == end || path.ends_with("." + end);
}

/// Sets the classes of modules, and their order.
void arrange(Module& module, const std::string& path, const ModuleRow& row) {
    const auto below = [&](const Module& child) { return joined_name(path, is_number(child.name) ? "#" : child.name); };
    for (Module& child : module.children) {
        for (const auto& [end, type] : row.no_split)
            if (is_end_of(end, below(child)))
                child.type = type;
        // torch.nn.utils.parametrize: below the tensors is the module that computes the parameter of them.
        if (module.name == "parametrizations" && child.children.empty())
            child.child("0");
        arrange(child, below(child), row);
    }
    for (const std::string& last : row.last) {
        const auto child =
            std::ranges::find_if(module.children, [&](const Module& each) { return is_end_of(last, below(each)); });
        if (child != module.children.end())
            module.children.splice(module.children.end(), module.children, child);
    }
}

void list_parameters(const Module& module, const std::string& path, std::vector<ModuleTensor>& list) {
    for (const ModuleTensor& tensor : module.tensors)
        if (!tensor.buffer) {
            list.push_back(tensor);
            list.back().name = joined_name(path, tensor.name);
        }
    for (const Module& child : module.children)
        for (std::int64_t i = 0; i < child.repeat; ++i)
            list_parameters(child, joined_name(path, module_name_at(child, i)), list);
}

}  // namespace

std::string module_name_at(const Module& module, std::int64_t i) {
    return module.repeat == 1 ? module.name : std::to_string(number_of(module.name) + i);
}

double ModuleTensor::elements() const {
    double count = 1;  // may exceed 64 bits
    for (std::int64_t size : shape)
        count *= static_cast<double>(size);
    return count;
}

Module& Module::child(std::string child_name) {
    children.push_back({std::move(child_name), "", {}, {}, 1});
    return children.back();
}

Module& Module::layers(std::int64_t count) {
    Module& made = child("0");
    made.repeat = std::max<std::int64_t>(count, 0);
    return made;
}

Module& Module::parameter(std::string tensor, Shape shape) {
    tensors.push_back({std::move(tensor), std::move(shape)});
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

std::set<std::string> auto_classes(const Family& family) {
    if (!family.lists_tensors())
        return {};
    std::set<std::string> all{"AutoModel"};
    for (const TaskClass& each : family.tasks())
        all.insert(auto_class(each.task));
    for (const LayerClass& each : family.modules().classes)
        all.insert(each.auto_class);
    return all;
}

ModelTree model_tree(const ModelConfig& model, const std::string& class_name) {
    const Family& family = family_of(model);
    const ModuleRow& row = family.modules();
    const std::string prefix = family.base_prefix(), head_name = family.head_name();
    const auto task =
        std::ranges::find(family.tasks(), class_name, [](const TaskClass& each) { return auto_class(each.task); });
    const auto layer = std::ranges::find(row.classes, class_name, &LayerClass::auto_class);
    const bool trained = task != family.tasks().end(), without_head = class_name == "AutoModel";
    if (!auto_classes(family).contains(class_name))
        throw UserError("{}: model_type '{}' is not known to this version{}", class_name, model.model_type, "");

    ModelConfig config = model;
    config.task = trained ? task->task : family.tasks().front().task;
    config.tie_word_embeddings = false;  // modules have the parameter of a tied head, too
    const auto full_name = [&](const std::string& stored) {
        const std::string name = module_name(stored);
        return without_head && name.starts_with(prefix) ? name.substr(prefix.size()) : name;
    };
    LayerCounts counts;
    for (const auto& [list, count] : family.shorten(config))
        counts[full_name(list)] = count;

    ModelTree tree;
    std::vector<ModuleTensor> tensors;
    for (const TensorShape& tensor : family.module_tensors(config)) {
        if (!trained && (tensor.name == head_name || !tensor.name.starts_with(prefix)))
            continue;
        tensors.push_back({full_name(tensor.name), tensor.shape});
        for (const SharedName& shared : row.shared)
            if (shared.stored == tensor.name && shared.other != head_name)
                tensors.push_back({full_name(shared.other), tensor.shape});
    }
    if (layer != row.classes.end()) {
        const std::int64_t in = config.word_embed_proj_dim > 0 ? config.word_embed_proj_dim : config.n_embd;
        const std::int64_t pooled = config.pooler_output_size > 0 ? config.pooler_output_size : in;
        const std::int64_t out = layer->pools ? pooled : config.num_labels;
        tensors.push_back({layer->layer + ".weight", {out, in}});
        if (layer->bias)
            tensors.push_back({layer->layer + ".bias", {out}});
    }
    for (ModuleTensor& buffer : family.module_buffers(config)) {
        if (!trained && !buffer.name.starts_with(prefix))  // of a head
            continue;
        buffer.name = full_name(buffer.name);
        tensors.push_back(std::move(buffer));
    }

    tree.root = tree_of_names(tensors, false, counts);
    tree.model_class = trained                      ? task->architecture
                       : layer != row.classes.end() ? layer->architecture
                                                    : family.base_architecture();
    finish_tree(tree, row, model.tie_word_embeddings, full_name);
    return tree;
}

void finish_tree(ModelTree& tree, const ModuleRow& row, bool ties,
                 const std::function<std::string(const std::string&)>& full_name) {
    arrange(tree.root, "", row);
    for (const auto& [end, type] : row.no_split)
        tree.no_split.insert(type);
    for (const SharedName& shared : row.shared) {
        const std::string stored = full_name(shared.stored), other = full_name(shared.other);
        if ((shared.if_tied && !ties) || find_parameter(tree.root, stored) == nullptr ||
            find_parameter(tree.root, other) == nullptr)
            continue;
        auto group = std::ranges::find(tree.tied, stored, [](const auto& names) { return names.front(); });
        if (group == tree.tied.end())
            group = tree.tied.insert(group, {stored});
        group->push_back(other);
    }
}

Module tree_of_names(const std::vector<ModuleTensor>& tensors, bool sorted, const LayerCounts& counts) {
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
    TreeBuilder(sorted, counts).fill(root, model, "");
    return model;
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

}  // namespace trainyard::families
