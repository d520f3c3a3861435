#pragma once
// Data sets: what a loader reads. Two kinds, as in torch.utils.data: `Dataset` is asked for samples by number (map-style),
// `IterableDataset` is read from front to back. A sample is a Tree (tensors without batch dimension, numbers, text, or nests of them);
// a batch is a Tree whose tensors have the batch as dimension 0, see collate(). Data stay in host memory; loaders move batches.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <ATen/core/Tensor.h>

#include "tensors/tree.h"

namespace trainyard::data {

/// Samples to one batch, as torch's default_collate: tensors of one shape are stacked, bool/int/float become tensors of
/// bool/int64/float64, texts a list, dictionaries and tuples (lists) are collated entry by entry, None stays None. Throws UserError
/// naming the path of the entry whose kinds, keys or shapes differ.
Tree collate(std::vector<Tree> samples);
using CollateFunction = std::function<Tree(std::vector<Tree> samples)>;

/// Map-style. The const functions are called by several worker threads at once.
class Dataset {
  public:
    virtual ~Dataset() = default;
    virtual std::int64_t size() const = 0;
    /// Sample `index`, 0 <= index < size().
    virtual Tree get(std::int64_t index) const = 0;
    /// The samples as one batch. Sources that can gather rows faster than one by one override it.
    virtual Tree get_batch(std::span<const std::int64_t> indices) const;
    /// Before a pass, for sources whose content depends on it (augmentation, packing). No thread is reading then.
    virtual void set_epoch(std::int64_t /*epoch*/) {}
};

/// Read from front to back by one thread at a time. What it gives is the same on every rank; loaders share it out.
class IterableDataset {
  public:
    virtual ~IterableDataset() = default;
    /// Goes to the first sample of the pass.
    virtual void begin() = 0;
    /// The next sample; nothing at the end.
    virtual std::optional<Tree> next() = 0;
    /// Samples of one pass, when known.
    virtual std::optional<std::int64_t> size() const { return std::nullopt; }
    /// Before begin(); a source that shuffles derives its order from it.
    virtual void set_epoch(std::int64_t /*epoch*/) {}
    /// Leaves out samples; returns how many there were to leave out. Sources that can seek override it.
    virtual std::int64_t skip(std::int64_t count);

    /// The place behind the sample given last, for exact resume, and going there (in the place of begin(), after set_epoch()).
    /// None: it has no such place; resuming then skips from the front.
    virtual Tree position() const { return {}; }
    virtual void seek(const Tree& position);

    /// Number of parts (files) that ranks can read on their own; with one or fewer parts than ranks every rank reads all and keeps its
    /// share of the samples.
    virtual std::int64_t part_count() const { return 1; }
    /// The samples of parts `index`, `index + count`, ... as a source of its own.
    virtual std::shared_ptr<IterableDataset> take_parts(std::int64_t count, std::int64_t index) const;
};

/// Tensors in memory with the same dimension 0, in any nest (a dictionary of columns, a tuple). A row of each is a sample. The
/// tensors are used where they are; those of another device or with gaps are copied.
class TensorDataset : public Dataset {
  public:
    /// Throws UserError when there is no tensor or the tensors' dimension 0 differs.
    explicit TensorDataset(Tree columns);
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override;
    Tree get_batch(std::span<const std::int64_t> indices) const override;

  private:
    Tree columns_;
    std::int64_t size_ = 0;
};

/// Samples computed by a function, which several threads may call at once.
class FunctionDataset : public Dataset {
  public:
    FunctionDataset(std::int64_t size, std::function<Tree(std::int64_t)> get) : size_(size), get_(std::move(get)) {}
    std::int64_t size() const override { return size_; }
    Tree get(std::int64_t index) const override { return get_(index); }

  private:
    std::int64_t size_;
    std::function<Tree(std::int64_t)> get_;
};

/// The samples `indices` of another set, in that order.
class SubsetDataset : public Dataset {
  public:
    /// Throws UserError when an index is outside of the set.
    SubsetDataset(std::shared_ptr<Dataset> whole, std::vector<std::int64_t> indices);
    std::int64_t size() const override { return static_cast<std::int64_t>(indices_.size()); }
    Tree get(std::int64_t index) const override { return whole_->get(indices_.at(static_cast<std::size_t>(index))); }
    Tree get_batch(std::span<const std::int64_t> indices) const override;
    void set_epoch(std::int64_t epoch) override { whole_->set_epoch(epoch); }

  private:
    std::shared_ptr<Dataset> whole_;
    std::vector<std::int64_t> indices_;
};

/// Sets one behind the other.
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

/// A stream made anew for every pass: `open(epoch)` gives the function that gives the samples.
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
