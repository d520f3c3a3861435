// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loader whose rank 0 reads and scatters rows to the other ranks: accelerate's DataLoaderDispatcher. Each rank is
// sent only its part (Accelerate broadcasts everything and slices), with its own shapes, so batches of unequal shapes
// can be dispatched.
//
// A step is a broadcast of four numbers (whether there is a batch, bytes of a part, samples used, rows) and a scatter
// of the parts as bytes (distributed/tensors/wire.h), padded to the largest part.

#include <memory>
#include <vector>

#include "data/pass_loader.h"
#include "data/prepare_data_loader.h"

namespace trainyard::data {

class DispatchLoader : public PassLoader {
  public:
    struct Options {
        bool split_batches = false;
        bool drop_last = false;
        bool whole_batches = false;  ///< batches of any size: each rank gets complete batches
        std::int64_t count = 1;      ///< number of shards of a step
        SliceFunction slice;
    };
    /// Collective: rank 0 gathers every rank's shard. `setup.source` returns undivided batches.
    DispatchLoader(LoaderSetup setup, Options options, Shard shard);

  protected:
    std::optional<std::int64_t> length_of_epoch() const override;
    std::int64_t start(const PassStart& start) override;
    std::optional<HostBatch> fetch() override;

  private:
    /// The parts of a step by shard, and the position in the epoch after it.
    struct Step {
        std::vector<Tree> parts;
        HostBatch after;
    };
    bool reads() const;
    std::optional<Step> read_step();
    std::vector<Tree> divide(std::vector<Tree> batches, std::int64_t rows);
    std::optional<HostBatch> exchange(std::optional<Step> step, std::exception_ptr failure);

    Options options_;
    std::vector<std::int64_t> shards_;  ///< by rank
};

}  // namespace trainyard::data
