// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loaders of Megatron-LM's indexed data sets: training, validation and test parts of one set or blend, endless, on
// the first rank of every tensor-parallel group. Accelerate's MegatronLMDummyDataLoader, prepared three times.
//
//     data::MegatronLoaders loaders = data::megatron_loaders({.data_path = {"corpus"}, .seq_length = 1024}, mesh);
//     while (step < steps) {
//         Tree batch = loaders.training ? loaders.training->next() : Tree();
//         ...
//     }

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <c10/core/Device.h>

#include "data/loader.h"
#include "distributed/parallel/mesh.h"
#include "distributed/tensors/tree.h"

namespace trainyard::data {

/// Describes indexed sets, their parts and batches.
struct MegatronLoaderSpec {
    /// Prefixes of indexed sets, or a weight before each of them: {"0.3", "books", "0.7", "web"}. Without weights the
    /// samples of a set are in proportion to its size.
    std::vector<std::string> data_path;
    std::string splits_string = "969,30,1";  ///< shares of the sequences for training, validation and test
    std::int64_t seq_length = 0;             ///< tokens of a sample; it has one more for the labels
    std::int64_t micro_batch_size = 1;       ///< samples of a batch
    /// Samples that each part has at least before it begins again; 0: those of one epoch of the set.
    std::array<std::int64_t, 3> samples = {};
    std::uint32_t seed = 1234;  ///< of the order of sequences
    int num_workers = 0;        ///< threads that read ahead
};

/// Batches without an end: after the last batch of a pass the first one of the next pass follows. One thread.
class EndlessLoader : public Stateful {
  public:
    /// `loader` has at least one batch.
    explicit EndlessLoader(std::unique_ptr<Loader> loader);
    /// Returns the next batch.
    Tree next();
    /// The loader of one pass.
    const Loader& loader() const { return *loader_; }
    /// Returns the place in the current pass.
    Tree state_dict() const override { return loader_->state_dict(); }
    /// Continues at that place.
    void load_state_dict(const Tree& state) override;

  private:
    std::unique_ptr<Loader> loader_;
    bool in_pass_ = false;
};

/// A part is nullptr if its share is 0, and on ranks that are not the first of their tensor-parallel group.
struct MegatronLoaders {
    std::unique_ptr<EndlessLoader> training;    ///< of the first share
    std::unique_ptr<EndlessLoader> validation;  ///< of the second share
    std::unique_ptr<EndlessLoader> test;        ///< of the third share
};

/// Batches are {"input_ids": [micro_batch_size, seq_length + 1], "labels": the same} on `device`; the data ranks of
/// `mesh` read different ones. Throws UserError with all problems of the spec on every rank; for sets that cannot be
/// read and parts with less than one batch for each data rank on the ranks that read.
MegatronLoaders megatron_loaders(const MegatronLoaderSpec& spec, const parallel::Mesh& mesh,
                                 at::Device device = at::Device(at::kCPU));

}  // namespace trainyard::data
