// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stores parameters in the context of our autograd nodes, which write gradients to them.

#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/parameter.h"

namespace trainyard::models {

inline void keep(torch::autograd::AutogradContext* context, const char* name, parallel::Parameter& parameter) {
    context->saved_data[name] = reinterpret_cast<std::int64_t>(&parameter);
}

/// nullptr stays nullptr.
inline void keep(torch::autograd::AutogradContext* context, const char* name, parallel::Parameter* parameter) {
    context->saved_data[name] = reinterpret_cast<std::int64_t>(parameter);
}

inline parallel::Parameter* saved_parameter_or_null(torch::autograd::AutogradContext* context, const char* name) {
    return reinterpret_cast<parallel::Parameter*>(context->saved_data[name].toInt());
}

inline parallel::Parameter& saved_parameter(torch::autograd::AutogradContext* context, const char* name) {
    return *reinterpret_cast<parallel::Parameter*>(context->saved_data[name].toInt());
}

}  // namespace trainyard::models
