#pragma once
// From the description of a loader (what torch's DataLoader is constructed from) to the loader of one rank: accelerate's
// prepare_data_loader. One function decides, so that a loader used alone, by the Accelerator or by the bundled engine is the same.
//
//     auto loader = prepare_data_loader({.dataset = set, .batch_size = 8, .shuffle = true}, {.shard = {rank, world}, .communicator = &all});
//     for (Tree& batch : *loader) ...
//
// Every loader keeps its place (state_dict), also with worker threads, and goes on there on any number of ranks; there is no
// separate "stateful" kind to choose.

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
#include "parallel/communicator.h"
#include "parallel/mesh.h"

namespace trainyard::data {

/// What torch.utils.data.DataLoader takes. Exactly one of `dataset` and `stream` is set.
struct LoaderSpec {
    std::shared_ptr<Dataset> dataset = nullptr;
    std::shared_ptr<IterableDataset> stream = nullptr;
    std::int64_t batch_size = 1;
    bool shuffle = false;  ///< RandomSampler over the data set
    bool drop_last = false;
    std::shared_ptr<Sampler> sampler = nullptr;  ///< in the place of shuffle
    std::shared_ptr<BatchSampler> batch_sampler =
        nullptr;                   ///< in the place of batch_size, shuffle, sampler and drop_last
    CollateFunction collate = {};  ///< default: Dataset::get_batch, or collate() of the stream's samples
    at::Generator generator = {};  ///< of the shuffle
    /// Threads that make batches ahead of their use; 0: made when asked for. Order does not depend on it. One thread reads a stream,
    /// the others collate.
    int num_workers = 0;
    int prefetch_factor = 2;  ///< batches per worker that are made ahead (the memory it takes)
    bool pin_memory = false;  ///< page-locked batches; nothing happens without an accelerator
};

/// Rows [begin, end) of the global batch, for the shard of `index` of `count`. Runs on rank 0.
using SliceFunction = std::function<Tree(const Tree& global, std::int64_t begin, std::int64_t end, Shard shard)>;

struct PrepareOptions {
    Shard shard;  ///< of this rank, see shard_of()
    parallel::Communicator* communicator =
        nullptr;  ///< over all ranks that prepare this loader; not owned; null: one rank
    at::Device device = at::Device(at::kCPU);
    bool put_on_device = true;
    bool split_batches = false;
    std::optional<bool> dispatch_batches;  ///< default: put_on_device and the data set is a stream
    bool even_batches = true;
    bool use_seedable_sampler = false;
    std::optional<std::int64_t> data_seed;  ///< of the seedable sampler; default: the seed of the process' generator
    bool non_blocking = false;
    /// Generators that take rank 0's state at the start of every pass: "generator" (the sampler's), "torch" (the process'), "cuda"
    /// (the device's).
    std::vector<std::string> rng_types = {"generator"};
    SliceFunction slice;        ///< of a dispatching loader; default: rows of every tensor
    at::Generator process_rng;  ///< undefined: the process' default CPU generator
};

/// Throws UserError (all that is wrong at once): no or two data sets, batch size not positive or, split, no multiple of the shards,
/// dispatch without device placement, options that exclude each other. Collective where ranks must agree on something.
std::unique_ptr<Loader> prepare_data_loader(LoaderSpec spec, const PrepareOptions& options = {});

/// The shard of this rank in a mesh: ranks of one tensor, context or sequence parallel group read the same batches.
Shard shard_of(const parallel::Mesh& mesh);

}  // namespace trainyard::data
