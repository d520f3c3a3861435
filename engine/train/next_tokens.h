// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The logits of the next token of a model whose stages, layers or experts several ranks have: samples of text that it
// writes while it trains.

#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/schedule_executor.h"
#include "train/training.h"

namespace trainyard::train {

class NextTokens : private parallel::PipelineStages {
  public:
    /// `training` outlives it.
    explicit NextTokens(Training& training);
    NextTokens(const NextTokens&) = delete;
    NextTokens& operator=(const NextTokens&) = delete;
    /// Appends tokens [rows, length] to the sequences of `cache`. Returns the logits after the last position, fp32
    /// [rows, vocabulary] on the CPU, the same on all ranks. Collective over all ranks, with the same tokens.
    at::Tensor next(const at::Tensor& tokens, parallel::KeyValueCache& cache);

  private:
    parallel::Tensors forward(int stage, int micro_batch, const parallel::Tensors& inputs) override;
    parallel::Tensors empty_inputs(int stage, int micro_batch) override;
    parallel::StepContext context();

    Training& training_;
    parallel::ScheduleExecutor executor_;
    int root_;                    ///< a rank with the last stage
    bool divides_positions_;      ///< a single position does not divide, so all of them are computed again
    at::Tensor tokens_, logits_;  ///< of the forward that runs
    at::Tensor seen_;             ///< all tokens, where positions are divided
    parallel::KeyValueCache* cache_ = nullptr;
};

}  // namespace trainyard::train
