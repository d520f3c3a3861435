// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an evaluation computes beside the loss: the figures of the task, and those of plug-ins (training.metrics).
//   accuracy   classification, multiple_choice: share of the labels that are found
//   exact_match, f1   question_answering: share of the questions answered letter by letter, mean F1 of the words
//   f1, precision, recall, with _macro, _micro, _weighted   classification, in training.metrics
//   accuracy, mean_iou, mean_accuracy   semantic_segmentation: of the pixels, as transformers' examples name them
//   overall_f1, overall_precision, overall_recall, PER_f1, ...   token_classification, with seqeval in training.metrics
//   accuracy, contrastive_loss, codevector_perplexity (train/evaluation.cpp)   speech_pretraining: of masked frames
//   perplexity of language models: train/evaluation.cpp
//   spearman   sentence_embedding with cosine_similarity: rank correlation of cosines and labels

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "train/loop/class_outcome.h"

namespace trainyard::train {

class SampleSet;

using HeldOutValues = std::vector<std::pair<std::string, double>>;

class HeldOutMetric {
  public:
    virtual ~HeldOutMetric() = default;
    virtual void reset() = 0;
    virtual void update(const at::Tensor& outputs, const at::Tensor& labels) = 0;
    /// Returns the curves and their values over all ranks; collective.
    virtual HeldOutValues values(parallel::Communicator& ranks) = 0;
};

class HeldOutMetrics {
  public:
    /// Throws UserError for a name that no plug-in has. `samples` judge answers of question_answering, on ranks that
    /// read the data; they outlive it.
    explicit HeldOutMetrics(const config::Recipe& recipe, const SampleSet* samples = nullptr);
    bool any() const { return !rows_.empty() || outcome_; }
    void reset();
    /// A batch: what the model's head gave, and the labels. `first_sample`: number of its first row.
    void update(const at::Tensor& outputs, const at::Tensor& labels, std::int64_t first_sample = 0);
    HeldOutValues values(parallel::Communicator& ranks);
    /// Nothing for tasks without classes, and for more than run::kMostClasses. `counts`: no other rank counts the
    /// samples of this one. Collective.
    std::optional<ClassOutcome> classes(parallel::Communicator& ranks, bool counts);

  private:
    std::vector<std::unique_ptr<HeldOutMetric>> rows_;
    std::optional<ClassOutcome> outcome_;  ///< of this rank
};

/// Spearman's correlation: Pearson's of the ranks, equal values having the mean of theirs. NaN where one side is
/// constant.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace trainyard::train
