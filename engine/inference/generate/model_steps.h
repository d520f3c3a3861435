// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model as generation runs it, a piece of each row at a time. Inside this library.

#include <cstdint>
#include <utility>
#include <vector>

#include "inference/generate/generate.h"
#include "models/nn/model.h"

namespace trainyard::generate {

class ModelSteps {
  public:
    /// `next`: of a model that ranks compute together, all of which make the same text; empty: this one has all of it.
    ModelSteps(const models::Model& model, at::Device device, NextLogits next)
        : model_(model), device_(device), next_(std::move(next)) {}
    /// Appends rows of the same length to the sequences. Returns the logits after the last position of each, fp32
    /// [rows, vocabulary] on the CPU.
    at::Tensor next(const std::vector<std::vector<std::int64_t>>& rows);
    /// Row i continues the sequence of row rows[i].
    void reorder(const std::vector<std::int64_t>& rows);

  private:
    const models::Model& model_;
    at::Device device_;
    NextLogits next_;
    parallel::KeyValueCache cache_;
};

}  // namespace trainyard::generate
