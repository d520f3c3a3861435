#pragma once
// Batches of a corpus for one data-parallel rank. The order of samples is a function of (seed, position): the global batch of a step is
// a run of consecutive positions, each rank and micro-batch takes its slice of it. So any number of ranks sees the same samples, and
// resuming needs the number of samples consumed and nothing else. The batches that follow the one asked for are read ahead by a thread
// (data/prefetcher.h): pages of a large mapped file come from the disk, and copies to pinned memory are made, beside the step.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe.h"
#include "data/prefetcher.h"
#include "io/byte_corpus.h"
#include "train/corpus.h"

namespace trainyard::train {

/// Which share of each global batch this rank takes.
struct DataShare {
    int rank = 0;  ///< coordinate along the data dimensions
    int ranks = 1;
};

struct Batch {
    at::Tensor tokens;              ///< [batch, seq] int64
    at::Tensor labels;              ///< the same shape; -100: not counted
    std::int64_t first_sample = 0;  ///< number of row 0 within the step's global batch
    std::int64_t targets = 0;       ///< labels that are counted: position t predicts t + 1
    int micro_batch = 0;            ///< number within the step, on this rank
};

class DataLoader {
  public:
    /// Reads what the recipe's data names.
    DataLoader(const config::Recipe& recipe, DataShare share, at::Device device);
    DataLoader(const config::Recipe& recipe, DataShare share, at::Device device, std::unique_ptr<Corpus> corpus);

    DataLoader(const DataLoader&) = delete;
    DataLoader& operator=(const DataLoader&) = delete;

    std::int64_t samples_per_step() const { return samples_per_step_; }
    std::int64_t training_blocks() const { return corpus_->training_samples(); }
    /// Sentences on what the reader of a curve should know of the data: records left out, fewer samples than one step takes.
    std::vector<std::string> remarks() const;
    /// Targets of a step in which every label is counted.
    std::int64_t targets_per_step() const { return samples_per_step_ * (recipe_.data.sequence_length - 1); }
    /// Micro-batch `micro` of the step that starts after `samples` samples of the run. Asked for in order, it has been read already.
    Batch training_batch(std::int64_t samples, int micro);
    /// Number of held-out samples to look at, the same on every layout.
    std::int64_t evaluation_samples() const { return evaluation_samples_; }
    /// Batches of this rank that these are.
    std::int64_t evaluation_batches() const;
    /// This rank's `index`-th part of them; undefined tokens when there is none left.
    Batch evaluation_batch(std::int64_t index);

  private:
    struct Place {
        std::int64_t samples = 0;
        int micro = 0;
        bool operator==(const Place&) const = default;
    };
    Place after(Place place) const;
    std::int64_t first_row(int micro) const;
    void read_ahead_from(Place place);
    data::BatchJob job_at(Place place);
    std::int64_t block_at(std::int64_t sample);
    /// Rows of the corpus in host memory: tokens, labels, number of targets.
    Tree read(const std::vector<std::int64_t>& rows, bool held_out) const;
    Batch placed(const Tree& read, std::int64_t first) const;

    config::Recipe recipe_;
    DataShare share_;
    at::Device device_;
    std::unique_ptr<Corpus> corpus_;
    std::int64_t samples_per_step_;
    std::int64_t evaluation_samples_;
    // Of the thread that gives out jobs.
    std::int64_t epoch_ = -1;
    std::unique_ptr<io::Permutation> order_;
    Place next_read_;
    Place expected_;  ///< what the reader gives next
    std::unique_ptr<data::Prefetcher> reader_;
};

}  // namespace trainyard::train
