// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Activation checkpointing: a part of a network whose inside autograd does not keep. Its forward runs again when
// backward reaches it, and what backward needs is there until backward has left it: memory of one part at a time for
// one more forward. Chen et al., "Training deep nets with sublinear memory cost", 2016.
//
// As torch.utils.checkpoint with use_reentrant=False: the graph is the ordinary one, with every saved tensor replaced
// by its number, so gradients, their order and the hooks on them are the same with and without it. Parts may nest: the
// inner ones then keep their inputs.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/FunctionRef.h>

namespace trainyard::parallel {

struct ActivationCheckpointOptions {
    std::string name = "the function";  ///< of what is checkpointed, for messages
    /// LibTorch's generators are as in the first run when the forward runs again, and as before afterwards. Off where
    /// the forward draws no random numbers, or, as the units of the engine, by counter.
    bool preserve_rng_state = true;
    /// State that the forward changes (running statistics): keeps the values of the first run.
    std::vector<at::Tensor> buffers = {};
    /// Selective recomputation: the results of products, convolutions and attention stay (kept_output(), and LibTorch's
    /// operations that do the same), and the rest is computed again. Those of an operation with dropout of its own do
    /// not stay.
    bool keeps_outputs = false;
};

/// Runs `forward(inputs)` and returns its result. Only `inputs`, and what `forward` itself holds, is kept for backward.
/// `forward` must do the same each time; where it saves other tensors the second time (their number, shapes or dtypes),
/// backward throws std::runtime_error that names the part. Without grad mode it is a plain call.
std::vector<at::Tensor> activation_checkpoint(
    std::function<std::vector<at::Tensor>(const std::vector<at::Tensor>&)> forward,
    const std::vector<at::Tensor>& inputs, ActivationCheckpointOptions options = {});

/// What costs much time for the memory of its results, inside of forward: compute(), but where a part that keeps its
/// outputs runs again, they are what the first run computed. Results that something changed in place since then are
/// computed again. The function that calls it saves its tensors for backward in both runs alike, and none of those that
/// `compute` makes beside its results. Korthikanti et al., "Reducing activation recomputation in large transformer
/// models", 2022.
std::vector<at::Tensor> kept_outputs(c10::function_ref<std::vector<at::Tensor>()> compute);
at::Tensor kept_output(c10::function_ref<at::Tensor()> compute);

}  // namespace trainyard::parallel
