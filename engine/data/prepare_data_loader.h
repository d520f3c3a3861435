// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Creates a rank's loader from a description (the arguments of torch's DataLoader): accelerate's prepare_data_loader.
// The Accelerator, the bundled engine and direct users call this one function, so the loaders behave identically.
//
//     auto loader = prepare_data_loader({.dataset = set, .batch_size = 8, .shuffle = true}, {.shard = {rank, world}, .communicator = &all});
//     for (Tree& batch : *loader) ...
//
// Every loader has a state (state_dict), also with worker threads, and can resume on any number of ranks; there is no
// separate "stateful" kind.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

#include "data/dataset.h"
#include "data/loader.h"
#include "data/order.h"
#include "data/sampler.h"
#include "distributed/parallel/communicator.h"
#include "distributed/parallel/mesh.h"

namespace trainyard::data {

/// The arguments of torch.utils.data.DataLoader. Exactly one of `dataset` and `stream` is set.
struct LoaderSpec {
    std::shared_ptr<Dataset> dataset = nullptr;
    std::shared_ptr<IterableDataset> stream = nullptr;
    std::int64_t batch_size = 1;
    bool shuffle = false;  ///< use a RandomSampler
    bool drop_last = false;
    std::shared_ptr<Sampler> sampler = nullptr;             ///< instead of shuffle
    std::shared_ptr<BatchSampler> batch_sampler = nullptr;  ///< instead of batch_size, shuffle, sampler and drop_last
    CollateFunction collate = {};  ///< default: Dataset::get_batch, or collate() for a stream's samples
    at::Generator generator = {};  ///< for shuffling
    /// Threads that prepare batches ahead; 0: batches are prepared on demand. Does not affect the order. One thread at
    /// a time reads a stream, the others collate.
    int num_workers = 0;
    int prefetch_factor = 2;  ///< batches per worker that are prepared ahead; determines the memory use
    bool pin_memory = false;  ///< page-locked batches; no effect without an accelerator
};

/// Returns rows [begin, end) of the global batch, for shard `index` of `count`. Runs on rank 0.
using SliceFunction = std::function<Tree(const Tree& global, std::int64_t begin, std::int64_t end, Shard shard)>;

struct PrepareOptions {
    Shard shard;  ///< of this rank, see shard_of()
    parallel::Communicator* communicator =
        nullptr;  ///< all ranks that prepare this loader; not owned; nullptr: one rank
    at::Device device = at::Device(at::kCPU);
    bool put_on_device = true;
    bool split_batches = false;
    std::optional<bool> dispatch_batches;  ///< default: true if put_on_device is set and the data set is a stream
    bool even_batches = true;
    bool use_seedable_sampler = false;
    std::optional<std::int64_t> data_seed;  ///< for the seedable sampler; default: the seed of the process's generator
    bool non_blocking = false;
    /// Generators that are set to rank 0's state at the start of every pass: "generator" (the sampler's), "torch" (the
    /// process's), "cuda" (the device's).
    std::vector<std::string> rng_types = {"generator"};
    SliceFunction slice;        ///< for a dispatching loader; default: rows of every tensor
    at::Generator process_rng;  ///< undefined: the process's default CPU generator
};

/// Whether batches for that device are made in page-locked memory: only from there a copy to an accelerator overlaps
/// computation.
bool pins_batches(const LoaderSpec& spec, at::Device device);

/// Throws UserError with all errors: no data set or two, a batch size that is not positive or, if split, not a multiple
/// of the number of shards, dispatching without device placement, options that exclude each other. Collective if ranks
/// must agree on something.
std::unique_ptr<Loader> prepare_data_loader(LoaderSpec spec, const PrepareOptions& options = {});

/// The shard of this rank in a mesh. Ranks of one tensor, context or sequence parallel group read the same batches.
Shard shard_of(const parallel::Mesh& mesh);

}  // namespace trainyard::data
