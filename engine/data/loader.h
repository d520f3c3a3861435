// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A training loop's view of its data: passes (epochs) over batches for this rank. Sharding, skipping, prefetching and
// the state for resuming within an epoch are handled internally.
//
//     for (Tree& batch : *loader) ...        one epoch; the next loop is the next epoch
//
// A loader reads one batch ahead, so that at_end() is already true while the last batch of the epoch is processed
// (Accelerate's end_of_dataloader: gradient accumulation ends there).

#include <cstdint>
#include <iterator>
#include <optional>

#include "distributed/tensors/tree.h"
#include "profile/marks.h"

namespace trainyard::data {

class Loader;

/// Notified when a pass begins and ends. The accelerator uses it to keep a stack of active loaders.
class LoaderObserver {
  public:
    virtual ~LoaderObserver() = default;
    virtual void pass_begins(Loader& loader) = 0;
    virtual void pass_ends(Loader& loader) = 0;
};

class Loader : public Stateful {
  public:
    /// Starts the next epoch, or after load_state_dict() continues within one. Collective if the loader dispatches.
    virtual void begin() = 0;
    /// The next batch of this rank, with the batch as dimension 0 of all leaves; std::nullopt at the end of the pass.
    virtual std::optional<Tree> next() = 0;
    /// Whether the last returned batch is the last of the epoch.
    virtual bool at_end() const = 0;
    /// Samples of the last global batch that are not repetitions, for gather_for_metrics. 0: the batch is full; -1: not
    /// known, or nothing was repeated (drop_last). Streams without a length and dispatching loaders know it once
    /// at_end() is true.
    virtual std::int64_t remainder() const = 0;
    /// Batches of one epoch for this rank, if known.
    virtual std::optional<std::int64_t> length() const = 0;
    /// Samples of one step over all ranks, 0 for batches of any size; then samples of the whole data set, if known.
    virtual std::int64_t total_batch_size() const = 0;
    virtual std::optional<std::int64_t> dataset_length() const = 0;
    /// Starts the next pass at its `batches`-th batch (of every rank); skipped samples are not loaded. Only between
    /// passes. Unlike in Accelerate, the epoch counts as a normal one, so the order is not repeated, and metrics are
    /// correct.
    virtual void skip_first_batches(std::int64_t batches) = 0;
    /// Index of the current epoch or, between epochs, of the next one.
    virtual std::int64_t epoch() const = 0;
    virtual void set_epoch(std::int64_t epoch) = 0;
    /// From the next pass on: whether last batches are completed with repeated samples so that all ranks have equally
    /// many. Returns the previous value; std::nullopt if batches are not sharded by index (streams, dispatching
    /// loaders, one rank), because then the value has no effect.
    virtual std::optional<bool> exchange_even_batches(bool /*even*/) { return std::nullopt; }
    /// Not owned; nullptr removes the observer.
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
            const profile::Scope phase([] { return profile::phase_mark("data"); });
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
