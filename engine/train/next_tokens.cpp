// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/next_tokens.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "distributed/pipeline/pipeline_schedule.h"

namespace trainyard::train {

NextTokens::NextTokens(Training& training)
    : training_(training),
      executor_(pipeline::forward_schedule(training.model.part().rank_of_stage, 1), training.pipeline(), *this),
      // Ranks of a pipeline are the slowest dimension of the mesh.
      root_(training.model.part().rank_of_stage.back() * (training.mesh.world_size() / training.model.part().ranks)),
      divides_positions_(training.model.tensor_ranks().size() > 1 && training.recipe.parallel.tp_sequence_parallel) {}

at::Tensor NextTokens::next(const at::Tensor& tokens, parallel::KeyValueCache& cache) {
    const at::NoGradGuard no_grad;
    std::int64_t last = tokens.size(1) - 1;
    tokens_ = tokens;
    if (divides_positions_) {
        seen_ = cache.length == 0 ? tokens : at::cat({seen_, tokens}, 1);
        const std::int64_t ranks = training_.model.tensor_ranks().size(), length = seen_.size(1);
        last = length - 1;
        // Later positions do not change the result of a position.
        const at::Tensor rest = at::zeros({tokens.size(0), (ranks - length % ranks) % ranks}, tokens.options());
        tokens_ = at::cat({seen_, rest}, 1);
    }
    tokens_ = tokens_.to(training_.device);
    cache_ = divides_positions_ ? nullptr : &cache;
    executor_.run();
    cache.length += tokens.size(1);
    const auto numbers = at::TensorOptions().dtype(at::kFloat).device(training_.device);
    const at::Tensor next = training_.mesh.rank() == root_
                                ? logits_.select(1, last).to(numbers).contiguous()
                                : at::empty({tokens.size(0), training_.model.model().config().vocab_size}, numbers);
    logits_ = at::Tensor();
    training_.mesh.everyone().broadcast(next, root_, "next token of a sample");
    return next.cpu();
}

parallel::StepContext NextTokens::context() {
    parallel::StepContext context;
    context.tokens = tokens_;
    context.training = false;
    context.cache = cache_;
    context.logits = &logits_;
    training_.model.note_ranks(context);
    return context;
}

parallel::Tensors NextTokens::forward(int stage, int, const parallel::Tensors& inputs) {
    parallel::StepContext step = context();
    return training_.model.run(stage, inputs, step);
}

parallel::Tensors NextTokens::empty_inputs(int stage, int) {
    return training_.model.model().empty_streams(*training_.model.part().stages.at(stage).front(), context(),
                                                 training_.device);
}

}  // namespace trainyard::train
