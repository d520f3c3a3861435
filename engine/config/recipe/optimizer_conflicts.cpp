// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/optimizer_conflicts.h"

#include <fmt/format.h>

#include "config/recipe/optimizer_kinds.h"

namespace trainyard::config {

namespace {

/// Gradients that are used while backward runs are neither summed up nor known as a whole before the update.
Message reason_in_backward(TrainingFeature feature) {
    switch (feature) {
        case TrainingFeature::clipping_by_norm:
            return "the norm of all gradients is known only after it; leave it out (0)";
        case TrainingFeature::clipping_by_value:
            return "no gradient is left to be clipped; leave it out, or set the optimizer's own limit "
                   "(clip_grad_value of Lomo, clip_threshold of AdaLomo)";
        case TrainingFeature::accumulation:
            return "no gradient is kept for the next micro-batch; set it to 1";
        case TrainingFeature::smaller_batches:
            return "no gradient is kept for the next micro-batch; set it to no, and make training.batch_size smaller";
        case TrainingFeature::loss_scaling:
            return "whether the scaled gradients overflow is known only after it; use bf16 or no";
        case TrainingFeature::several_ranks:
            return "the ranks cannot sum their gradients before; start one process, or use adafactor";
        case TrainingFeature::local_sgd:
        case TrainingFeature::zero:
            return "it works on one rank; set it to 0";
        case TrainingFeature::pipeline:
            return "it works on one rank; set it to 1";
        case TrainingFeature::gradient_histograms:
            return "there are no gradients to show; set it to 0";
        case TrainingFeature::non_finite_updates:
            return "a gradient that is not finite is always left out, and what comes after it; use skip, rollback, "
                   "pause or stop";
        case TrainingFeature::skipped_updates:
            return "the update is done when a jump is noticed; use ignore, warn or rollback";
        default:
            return {};
    }
}

/// 1-bit and 0/1 Adam: every rank exchanges all of its momentum, which it has whole.
Message reason_with_signs(TrainingFeature feature) {
    switch (feature) {
        case TrainingFeature::zero:
            return "every rank needs all of the momentum; set it to 0";
        case TrainingFeature::local_sgd:
            return "it replaces the exchange of gradients, too; set it to 0";
        case TrainingFeature::pipeline:
        case TrainingFeature::divided_model:
            return "the ranks that exchange momenta have the whole model; set it to 1";
        case TrainingFeature::gradient_hook:
            return "after the warm-up gradients are not sent; set it to no";
        case TrainingFeature::offloaded_state:
            return "momenta and errors are in memory; set it to none";
        case TrainingFeature::uneven_inputs:
            return "every rank takes part in every exchange; give all ranks the same number of batches";
        default:
            return {};
    }
}

/// LBFGS: closures clear the gradients, and see the loss several times in an update.
Message reason_with_closure(TrainingFeature feature) {
    switch (feature) {
        case TrainingFeature::accumulation:
            return "each of these clears the gradients; set it to 1, and add up the micro-batches inside of the "
                   "closure";
        case TrainingFeature::smaller_batches:
            return "each of these clears the gradients; set it to no, and make training.batch_size smaller";
        case TrainingFeature::loss_scaling:
            return "it would compare scaled losses; use bf16 or no";
        default:
            return {};
    }
}

}  // namespace

OptimizerTraits traits_of(const OptimizerKind& kind) {
    return {.name = kind.name,
            .element_wise = kind.element_wise,
            .averages = kind.averages,
            .in_backward = kind.in_backward,
            .needs_closure = kind.with_closure,
            .exchanges_signs = kind.exchanges_signs,
            .local_steps = kind.local_steps};
}

Message conflict(const OptimizerTraits& optimizer, TrainingFeature feature) {
    if (const Message reason = optimizer.in_backward ? reason_in_backward(feature) : Message(); !reason.empty())
        return Message("does not go with {}, which updates while backward runs: {}", optimizer.name, reason);
    if (const Message reason = optimizer.needs_closure ? reason_with_closure(feature) : Message(); !reason.empty())
        return Message("does not go with {}, which computes the loss several times in an update: {}", optimizer.name,
                       reason);
    if (const Message reason = optimizer.exchanges_signs ? reason_with_signs(feature) : Message(); !reason.empty())
        return Message("does not go with {}, which exchanges signs of momenta instead of gradients: {}", optimizer.name,
                       reason);
    if (optimizer.local_steps &&
        (feature == TrainingFeature::weight_average || feature == TrainingFeature::compared_weights))
        return Message(
            "does not go with {}, under which the weights of ranks differ between two exchanges: set it to 0",
            optimizer.name);
    if (feature == TrainingFeature::zero && !optimizer.element_wise)
        return Message(
            "{} needs whole parameters, and under ZeRO every rank has slices of them: set "
            "zero_stage to 0, or take another optimizer",
            optimizer.name);
    if (feature == TrainingFeature::weight_average && optimizer.averages)
        return Message("{} keeps an average of the weights of its own: leave it out", optimizer.name);
    if (feature == TrainingFeature::local_sgd && optimizer.averages)
        return Message(
            "{} averages over its own steps, which ranks that train separately do not share: "
            "leave it out",
            optimizer.name);
    return {};
}

}  // namespace trainyard::config
