// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What some optimizers cannot be combined with. One table for recipes (recipe_checks.cpp, recipe_ranks.cpp) and for
// programs (accelerator/).

#include <string>

#include "base/message.h"

namespace trainyard::config {

struct OptimizerKind;

/// Properties of an optimizer that decide which trainings it can be used in.
struct OptimizerTraits {
    std::string name;
    bool element_wise = true;      ///< each element is updated independently of the others
    bool averages = false;         ///< schedule-free: evaluated at an average that the optimizer maintains
    bool in_backward = false;      ///< parameters are updated while backward runs, and gradients are not kept
    bool needs_closure = false;    ///< one update computes the loss several times
    bool exchanges_signs = false;  ///< ranks exchange compressed momenta instead of gradients
    bool local_steps = false;      ///< weights of ranks may differ between two exchanges
};
OptimizerTraits traits_of(const OptimizerKind& kind);

/// Parts of a training that not every optimizer supports.
enum class TrainingFeature {
    clipping_by_norm,
    clipping_by_value,
    accumulation,
    smaller_batches,  ///< micro-batches that run out of memory are made smaller
    loss_scaling,     ///< fp16
    several_ranks,
    local_sgd,
    zero,  ///< ranks share out the optimizer's state
    pipeline,
    gradient_histograms,
    non_finite_updates,  ///< health: updates with gradients that are not finite are made
    skipped_updates,     ///< health: an update is left out because of its loss or gradients
    weight_average,      ///< EMA, SWA
    gradient_hook,       ///< gradients that are approximated between the ranks
    offloaded_state,     ///< weights or optimizer state on a disk
    divided_model,       ///< ranks with parts of the model, of its sequences or experts
    compared_weights,    ///< health: weights of the ranks are compared
    uneven_inputs,       ///< ranks with fewer batches than others
};

/// Returns why the optimizer does not support the feature, with what to do instead; an empty message if it does.
Message conflict(const OptimizerTraits& optimizer, TrainingFeature feature);

}  // namespace trainyard::config
