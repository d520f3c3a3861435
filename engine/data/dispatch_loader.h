#pragma once
// The loader of which rank 0 reads and the others receive their rows: accelerate's DataLoaderDispatcher. Each rank is sent its own part
// only (Accelerate broadcasts all of it and slices), with its own shapes, so batches of unequal shapes can be dispatched.
//
// A step is a broadcast of four numbers (is there a batch, bytes of a part, samples used, rows) and a scatter of the parts as bytes
// (tensors/wire.h), padded to the largest.

#include <memory>
#include <vector>

#include "data/pass_loader.h"
#include "data/prepare.h"

namespace trainyard::data {

class DispatchLoader : public PassLoader {
  public:
    struct Options {
        bool split_batches = false;
        bool drop_last = false;
        bool whole_batches = false;  ///< batches of any size: ranks get whole ones
        std::int64_t count = 1;      ///< shards that a step is cut in
        SliceFunction slice;
    };
    /// Collective: rank 0 learns every rank's shard. `setup.source` gives undivided batches.
    DispatchLoader(LoaderSetup setup, Options options, Shard shard);

  protected:
    std::optional<std::int64_t> length_of_epoch() const override;
    std::int64_t start(const PassStart& start) override;
    std::optional<HostBatch> fetch() override;

  private:
    /// The parts of a step (by shard) and where the epoch stands after it.
    struct Step {
        std::vector<Tree> parts;
        HostBatch after;
    };
    bool reads() const;
    std::optional<Step> read_step();
    std::vector<Tree> divide(std::vector<Tree> batches, std::int64_t rows);
    std::optional<HostBatch> exchange(std::optional<Step> step, std::exception_ptr failure);

    Options options_;
    std::vector<std::int64_t> shards_;  ///< of every rank
};

}  // namespace trainyard::data
