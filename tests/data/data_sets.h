// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Data sets of the numbers 0, 1, ..., and the batches that loaders make of them.

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/ops/full.h>

#include "data/dataset.h"
#include "data/loader.h"

namespace trainyard::test {

using Numbers = std::vector<std::int64_t>;

inline std::shared_ptr<data::Dataset> number_set(std::int64_t size) {
    return std::make_shared<data::FunctionDataset>(size,
                                                   [](std::int64_t i) { return Tree(at::full({}, i, at::kLong)); });
}

/// 0, 1, ... size - 1, plus 1000 x epoch. Counts reads; with `seeks` it supports seeking.
class NumberStream : public data::IterableDataset {
  public:
    explicit NumberStream(std::int64_t size, bool seeks = false, bool sized = true)
        : size_(size), seeks_(seeks), sized_(sized) {}
    void begin() override { at_ = 0; }
    std::optional<Tree> next() override {
        if (at_ >= size_)
            return std::nullopt;
        return Tree(at::full({}, epoch_ * 1000 + at_++, at::kLong));
    }
    std::optional<std::int64_t> size() const override { return sized_ ? std::optional(size_) : std::nullopt; }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }
    Tree position() const override { return seeks_ ? Tree(at_) : Tree(); }
    void seek(const Tree& position) override { at_ = position.as_integer(); }

  private:
    std::int64_t size_;
    bool seeks_, sized_;
    std::int64_t epoch_ = 0, at_ = 0;
};

inline Numbers to_numbers(const Tree& batch) {
    at::Tensor tensor = batch.as_tensor().contiguous();
    const auto* data = tensor.const_data_ptr<std::int64_t>();
    return Numbers(data, data + tensor.numel());
}

/// The batches of one pass, or its first `most` batches.
inline std::vector<Numbers> batches_of(data::Loader& loader, std::size_t most = SIZE_MAX) {
    std::vector<Numbers> result;
    if (most == 0)
        return result;
    for (Tree& batch : loader) {
        result.push_back(to_numbers(batch));
        if (result.size() == most)
            break;
    }
    return result;
}

inline Numbers joined(const std::vector<Numbers>& batches) {
    Numbers result;
    for (const Numbers& batch : batches)
        result.insert(result.end(), batch.begin(), batch.end());
    return result;
}

}  // namespace trainyard::test
