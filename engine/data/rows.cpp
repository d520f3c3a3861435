// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/rows.h"

#include <algorithm>
#include <vector>

#include <ATen/ops/cat.h>

namespace trainyard::data {

namespace {

bool is_text_column(const Tree& tree) {
    return tree.is_list() && !tree.items().empty() &&
           std::all_of(tree.items().begin(), tree.items().end(), [](const Tree& item) { return item.is_text(); });
}

bool is_container(const Tree& tree) {
    return tree.is_list() || tree.is_tuple();
}

Tree like(const Tree& container, Tree::List items) {
    return container.is_tuple() ? Tree::tuple(std::move(items)) : Tree::list(std::move(items));
}

std::optional<at::Tensor> join_tensors(std::span<const Tree> batches) {
    std::vector<at::Tensor> tensors;
    for (const Tree& batch : batches) {
        if (!batch.is_tensor())
            return std::nullopt;
        const at::Tensor& tensor = batch.as_tensor();
        const at::Tensor& first = batches[0].as_tensor();
        if (tensor.dim() == 0 || tensor.dim() != first.dim() || tensor.scalar_type() != first.scalar_type() ||
            tensor.sizes().slice(1) != first.sizes().slice(1))
            return std::nullopt;
        tensors.push_back(tensor);
    }
    return at::cat(tensors);
}

}  // namespace

std::optional<std::int64_t> row_count(const Tree& batch) {
    if (batch.is_tensor())
        return batch.as_tensor().dim() == 0 ? std::nullopt : std::optional(batch.as_tensor().size(0));
    if (is_text_column(batch))
        return static_cast<std::int64_t>(batch.items().size());
    if (is_container(batch))
        for (const Tree& item : batch.items())
            if (auto rows = row_count(item))
                return rows;
    if (batch.is_dict())
        for (const Tree::Entry& entry : batch.entries())
            if (auto rows = row_count(entry.value))
                return rows;
    return std::nullopt;
}

Tree rows_of(const Tree& batch, std::int64_t begin, std::int64_t end) {
    if (batch.is_tensor()) {
        const at::Tensor& tensor = batch.as_tensor();
        if (tensor.dim() == 0)
            return batch;
        std::int64_t last = std::clamp<std::int64_t>(end, 0, tensor.size(0));
        std::int64_t first = std::clamp<std::int64_t>(begin, 0, last);
        return tensor.narrow(0, first, last - first);
    }
    if (is_text_column(batch)) {
        auto size = static_cast<std::int64_t>(batch.items().size());
        std::int64_t last = std::clamp<std::int64_t>(end, 0, size);
        std::int64_t first = std::clamp<std::int64_t>(begin, 0, last);
        return Tree::list(Tree::List(batch.items().begin() + first, batch.items().begin() + last));
    }
    if (is_container(batch)) {
        Tree::List items;
        for (const Tree& item : batch.items())
            items.push_back(rows_of(item, begin, end));
        return like(batch, std::move(items));
    }
    if (batch.is_dict()) {
        Tree::Dict entries;
        for (const Tree::Entry& entry : batch.entries())
            entries.push_back({entry.key, rows_of(entry.value, begin, end)});
        return Tree::dict(std::move(entries));
    }
    return batch;
}

std::optional<Tree> join_rows(std::span<const Tree> batches) {
    const Tree& first = batches[0];
    if (batches.size() == 1)
        return first;
    if (first.is_tensor()) {
        if (auto tensor = join_tensors(batches))
            return Tree(*tensor);
        return std::nullopt;
    }
    for (const Tree& batch : batches)
        if (std::string_view(batch.kind()) != first.kind() || is_text_column(batch) != is_text_column(first))
            return std::nullopt;
    if (is_text_column(first)) {
        Tree::List items;
        for (const Tree& batch : batches)
            items.insert(items.end(), batch.items().begin(), batch.items().end());
        return Tree::list(std::move(items));
    }
    if (is_container(first)) {
        Tree::List items;
        for (std::size_t i = 0; i < first.items().size(); ++i) {
            std::vector<Tree> column;
            for (const Tree& batch : batches) {
                if (batch.items().size() != first.items().size())
                    return std::nullopt;
                column.push_back(batch.items()[i]);
            }
            auto joined = join_rows(column);
            if (!joined)
                return std::nullopt;
            items.push_back(std::move(*joined));
        }
        return like(first, std::move(items));
    }
    if (first.is_dict()) {
        Tree::Dict entries;
        for (const Tree::Entry& entry : first.entries()) {
            std::vector<Tree> column;
            for (const Tree& batch : batches) {
                const Tree* value = batch.find(entry.key);
                if (value == nullptr || batch.entries().size() != first.entries().size())
                    return std::nullopt;
                column.push_back(*value);
            }
            auto joined = join_rows(column);
            if (!joined)
                return std::nullopt;
            entries.push_back({entry.key, std::move(*joined)});
        }
        return Tree::dict(std::move(entries));
    }
    return first;
}

}  // namespace trainyard::data
