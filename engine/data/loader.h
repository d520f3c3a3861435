#pragma once
// What a training loop sees of data: passes (epochs) over batches, for this rank. Sharding, skipping, prefetching and the state that
// resumes in the middle of an epoch are behind it.
//
//     for (Tree& batch : *loader) ...        one epoch; the next loop is the next epoch
//
// A loader looks one batch ahead, so that at_end() already holds while the last batch of the epoch is being processed
// (Accelerate's end_of_dataloader: the last group of accumulated gradients is complete there).

#include <cstdint>
#include <iterator>
#include <optional>

#include "tensors/tree.h"

namespace trainyard::data {

class Loader;

/// Told when a pass begins and ends; the accelerator keeps a stack of the loaders under way in this way.
class LoaderObserver {
  public:
    virtual ~LoaderObserver() = default;
    virtual void pass_begins(Loader& loader) = 0;
    virtual void pass_ends(Loader& loader) = 0;
};

class Loader : public Stateful {
  public:
    /// Starts the next epoch (or goes on in the middle of one after load_state_dict). Collective where the loader dispatches.
    virtual void begin() = 0;
    /// The next batch of this rank; leaves have the batch as dimension 0. Nothing at the end, which ends the pass.
    virtual std::optional<Tree> next() = 0;
    /// The batch given last is the last of the epoch.
    virtual bool at_end() const = 0;
    /// Samples of the last global batch that are not repetitions; -1: not known, or nothing was repeated (drop_last);
    /// 0: the last global batch is full. For gather_for_metrics. Streams without a length, and loaders that dispatch, know it when
    /// at_end() holds.
    virtual std::int64_t remainder() const = 0;
    /// Batches of one epoch for this rank, when known.
    virtual std::optional<std::int64_t> length() const = 0;
    /// Samples of one step over all ranks, 0 where batches are of any size; samples of the whole data set, when known.
    virtual std::int64_t total_batch_size() const = 0;
    virtual std::optional<std::int64_t> dataset_length() const = 0;
    /// The next pass begins at its `batches`-th batch (of every rank); what is skipped is not loaded. Between passes only. The epoch
    /// counts as the others do, and so do metrics (Accelerate repeats the order and the tail).
    virtual void skip_first_batches(std::int64_t batches) = 0;
    /// Number of the epoch under way or, between epochs, of the next.
    virtual std::int64_t epoch() const = 0;
    virtual void set_epoch(std::int64_t epoch) = 0;
    /// From the next pass on, last batches are completed with repeated samples so that all ranks have as many, or are not. Returns what held
    /// before; nothing where batches are not shared out by number (streams, dispatching loaders, one rank): there nothing changes.
    virtual std::optional<bool> exchange_even_batches(bool /*even*/) { return std::nullopt; }
    /// Not owned; nullptr takes it away.
    virtual void set_observer(LoaderObserver* observer) = 0;

    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Tree;
        using difference_type = std::ptrdiff_t;
        explicit Iterator(Loader* loader) : loader_(loader) { ++*this; }
        Iterator() = default;
        Tree& operator*() { return *batch_; }
        Tree* operator->() { return &*batch_; }
        Iterator& operator++() {
            batch_ = loader_->next();
            return *this;
        }
        bool operator==(std::default_sentinel_t) const { return !batch_.has_value(); }

      private:
        Loader* loader_ = nullptr;
        std::optional<Tree> batch_;
    };
};

inline Loader::Iterator begin(Loader& loader) {
    loader.begin();
    return Loader::Iterator(&loader);
}
inline std::default_sentinel_t end(Loader&) {
    return std::default_sentinel;
}

}  // namespace trainyard::data
