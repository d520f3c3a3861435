#pragma once
// Parameters that an autograd node of ours writes gradients to, kept in its context.

#include <torch/csrc/autograd/custom_function.h>

#include "parallel/parameter.h"

namespace trainyard::models {

inline void keep(torch::autograd::AutogradContext* context, const char* name, parallel::Parameter& parameter) {
    context->saved_data[name] = reinterpret_cast<std::int64_t>(&parameter);
}

/// Null stays null.
inline void keep(torch::autograd::AutogradContext* context, const char* name, parallel::Parameter* parameter) {
    context->saved_data[name] = reinterpret_cast<std::int64_t>(parameter);
}

inline parallel::Parameter* kept_or_null(torch::autograd::AutogradContext* context, const char* name) {
    return reinterpret_cast<parallel::Parameter*>(context->saved_data[name].toInt());
}

inline parallel::Parameter& kept(torch::autograd::AutogradContext* context, const char* name) {
    return *reinterpret_cast<parallel::Parameter*>(context->saved_data[name].toInt());
}

}  // namespace trainyard::models
