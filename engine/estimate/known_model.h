// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models whose memory does not follow from a configuration: of plug-ins, of TorchScript files, for images of any size.

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::estimate {

/// Whether what a training of the model needs is estimated. Networks for images of any size depend on that size.
inline bool estimates_training(const families::ModelConfig& model) {
    const families::Family& family = families::family_of(model);
    const bool any_size =
        families::reads_images(family.tasks().front().task) && families::find_key(family, "image_size") == nullptr;
    return family.lists_tensors() && !any_size;
}

/// Throws UserError for a model that nothing can be estimated of.
inline void require_listed_tensors(const families::ModelConfig& model) {
    if (!families::family_of(model).lists_tensors())
        throw UserError(
            "what a model of type {} consists of is known when it is loaded, so its memory cannot be "
            "estimated: start a short run, which reports what it uses",
            model.model_type);
}

}  // namespace trainyard::estimate
