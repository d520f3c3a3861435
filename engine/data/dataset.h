// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Data sets, the input of loaders. As in torch.utils.data there are two kinds: `Dataset` (map-style) returns samples by
// index, `IterableDataset` is read sequentially. A sample is a Tree (tensors without a batch dimension, numbers, text,
// or containers of them); a batch is a Tree whose tensors have the batch as dimension 0, see collate(). Data stay in
// host memory; loaders move batches to the device.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"

namespace trainyard::data {

/// Combines samples into a batch, as torch's default_collate: tensors of equal shape are stacked, bool/int/float become
/// tensors of bool/int64/float64, texts become a list, dictionaries, tuples and lists are collated entry by entry, None
/// stays None. Throws UserError with the path of the entry whose kinds, keys or shapes differ.
Tree collate(std::vector<Tree> samples);
using CollateFunction = std::function<Tree(std::vector<Tree> samples)>;

/// Map-style. Several worker threads call the const functions concurrently.
class Dataset {
  public:
    virtual ~Dataset() = default;
    virtual std::int64_t size() const = 0;
    /// Sample `index`, 0 <= index < size().
    virtual Tree get(std::int64_t index) const = 0;
    /// The samples as one batch. Override it if gathering rows together is faster.
    virtual Tree get_batch(std::span<const std::int64_t> indices) const;
    /// Called before a pass, for sources whose content depends on the epoch (augmentation, packing). No thread is
    /// reading then.
    virtual void set_epoch(std::int64_t /*epoch*/) {}
};

/// Read sequentially by one thread at a time. Every rank gets the same samples; loaders shard them.
class IterableDataset {
  public:
    virtual ~IterableDataset() = default;
    /// Moves to the first sample of the pass.
    virtual void begin() = 0;
    /// The next sample; std::nullopt at the end.
    virtual std::optional<Tree> next() = 0;
    /// Samples of one pass, if known.
    virtual std::optional<std::int64_t> size() const { return std::nullopt; }
    /// Called before begin(), for sources that shuffle.
    virtual void set_epoch(std::int64_t /*epoch*/) {}
    /// Skips samples; returns how many were skipped. Override it if the source can seek.
    virtual std::int64_t skip(std::int64_t count);

    /// The position after the last sample, for exact resume; seek() goes there (called instead of begin(), after
    /// set_epoch()). None: the source has no positions; then resuming skips from the start.
    virtual Tree position() const { return {}; }
    virtual void seek(const Tree& position);

    /// Number of parts (files) that ranks can read separately. With fewer parts than ranks, every rank reads all of
    /// them and keeps its shard of the samples.
    virtual std::int64_t part_count() const { return 1; }
    /// Parts `index`, `index + count`, ... as a separate source.
    virtual std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const;
};

/// Tensors in memory with equal dimension 0, in any container (a dictionary of columns, a tuple). A sample is one row
/// of each. Tensors are not copied unless they are on another device or not contiguous.
class TensorDataset : public Dataset {
  public:
    /// Throws UserError if there is no tensor or dimension 0 differs.
    explicit TensorDataset(Tree columns);
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    Tree get_batch(std::span<const std::int64_t> indices) const override;

  private:
    Tree columns_;
    std::int64_t size_ = 0;
};

/// Samples that a function computes; several threads may call it concurrently.
class FunctionDataset : public Dataset {
  public:
    FunctionDataset(std::int64_t size, std::function<Tree(std::int64_t)> get) : size_(size), get_(std::move(get)) {}
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override { return get_(index); }

  private:
    std::int64_t size_;
    std::function<Tree(std::int64_t)> get_;
};

/// The samples `indices` of another data set, in that order.
class SubsetDataset : public Dataset {
  public:
    /// Throws UserError if an index is out of range.
    SubsetDataset(std::shared_ptr<Dataset> whole, std::vector<std::int64_t> indices);
    std::int64_t size() const override { return static_cast<std::int64_t>(indices_.size()); }
    Tree get(std::int64_t index) const override { return whole_->get(indices_.at(static_cast<std::size_t>(index))); }
    Tree get_batch(std::span<const std::int64_t> indices) const override;
    void set_epoch(std::int64_t epoch) override { whole_->set_epoch(epoch); }

  private:
    std::shared_ptr<Dataset> whole_;
    std::vector<std::int64_t> indices_;
};

/// The concatenation of data sets.
class ConcatDataset : public Dataset {
  public:
    explicit ConcatDataset(std::vector<std::shared_ptr<Dataset>> parts);
    std::int64_t size() const override { return ends_.empty() ? 0 : ends_.back(); }
    Tree get(std::int64_t index) const override;
    void set_epoch(std::int64_t epoch) override;

  private:
    std::vector<std::shared_ptr<Dataset>> parts_;
    std::vector<std::int64_t> ends_;
};

/// A stream that is created for every pass: `open(epoch)` returns a function that returns the samples.
class FunctionStream : public IterableDataset {
  public:
    using Next = std::function<std::optional<Tree>()>;
    explicit FunctionStream(std::function<Next(std::int64_t epoch)> open, std::optional<std::int64_t> size = {})
        : open_(std::move(open)), size_(size) {}
    void begin() override { next_ = open_(epoch_); }
    std::optional<Tree> next() override { return next_(); }
    std::optional<std::int64_t> size() const override { return size_; }
    void set_epoch(std::int64_t epoch) override { epoch_ = epoch; }

  private:
    std::function<Next(std::int64_t)> open_;
    std::optional<std::int64_t> size_;
    std::int64_t epoch_ = 0;
    Next next_;
};

}  // namespace trainyard::data
