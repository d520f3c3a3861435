// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sources of a loader's batches: a pass over a data set as a sequence of jobs, which are taken in order by one thread
// at a time and can run in parallel.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include <ATen/core/Generator.h>

#include "data/dataset.h"
#include "data/order.h"
#include "data/prefetcher.h"
#include "data/sampler.h"
#include "distributed/tensors/tree.h"

namespace trainyard::data {

/// Start of a pass: after `samples` samples of the epoch (of all ranks together) and then `skip` batches of every
/// shard.
struct PassStart {
    std::int64_t epoch = 0;
    std::int64_t samples = 0;
    Tree position;  ///< the stream's own position after `samples`, None if it has none
    std::int64_t skip = 0;
};

class BatchSource {
  public:
    virtual ~BatchSource() = default;
    /// Starts a pass. No job of an earlier pass is running.
    virtual void begin(const PassStart& start, const at::Generator& process) = 0;
    /// The job for the next batch; std::nullopt at the end of the pass.
    virtual std::optional<BatchJob> next() = 0;
    /// The first `count` samples of the epoch (all, if it has fewer), which complete its last batch. Only within a
    /// pass.
    virtual Tree first_samples(std::int64_t count) = 0;

    /// Batches of a complete epoch for this shard; then samples of the data set.
    virtual std::optional<std::int64_t> length() const = 0;
    virtual std::optional<std::int64_t> dataset_length() const = 0;
    /// Samples in the last step of the current pass that are not repetitions (0: the step is full); -1: not known in
    /// advance, or short batches are dropped.
    virtual std::int64_t remainder() const = 0;

    virtual at::Generator generator() const { return {}; }
    /// Loader::exchange_even_batches().
    virtual std::optional<bool> exchange_even_batches(bool /*even*/) { return std::nullopt; }
    virtual Tree state(bool /*pass_over*/) const { return Tree::dict(); }
    virtual void load_state(const Tree& /*state*/) {}
};

/// For map-style data sets: BatchShard divides the sampler's order (or the batch sampler's batches) among ranks.
class MapSource : public BatchSource {
  public:
    /// Requires either `sampler` and `batch_size`, or `batch_sampler`.
    struct Parts {
        std::shared_ptr<Dataset> dataset;
        std::shared_ptr<Sampler> sampler;
        std::shared_ptr<BatchSampler> batch_sampler;
        std::int64_t batch_size = 1;
        bool drop_last = false;
        CollateFunction collate;
    };
    MapSource(Parts parts, Shard shard, ShardOptions options);
    void begin(const PassStart& start, const at::Generator& process) override;
    std::optional<BatchJob> next() override;
    Tree first_samples(std::int64_t count) override;
    std::optional<std::int64_t> length() const override;
    std::optional<std::int64_t> dataset_length() const override { return parts_.dataset->size(); }
    std::int64_t remainder() const override;
    at::Generator generator() const override;
    std::optional<bool> exchange_even_batches(bool even) override;
    Tree state(bool pass_over) const override;
    void load_state(const Tree& state) override;

  private:
    Batches batches(const at::Generator& process) const;
    Batches custom_batches(std::int64_t epoch) const;
    Tree read(const std::vector<std::int64_t>& indices) const;

    Parts parts_;
    Shard shard_;
    ShardOptions options_;
    std::int64_t epoch_ = 0;
    std::optional<BatchShard> batch_shard_;
    Order order_;
    std::int64_t next_ = 0;
};

/// For streams: every rank reads the whole stream and keeps its slice of every full step (accelerate's
/// IterableDatasetShard).
class StreamSource : public BatchSource {
  public:
    struct Parts {
        std::shared_ptr<IterableDataset> stream;
        std::int64_t step_size = 1;  ///< samples of one step, of all shards
        bool drop_last = false;
        CollateFunction collate;
        std::int64_t keep_first = 0;  ///< maximum argument of first_samples()
        bool own_parts = false;       ///< the stream contains only this rank's samples; then `shard` is {0, 1}
        bool completes = false;       ///< a short last step is completed with samples of the first one
    };
    StreamSource(Parts parts, Shard shard);
    void begin(const PassStart& start, const at::Generator& process) override;
    std::optional<BatchJob> next() override;
    Tree first_samples(std::int64_t count) override;
    std::optional<std::int64_t> length() const override;
    std::optional<std::int64_t> dataset_length() const override;
    std::int64_t remainder() const override { return remainder_; }

  private:
    std::optional<Tree> read();
    std::size_t keep() const;
    bool completes() const { return parts_.completes && !parts_.drop_last; }

    Parts parts_;
    Shard shard_;
    std::vector<Tree> first_;
    std::size_t passed_ = 0;  ///< samples of first_ that this pass has used; the next ones come from the stream
    bool ended_ = false;
    std::int64_t samples_ = 0;
    std::int64_t remainder_ = -1;
};

}  // namespace trainyard::data
