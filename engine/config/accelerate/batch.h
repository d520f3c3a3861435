// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What changes with the number of ranks: effective batch, learning rate, optimizer and scheduler steps; and which settings keep a
// run comparable on another set-up. Source: Accelerate's guide on comparing performance across set-ups; Goyal et al. 2017
// (linear scaling), Krizhevsky 2014 (square root).

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::settings {

/// Counts beyond 1,048,576 are taken as that.
struct BatchSetup {
    std::int64_t batch_per_rank = 1;  ///< sequences or samples of one rank and micro step
    std::int64_t ranks = 1;           ///< that share the data (world size / tensor, pipeline and context sizes)
    std::int64_t accumulation = 1;
    double learning_rate = 0;
    std::int64_t samples_per_epoch = 0;  ///< 0: unknown
};

enum class LearningRateRule { keep, linear, square_root };

struct BatchFacts {
    std::int64_t effective_batch = 1;
    std::int64_t optimizer_steps_per_epoch = 0;
};
BatchFacts facts(const BatchSetup& setup);

/// `setup` on another number of ranks: the choices that keep the effective batch (where whole numbers allow it), and the learning
/// rate the rule asks for where it changes.
struct BatchChoice {
    BatchSetup setup;
    Message why;  ///< "same effective batch with accumulation 4"
};
std::vector<BatchChoice> choices_on(const BatchSetup& setup, std::int64_t ranks, LearningRateRule rule);

}  // namespace trainyard::settings
