// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/operations.h"

#include <algorithm>

#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>

#include "base/error.h"
#include "distributed/tensors/dtype.h"

namespace trainyard {

namespace {

[[noreturn]] void fail_at(const std::string& path, const Message& problem) {
    throw UserError(path.empty() ? problem : Message("{}: {}", path, problem));
}

std::int64_t wrapped(std::int64_t dim, std::int64_t dimensions) {
    return dim < 0 ? dim + dimensions : dim;
}

Tree joined(const std::vector<const Tree*>& trees, std::int64_t dim, const std::string& path) {
    const Tree& first = *trees.front();
    for (const Tree* tree : trees)
        if (std::string_view(tree->kind()) != first.kind())
            fail_at(path, Message("cannot concatenate {} and {}", first.kind(), tree->kind()));
    auto children = [&](auto child) {
        std::vector<const Tree*> result;
        for (const Tree* tree : trees)
            result.push_back(child(*tree));
        return result;
    };
    if (first.is_tensor()) {
        std::vector<at::Tensor> tensors;
        for (const Tree* tree : trees)
            tensors.push_back(tree->as_tensor().dim() == 0 ? tree->as_tensor().unsqueeze(0) : tree->as_tensor());
        return at::cat(tensors, dim);
    }
    if (first.is_list() || first.is_tuple()) {
        std::size_t length = first.items().size();
        for (const Tree* tree : trees)
            if (tree->items().size() != length)
                fail_at(path,
                        first.is_list()
                            ? Message("cannot concatenate lists of {} and {} items", length, tree->items().size())
                            : Message("cannot concatenate tuples of {} and {} items", length, tree->items().size()));
        Tree::List items;
        for (std::size_t i = 0; i < length; ++i)
            items.push_back(joined(children([&](const Tree& tree) { return &tree.items()[i]; }), dim,
                                   path + "[" + std::to_string(i) + "]"));
        return first.is_list() ? Tree::list(std::move(items)) : Tree::tuple(std::move(items));
    }
    if (first.is_dict()) {
        Tree::Dict entries;
        for (const Tree::Entry& entry : first.entries()) {
            std::string place = path.empty() ? to_string(entry.key) : path + "." + to_string(entry.key);
            auto values = children([&](const Tree& tree) {
                const Tree* value = tree.find(entry.key);
                if (value == nullptr || tree.entries().size() != first.entries().size())
                    fail_at(place, "cannot concatenate dicts with different keys");
                return value;
            });
            entries.push_back({entry.key, joined(values, dim, place)});
        }
        return Tree::dict(std::move(entries));
    }
    return first;
}

Tree nested(const at::Tensor& tensor) {
    if (tensor.dim() == 0) {
        if (tensor.scalar_type() == at::kBool)
            return Tree(tensor.item<bool>());
        if (tensor.is_floating_point())
            return Tree(tensor.item<double>());
        return Tree(tensor.item<std::int64_t>());
    }
    Tree::List rows;
    for (std::int64_t i = 0; i < tensor.size(0); ++i)
        rows.push_back(nested(tensor.select(0, i)));
    return Tree::list(std::move(rows));
}

}  // namespace

std::optional<std::int64_t> batch_size_or_none(const Tree& tree) {
    std::optional<std::int64_t> size;
    bool found = false;
    tree.for_each_tensor([&](const std::string&, const at::Tensor& tensor) {
        if (!found && tensor.defined() && tensor.dim() > 0)
            size = tensor.size(0);
        found = true;
    });
    return size;
}

std::int64_t find_batch_size(const Tree& tree) {
    std::optional<std::int64_t> size = batch_size_or_none(tree);
    if (!size)
        throw UserError("a batch of {} has no batch size: its first tensor needs a dimension", tree.structure());
    return *size;
}

Tree concatenate(std::span<const Tree> trees, std::int64_t dim) {
    if (trees.empty())
        throw UserError("nothing to concatenate: give at least one batch");
    std::vector<const Tree*> pointers;
    for (const Tree& tree : trees)
        pointers.push_back(&tree);
    return joined(pointers, dim, {});
}

Tree slice_tensors(const Tree& tree, std::int64_t begin, std::int64_t end) {
    return tree.map_tensors([&](const at::Tensor& tensor) {
        if (!tensor.defined() || tensor.dim() == 0)
            return tensor;
        std::int64_t rows = tensor.size(0);
        std::int64_t first = std::clamp<std::int64_t>(begin < 0 ? begin + rows : begin, 0, rows);
        std::int64_t last = std::clamp<std::int64_t>(end < 0 ? end + rows : end, first, rows);
        return tensor.narrow(0, first, last - first);
    });
}

Tree listify(const Tree& tree) {
    if (tree.is_tensor()) {
        const at::Tensor& tensor = tree.as_tensor();
        if (!tensor.defined())
            return Tree();
        if (tensor.is_complex())
            throw UserError("complex numbers have no place in a list: take their real and imaginary parts first");
        return nested(tensor.detach().cpu());
    }
    Tree copy = tree;
    if (tree.is_list() || tree.is_tuple())
        for (Tree& item : copy.items())
            item = listify(item);
    else if (tree.is_dict())
        for (Tree::Entry& entry : copy.entries())
            entry.value = listify(entry.value);
    return copy;
}

Tree convert_to_fp32(const Tree& tree) {
    return tree.map_tensors([](const at::Tensor& tensor) {
        bool half = tensor.defined() && (tensor.scalar_type() == at::kHalf || tensor.scalar_type() == at::kBFloat16);
        return half ? tensor.to(at::kFloat) : tensor;
    });
}

Tree send_to_device(const Tree& tree, at::Device device, bool non_blocking, std::span<const std::string> skip_keys) {
    if (tree.is_tensor()) {
        const at::Tensor& tensor = tree.as_tensor();
        // The caller reads what is on the processor at once.
        const bool waits = !non_blocking || device.is_cpu();
        return tensor.defined() ? Tree(tensor.to(device, tensor.scalar_type(), !waits)) : tree;
    }
    Tree copy = tree;
    if (tree.is_list() || tree.is_tuple()) {
        for (Tree& item : copy.items())
            item = send_to_device(item, device, non_blocking, skip_keys);
    } else if (tree.is_dict()) {
        for (Tree::Entry& entry : copy.entries())
            if (std::find(skip_keys.begin(), skip_keys.end(), to_string(entry.key)) == skip_keys.end())
                entry.value = send_to_device(entry.value, device, non_blocking, skip_keys);
    }
    return copy;
}

at::Tensor pad_to(const at::Tensor& tensor, std::int64_t dim, std::int64_t size, double value, bool first) {
    dim = wrapped(dim, tensor.dim());
    if (tensor.size(dim) >= size)
        return tensor;
    std::vector<std::int64_t> shape = tensor.sizes().vec();
    shape[static_cast<std::size_t>(dim)] = size;
    at::Tensor padded = at::full(shape, value, tensor.options());
    std::int64_t begin = first ? size - tensor.size(dim) : 0;
    padded.narrow(dim, begin, tensor.size(dim)).copy_(tensor);
    return padded;
}

Tree pad_input(const Tree& tree, std::int64_t batch_size, int processes, std::int64_t dim) {
    std::int64_t padded = (batch_size + processes - 1) / processes * processes;
    return tree.map_tensors([&](const at::Tensor& tensor) {
        if (!tensor.defined())
            return tensor;
        std::int64_t place = wrapped(dim, tensor.dim());
        if (place < 0 || place >= tensor.dim() || tensor.size(place) != batch_size || batch_size == 0 ||
            padded == batch_size)
            return tensor;
        at::Tensor last = tensor.narrow(place, batch_size - 1, 1);
        std::vector<std::int64_t> shape = last.sizes().vec();
        shape[static_cast<std::size_t>(place)] = padded - batch_size;
        return at::cat({tensor, last.expand(shape)}, place);
    });
}

}  // namespace trainyard
