// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an evaluation computes beside the loss: the figures of the task, and those of plug-ins (training.metrics).
//   accuracy   classification: share of the labels that are found
//   spearman   sentence_embedding with cosine_similarity: rank correlation of cosines and labels

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::train {

class HeldOutMetric {
  public:
    virtual ~HeldOutMetric() = default;
    virtual void reset() = 0;
    virtual void update(const at::Tensor& outputs, const at::Tensor& labels) = 0;
    /// Returns the value over all ranks; collective.
    virtual double value(parallel::Communicator& ranks) = 0;
};

using HeldOutValues = std::vector<std::pair<std::string, double>>;

class HeldOutMetrics {
  public:
    /// Throws UserError for a name that no plug-in has.
    explicit HeldOutMetrics(const config::Recipe& recipe);
    bool any() const { return !rows_.empty(); }
    void reset();
    /// A batch: what the model's head gave, and the labels.
    void update(const at::Tensor& outputs, const at::Tensor& labels);
    HeldOutValues values(parallel::Communicator& ranks);

  private:
    std::vector<std::pair<std::string, std::unique_ptr<HeldOutMetric>>> rows_;
};

/// Spearman's correlation: Pearson's of the ranks, equal values having the mean of theirs. NaN where one side is constant.
double spearman(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace trainyard::train
