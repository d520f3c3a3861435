// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/dataset.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <ATen/ops/empty.h>

#include "base/error.h"

namespace trainyard::data {

namespace {

/// at::index_select takes 0.5 us per row; rows of a contiguous tensor can be copied as bytes.
at::Tensor gather_rows(const at::Tensor& column, std::span<const std::int64_t> indices) {
    std::vector<std::int64_t> shape = column.sizes().vec();
    shape[0] = static_cast<std::int64_t>(indices.size());
    at::Tensor rows = at::empty(shape, column.options());
    std::size_t bytes = column.numel() == 0 ? 0 : column.nbytes() / static_cast<std::size_t>(column.size(0));
    const auto* from = static_cast<const std::byte*>(column.const_data_ptr());
    auto* to = static_cast<std::byte*>(rows.mutable_data_ptr());
    for (std::int64_t index : indices) {
        if (index < 0 || index >= column.size(0))
            throw UserError("sample {} of a data set of {}", index, column.size(0));
        if (bytes > 0)
            std::memcpy(to, from + static_cast<std::size_t>(index) * bytes, bytes);
        to += bytes;
    }
    return rows;
}

}  // namespace

Tree Dataset::get_batch(std::span<const std::int64_t> indices) const {
    std::vector<Tree> samples;
    samples.reserve(indices.size());
    for (std::int64_t index : indices)
        samples.push_back(get(index));
    return collate(std::move(samples));
}

std::int64_t IterableDataset::skip(std::int64_t count) {
    std::int64_t skipped = 0;
    while (skipped < count && next())
        ++skipped;
    return skipped;
}

void IterableDataset::seek(const Tree&) {
    throw UserError("this data set cannot go to a place that was saved");
}

std::shared_ptr<IterableDataset> IterableDataset::take_parts(std::int64_t, std::int64_t) const {
    throw UserError("this data set has no parts that ranks could read on their own");
}

TensorDataset::TensorDataset(Tree columns) : columns_(std::move(columns)) {
    bool found = false;
    columns_ = columns_.map_tensors([](const at::Tensor& column) { return column.to(at::kCPU).contiguous(); });
    columns_.for_each_tensor([&](const std::string& path, const at::Tensor& tensor) {
        std::int64_t rows = tensor.dim() == 0 ? -1 : tensor.size(0);
        if (rows < 0 || (found && rows != size_)) {
            const Message here = rows < 0 ? Message("'{}' has none", path) : Message("'{}' has {}", path, rows);
            throw UserError("tensors of a data set must have the same number of rows: {}",
                            found ? Message("{}, the first {}", here, size_) : here);
        }
        size_ = rows;
        found = true;
    });
    if (!found)
        throw UserError("a data set of tensors needs at least one tensor");
}

Tree TensorDataset::get(std::int64_t index) const {
    return columns_.map_tensors([&](const at::Tensor& column) { return column.select(0, index); });
}

Tree TensorDataset::get_batch(std::span<const std::int64_t> indices) const {
    return columns_.map_tensors([&](const at::Tensor& column) { return gather_rows(column, indices); });
}

SubsetDataset::SubsetDataset(std::shared_ptr<Dataset> whole, std::vector<std::int64_t> indices)
    : whole_(std::move(whole)), indices_(std::move(indices)) {
    for (std::int64_t index : indices_)
        if (index < 0 || index >= whole_->size())
            throw UserError("a subset names sample {} of a data set of {}", index, whole_->size());
}

Tree SubsetDataset::get_batch(std::span<const std::int64_t> indices) const {
    std::vector<std::int64_t> inner;
    inner.reserve(indices.size());
    for (std::int64_t index : indices)
        inner.push_back(indices_.at(static_cast<std::size_t>(index)));
    return whole_->get_batch(inner);
}

ConcatDataset::ConcatDataset(std::vector<std::shared_ptr<Dataset>> parts) : parts_(std::move(parts)) {
    std::int64_t end = 0;
    for (const auto& part : parts_)
        ends_.push_back(end += part->size());
}

Tree ConcatDataset::get(std::int64_t index) const {
    auto end = std::upper_bound(ends_.begin(), ends_.end(), index);
    if (index < 0 || end == ends_.end())
        throw UserError("sample {} of a data set of {}", index, size());
    auto part = static_cast<std::size_t>(end - ends_.begin());
    return parts_[part]->get(index - (part == 0 ? 0 : ends_[part - 1]));
}

void ConcatDataset::set_epoch(std::int64_t epoch) {
    for (const auto& part : parts_)
        part->set_epoch(epoch);
}

}  // namespace trainyard::data
