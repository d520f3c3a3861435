// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of a corpus for one data-parallel rank: the loaders of data/prepare_data_loader.h, walked through by steps. The order of samples is a
// function of (seed, epoch, position); the global batch of a step is a run of consecutive positions, of which micro-batches are the outer
// part and ranks the inner one. So any number of ranks sees the same samples, and resuming needs the number of samples consumed and
// nothing else.
//
// Where one epoch ends (config::DataRecipe::even_batches, join_epochs):
//   joined         the run is one endless pass: a batch at the end of an epoch is completed with the first samples of the next one
//   even           the last batches are completed with samples of the epoch's start, until every rank has as many
//   not even       the last step has what is left: ranks may have short batches, or none
// A step runs the same micro-batches, of the same shape, on every rank whatever it has of them: rows without a sample have labels that are not
// counted, so they give neither loss nor gradients, and the loss of a step is a mean over what is counted (torch's join of uneven inputs).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "data/loader.h"
#include "data/order.h"
#include "distributed/parallel/communicator.h"
#include "distributed/parallel/sequence_share.h"
#include "train/sample_set.h"

namespace trainyard::train {

struct Batch {
    at::Tensor tokens;  ///< [batch, seq] int64; undefined for images
    at::Tensor
        labels;  ///< the task's; -100, or NaN: not counted. Of a part of the positions: what each of them predicts
    at::Tensor attention_mask;      ///< [batch, seq]; undefined: all tokens
    NamedTensors inputs;            ///< further ones, under Hugging Face's names
    std::int64_t first_sample = 0;  ///< number of row 0 within the step's global batch
    std::int64_t targets = 0;       ///< labels that are counted
    int micro_batch = 0;            ///< number within the step, on this rank
};

class DataLoader {
  public:
    /// Reads what the recipe's data names. `ranks`: those that share the batches; collective where data.dispatch_batches is set, and only
    /// their rank 0 opens the data then. Throws UserError of open_samples().
    /// `positions`: those of a sequence that batches have; empty: all of them.
    DataLoader(const config::Recipe& recipe, parallel::Communicator& ranks, at::Device device,
               parallel::PositionRuns positions = {});
    /// Without communication: a shard of samples that are open.
    DataLoader(const config::Recipe& recipe, data::Shard shard, at::Device device,
               std::shared_ptr<const SampleSet> samples);

    DataLoader(const DataLoader&) = delete;
    DataLoader& operator=(const DataLoader&) = delete;

    /// Of a whole step; the last one of an epoch that is not joined has fewer.
    std::int64_t samples_per_step() const { return micro_samples_ * recipe_.training.gradient_accumulation_steps; }
    std::int64_t training_blocks() const { return facts_.training_samples; }
    /// Throws UserError when no label of the training samples is counted.
    void require_targets() const;
    /// Sentences on what the reader of a curve should know of the data: records left out, fewer samples than one step takes.
    std::vector<Message> remarks() const;
    /// Returns SampleSet::files_beside_model(), or nothing on a rank that does not read the data.
    std::vector<inputs::FileBeside> files_beside_model() const {
        return set_ ? set_->files_beside_model() : std::vector<inputs::FileBeside>();
    }
    /// nullptr on a rank that does not read the data.
    const SampleSet* samples() const { return set_.get(); }
    /// Targets of a step in which every label is counted.
    std::int64_t targets_per_step() const { return samples_per_step() * facts_.targets_per_sample; }
    /// Samples of the run after the step that starts behind `samples` of them. Repetitions are not counted.
    std::int64_t samples_after(std::int64_t samples) const;
    /// The same after the first `steps` steps.
    std::int64_t samples_of_steps(std::int64_t steps) const;
    /// Micro-batch `micro` of that step. Asked for in order, it has been read already. Collective where batches are dispatched.
    Batch training_batch(std::int64_t samples, int micro);
    /// Number of held-out samples to look at, the same on every layout.
    std::int64_t evaluation_samples() const { return evaluation_samples_; }
    /// Batches of this rank that these are.
    std::int64_t evaluation_batches() const;
    /// This rank's `index`-th part of them, asked for in order from 0 on; undefined labels when there is none left.
    Batch evaluation_batch(std::int64_t index);

  private:
    /// Properties of the corpus that the reading rank sends to the others.
    struct Facts {
        std::int64_t training_samples = 0, validation_samples = 0;
        std::int64_t targets_per_sample = 0;
        bool has_targets = true;
    };
    struct Place {
        std::int64_t samples = 0;
        int micro = 0;
        bool operator==(const Place&) const = default;
    };
    DataLoader(const config::Recipe& recipe, data::Shard shard, at::Device device,
               std::shared_ptr<const SampleSet> samples, parallel::Communicator* ranks,
               parallel::PositionRuns positions);
    std::unique_ptr<data::Loader> make_loader(bool held_out);
    Place after(Place place) const;
    bool begins_epoch(Place place) const;
    /// Whether any rank has samples of this micro-batch.
    bool has_samples(Place place) const;
    std::int64_t first_row(int micro) const;
    void read_from(Place place);
    /// Completed to `rows` rows, on the device.
    Batch finished_batch(std::optional<Tree> read, std::int64_t first, std::int64_t rows) const;

    config::Recipe recipe_;
    data::Shard shard_;
    at::Device device_;
    std::shared_ptr<const SampleSet> set_;  ///< null on ranks that do not read
    Facts facts_;
    parallel::Communicator* ranks_;  ///< where batches are dispatched
    parallel::PositionRuns positions_;
    bool joined_;
    std::int64_t micro_samples_;  ///< of one micro-batch of all ranks
    std::int64_t evaluation_samples_;
    std::unique_ptr<data::Loader> training_, held_out_;
    std::optional<Place> expected_;  ///< what the training loader gives next
};

}  // namespace trainyard::train
