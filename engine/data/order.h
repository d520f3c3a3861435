// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The order in which samples are read, as values with random access: Order (of samples) and Batches (ranges of an
// order). Because reading can start anywhere, skipping, resuming within an epoch and resuming on another number of
// ranks are the same operation: setting a position.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::data {

/// Sample indices of one epoch. Copies share the indices.
class Order {
  public:
    Order() = default;
    static Order sequential(std::int64_t size);                   ///< 0, 1, ... size - 1; needs no memory
    static Order from(at::Tensor indices);                        ///< 1-dimensional, int64, on the CPU; not copied
    static Order from(const std::vector<std::int64_t>& indices);  ///< copied
    /// `at` computes the index at a position; indices are below `bound`. Called from several threads. Needs no memory.
    static Order computed(std::int64_t size, std::int64_t bound, std::function<std::int64_t(std::int64_t position)> at);
    std::int64_t size() const { return size_; }
    std::int64_t operator[](std::int64_t position) const {
        return numbers_ != nullptr ? numbers_[position] : at_ != nullptr ? (*at_)(position) : position;
    }
    /// Indices are in [0, bound). std::nullopt: the order is a list, which may contain any index.
    std::optional<std::int64_t> bound() const { return numbers_ == nullptr ? std::optional(bound_) : std::nullopt; }
    std::vector<std::int64_t> to_vector() const;

  private:
    std::int64_t size_ = 0, bound_ = 0;
    const std::int64_t* numbers_ = nullptr;
    at::Tensor keep_;
    std::shared_ptr<const std::function<std::int64_t(std::int64_t)>> at_;
};

/// An epoch divided into batches: ranges of `batch_size` samples (the last may be shorter) or, without a batch size,
/// ranges of any length.
struct Batches {
    Order order;
    std::optional<std::int64_t> batch_size;
    bool drop_last = false;          ///< an incomplete last batch is not counted
    std::vector<std::int64_t> ends;  ///< without a batch size: end of each batch in `order`

    static Batches from(const std::vector<std::vector<std::int64_t>>& batches);

    std::int64_t count() const;
    /// Samples in all batches.
    std::int64_t samples() const;
    std::int64_t begin_of(std::int64_t batch) const;
    std::int64_t end_of(std::int64_t batch) const;
    std::vector<std::int64_t> operator[](std::int64_t batch) const;
};

/// The part of the data that this rank reads: `index` of `count`. Ranks that process the same samples (tensor parallel)
/// have the same shard.
struct Shard {
    std::int64_t index = 0;
    std::int64_t count = 1;
};

/// How batches are sharded. Throws UserError if split batches cannot be divided evenly.
struct ShardOptions {
    bool split_batches = false;  ///< divide every batch into `count` slices; otherwise ranks get batches in turn
    bool even_batches =
        true;  ///< repeat samples from the start of the epoch until every rank has the same number of full batches
};

/// The batches of one rank: accelerate's BatchSamplerShard with random access. Without a batch size (dynamic batches),
/// ranks get complete batches, which are repeated with even_batches.
class BatchShard {
  public:
    /// `first`: samples of the epoch that all ranks together have consumed; batches start after them. With dynamic
    /// batches it must be the end of a batch (else UserError).
    BatchShard(Batches batches, Shard shard, ShardOptions options, std::int64_t first = 0);

    /// Batches of this rank. Exact in every mode; Accelerate's length is too large for some ranks (split, uneven).
    std::int64_t count() const { return count_; }
    std::vector<std::int64_t> operator[](std::int64_t batch) const;
    /// Steps until the last rank has finished.
    std::int64_t steps() const { return steps_; }
    /// Samples that all ranks together have consumed after `steps` steps, including those before `first`, without
    /// repetitions.
    std::int64_t samples_after(std::int64_t steps) const;
    /// Samples of the last step that are not repetitions.
    std::int64_t tail() const;

  private:
    Batches batches_;
    Shard shard_;
    ShardOptions options_;
    std::int64_t first_ = 0;        ///< samples before the first batch
    std::int64_t first_batch_ = 0;  ///< the same in batches, if dynamic
    std::int64_t step_size_ = 0;    ///< samples of a full step of all ranks; 0: dynamic
    std::int64_t piece_size_ = 0;   ///< samples of a full batch of this rank
    std::int64_t full_steps_ = 0;
    std::int64_t tail_ = 0;  ///< samples (dynamic: batches) after the full steps
    std::int64_t count_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace trainyard::data
