// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <functional>

#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>

#include "base/error.h"
#include "data/dataset.h"

namespace trainyard::data {

namespace {

using SampleColumn = std::vector<const Tree*>;

Tree collate_column(const SampleColumn& column, const std::string& path);

/// `path` is the place of the problem in the sample.
[[noreturn]] void fail(const std::string& path, const Message& problem) {
    throw UserError(path.empty() ? problem : Message("at '{}': {}", path, problem));
}

Tree stacked(const SampleColumn& column, const std::string& path) {
    std::vector<at::Tensor> tensors;
    tensors.reserve(column.size());
    const at::Tensor& first = column[0]->as_tensor();
    for (const Tree* sample : column) {
        const at::Tensor& tensor = sample->as_tensor();
        if (tensor.sizes() != first.sizes() || tensor.scalar_type() != first.scalar_type())
            fail(path,
                 "samples of one batch differ in shape or dtype: pad them, or give the loader a collate function");
        tensors.push_back(tensor);
    }
    return at::stack(tensors);
}

template <class Number>
Tree numbers(const SampleColumn& column, at::ScalarType type, Number (Tree::*value)() const) {
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(column.size())}, type);
    Number* out = tensor.mutable_data_ptr<Number>();
    for (const Tree* sample : column)
        *out++ = (sample->*value)();
    return tensor;
}

Tree collate_items(const SampleColumn& column, const std::string& path) {
    const Tree& first = *column[0];
    Tree::List items;
    for (std::size_t i = 0; i < first.items().size(); ++i) {
        SampleColumn entry;
        for (const Tree* sample : column) {
            if (sample->items().size() != first.items().size())
                fail(path, "samples of one batch have lists of different length: give the loader a collate function");
            entry.push_back(&sample->items()[i]);
        }
        items.push_back(collate_column(entry, path + "[" + std::to_string(i) + "]"));
    }
    return first.is_tuple() ? Tree::tuple(std::move(items)) : Tree::list(std::move(items));
}

Tree collate_entries(const SampleColumn& column, const std::string& path) {
    const Tree& first = *column[0];
    Tree::Dict entries;
    for (const Tree::Entry& entry : first.entries()) {
        std::string name = path.empty() ? to_string(entry.key) : path + "." + to_string(entry.key);
        SampleColumn values;
        for (const Tree* sample : column) {
            const Tree* value = sample->find(entry.key);
            if (value == nullptr || sample->entries().size() != first.entries().size())
                fail(name,
                     "samples of one batch have different keys: give all of them the same, or the loader a collate "
                     "function");
            values.push_back(value);
        }
        entries.push_back({entry.key, collate_column(values, name)});
    }
    return Tree::dict(std::move(entries));
}

Tree collate_column(const SampleColumn& column, const std::string& path) {
    const Tree& first = *column[0];
    bool real = false;
    for (const Tree* sample : column) {
        bool both_numbers = (sample->is_integer() || sample->is_real()) && (first.is_integer() || first.is_real());
        if (std::string_view(sample->kind()) != first.kind() && !both_numbers)
            fail(path, Message("samples of one batch differ in kind ({} and {}): give the loader a collate function",
                               first.kind(), sample->kind()));
        real = real || sample->is_real();
    }
    if (first.is_tensor())
        return stacked(column, path);
    if (first.is_bool())
        return numbers<bool>(column, at::kBool, &Tree::as_bool);
    if (real)
        return numbers<double>(column, at::kDouble, &Tree::as_real);
    if (first.is_integer())
        return numbers<std::int64_t>(column, at::kLong, &Tree::as_integer);
    if (first.is_text()) {
        Tree::List texts;
        for (const Tree* sample : column)
            texts.push_back(*sample);
        return Tree::list(std::move(texts));
    }
    if (first.is_list() || first.is_tuple())
        return collate_items(column, path);
    if (first.is_dict())
        return collate_entries(column, path);
    return {};
}

}  // namespace

Tree collate(std::vector<Tree> samples) {
    if (samples.empty())
        throw UserError("a batch of no samples cannot be made");
    SampleColumn column;
    column.reserve(samples.size());
    for (const Tree& sample : samples)
        column.push_back(&sample);
    return collate_column(column, "");
}

}  // namespace trainyard::data
