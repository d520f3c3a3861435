#pragma once
// In which order samples are read, as values that can be asked at any position: an Order (of samples) and a Batches (of runs of an order).
// Being able to start anywhere is what makes skipping, resuming in the middle of an epoch and resuming on another number of ranks one
// and the same thing: a position.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::data {

/// The numbers of one epoch's samples. Copies share the numbers.
class Order {
  public:
    Order() = default;
    static Order sequential(std::int64_t size);                 ///< 0, 1, ... size - 1; no memory
    static Order of(at::Tensor indices);                        ///< 1-dimensional, int64, on the CPU; not copied
    static Order of(const std::vector<std::int64_t>& indices);  ///< copied
    /// Asked for a position, `at` tells its number, which is below `bound`; called by several threads. No memory.
    static Order computed(std::int64_t size, std::int64_t bound, std::function<std::int64_t(std::int64_t position)> at);
    std::int64_t size() const { return size_; }
    std::int64_t operator[](std::int64_t position) const {
        return numbers_ != nullptr ? numbers_[position] : at_ != nullptr ? (*at_)(position) : position;
    }
    /// The numbers are from 0 to below this one; nothing: it is a list, which may hold any.
    std::optional<std::int64_t> bound() const { return numbers_ == nullptr ? std::optional(bound_) : std::nullopt; }
    std::vector<std::int64_t> to_vector() const;

  private:
    std::int64_t size_ = 0, bound_ = 0;
    const std::int64_t* numbers_ = nullptr;
    at::Tensor keep_;
    std::shared_ptr<const std::function<std::int64_t(std::int64_t)>> at_;
};

/// An epoch cut in batches: runs of `batch_size` samples (the last may be shorter), or, without a batch size, runs of any length.
struct Batches {
    Order order;
    std::optional<std::int64_t> batch_size;
    bool drop_last = false;          ///< the last short batch does not count
    std::vector<std::int64_t> ends;  ///< without batch size: where each batch ends in `order`

    static Batches of(const std::vector<std::vector<std::int64_t>>& batches);

    std::int64_t count() const;
    /// Samples that belong to a batch.
    std::int64_t samples() const;
    std::int64_t begin_of(std::int64_t batch) const;
    std::int64_t end_of(std::int64_t batch) const;
    std::vector<std::int64_t> operator[](std::int64_t batch) const;
};

/// Which shard of the data this rank takes: `index` of `count`. Ranks that work on the same samples (tensor parallel) have the same.
struct Shard {
    std::int64_t index = 0;
    std::int64_t count = 1;
};

/// How batches are shared out. Throws UserError when split batches cannot be cut evenly.
struct ShardOptions {
    bool split_batches = false;  ///< cut every batch in `count` pieces; otherwise hand out batches in turn
    bool even_batches =
        true;  ///< repeat samples from the start of the epoch until every rank has equally many full batches
};

/// The batches of one rank: accelerate's BatchSamplerShard, by position. Without batch size (dynamic batches), whole batches are handed
/// out and, when even, repeated.
class BatchShard {
  public:
    /// `first`: samples of the epoch that have been consumed (by all ranks together); batches start behind them. With dynamic batches
    /// it must be the end of a batch (UserError).
    BatchShard(Batches batches, Shard shard, ShardOptions options, std::int64_t first = 0);

    /// Batches of this rank. Exact in every mode, where Accelerate's length is too large for some ranks (split, uneven).
    std::int64_t count() const { return count_; }
    std::vector<std::int64_t> operator[](std::int64_t batch) const;
    /// Steps until the last rank has finished.
    std::int64_t steps() const { return steps_; }
    /// Samples that all ranks together have consumed after `steps` steps, repetitions not counted; those before `first` are.
    std::int64_t samples_after(std::int64_t steps) const;
    /// Samples of the last step that are not repetitions.
    std::int64_t tail() const;

  private:
    Batches batches_;
    Shard shard_;
    ShardOptions options_;
    std::int64_t first_ = 0;        ///< samples before the first batch
    std::int64_t first_batch_ = 0;  ///< dynamic: the same in batches
    std::int64_t step_size_ = 0;    ///< samples of a full step of all ranks; 0: dynamic
    std::int64_t piece_size_ = 0;   ///< samples of a full batch of this rank
    std::int64_t full_steps_ = 0;
    std::int64_t tail_ = 0;  ///< samples (dynamic: batches) behind the full steps
    std::int64_t count_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace trainyard::data
