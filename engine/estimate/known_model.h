// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models whose tensors a configuration does not list: of plug-ins, and of TorchScript files.

#include <fmt/format.h>

#include "base/error.h"
#include "models/spec/family.h"

namespace trainyard::estimate {

/// Throws UserError for a model that nothing can be estimated of.
inline void require_listed_tensors(const families::ModelConfig& model) {
    if (!families::family_of(model).lists_tensors())
        throw UserError(
            "what a model of type {} consists of is known when it is loaded, so its memory cannot be "
            "estimated: start a short run, which reports what it uses",
            model.model_type);
}

}  // namespace trainyard::estimate
