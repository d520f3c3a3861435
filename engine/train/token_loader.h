// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The recipe's data for programs with a loop of their own: DataLoader's batches, in its order, as passes over a data::Loader.
//
//     auto loader = accelerator.prepare(std::make_unique<train::TokenLoader>(data, recipe.training));   // a pass is the whole training
//     auto held_out = accelerator.prepare(std::make_unique<train::HeldOutLoader>(data));                // a pass is one evaluation
//
// A batch: tokens, labels [batch, seq] int64; targets: labels of it that are counted; step: updates before it; micro_batch: number within its step;
// first_sample: number of row 0 within the step's global batch (what FlatModel::forward takes).

#include <cstdint>
#include <memory>

#include "config/recipe/recipe.h"
#include "data/loader.h"
#include "train/data_loader.h"

namespace trainyard::train {

/// What both have in common: a pass over numbered batches.
class BatchPasses : public data::Loader {
  public:
    ~BatchPasses() override;
    void begin() override;
    std::optional<Tree> next() override;
    bool at_end() const override { return under_way_ && next_ == batches(); }
    std::int64_t remainder() const override { return -1; }
    std::optional<std::int64_t> length() const override { return batches(); }
    void skip_first_batches(std::int64_t count) override { next_ = count; }
    std::int64_t epoch() const override { return passes_; }
    void set_epoch(std::int64_t) override {}
    void set_observer(data::LoaderObserver* observer) override { observer_ = observer; }
    /// {"next", "passes"}
    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  protected:
    virtual std::int64_t batches() const = 0;
    virtual Tree batch(std::int64_t number) = 0;

  private:
    void end_pass();

    data::LoaderObserver* observer_ = nullptr;
    std::int64_t next_ = 0;  ///< batch to be given; between passes where the next one begins
    std::int64_t passes_ = 0;
    bool under_way_ = false;
};

/// All micro-batches of training.steps steps, epoch after epoch; the state is a place in it.
class TokenLoader final : public BatchPasses {
  public:
    TokenLoader(std::shared_ptr<DataLoader> data, const config::TrainingRecipe& training);
    std::int64_t total_batch_size() const override { return data_->samples_per_step() / accumulation_; }
    std::optional<std::int64_t> dataset_length() const override { return data_->training_blocks(); }

  protected:
    std::int64_t batches() const override { return steps_ * accumulation_; }
    Tree batch(std::int64_t number) override;

  private:
    std::shared_ptr<DataLoader> data_;
    std::int64_t steps_, accumulation_;
};

/// This rank's share of the samples that are held out (training.evaluate_batches of them); ranks may have different numbers of batches.
class HeldOutLoader final : public BatchPasses {
  public:
    explicit HeldOutLoader(std::shared_ptr<DataLoader> data) : data_(std::move(data)) {}
    std::int64_t total_batch_size() const override { return 0; }
    std::optional<std::int64_t> dataset_length() const override { return data_->evaluation_samples(); }

  protected:
    std::int64_t batches() const override { return data_->evaluation_batches(); }
    Tree batch(std::int64_t number) override;

  private:
    std::shared_ptr<DataLoader> data_;
};

}  // namespace trainyard::train
