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
    /// Appends rows to the sequences: of the same length, or, without NextLogits, the first ones of any. Returns the
    /// logits after the last position of each, fp32 [rows, vocabulary] on the CPU.
    at::Tensor next(const std::vector<std::vector<std::int64_t>>& rows);
    /// Row i continues the sequence of row rows[i]. Rows that are not named are dropped.
    void reorder(const std::vector<std::int64_t>& rows);

  private:
    /// Marks the positions of the prompts in padded rows, and those that are appended, as attended to.
    void mask(const std::vector<std::vector<std::int64_t>>& rows, std::int64_t length);

    const models::Model& model_;
    at::Device device_;
    NextLogits next_;
    parallel::KeyValueCache cache_;
    at::Tensor mask_;  ///< [rows, positions] int64, 0: padding; undefined: no row is padded
};

}  // namespace trainyard::generate
