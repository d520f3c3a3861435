// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Layerwise casting (attach_layerwise_casting_hooks of accelerate.big_modeling): matrices and biases of Linear layers
// and convolutions are stored in one dtype, such as float8_e4m3fn, and cast to another for the forward of their unit.
// The next unit's are cast while a unit computes. Of frozen weights beside adapters that are trained: the recipe's
// quantization.method (models/nn/quantization/packed_kernel.h).

#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "inference/dispatch/dispatch_model.h"

namespace trainyard::dispatch {

/// Whether a tensor is one of those: not tables, norms, biases, and heads that are tied to a table.
bool is_cast_layerwise(const ModelTensor& tensor);

struct LayerwiseCasting {
    at::ScalarType storage_dtype = at::kFloat8_e4m3fn;
    at::ScalarType compute_dtype = at::kBFloat16;
    std::vector<std::string> skip_modules_pattern =
        {};  ///< regular expressions (ECMAScript), searched in names of modules: those and what they contain stay
};

/// Throws UserError unless both are floating-point formats.
void check_casting(at::ScalarType storage, at::ScalarType compute);
/// Throws UserError for an invalid pattern.
std::vector<std::regex> skip_patterns(const std::vector<std::string>& patterns);
/// Whether a pattern is found in the name of the module of a tensor, or of one that contains it.
bool is_spared(const std::string& tensor, const std::vector<std::regex>& patterns);

/// Weights stay on the devices where they are; the model must have its weights. Throws UserError for an invalid pattern
/// or dtype.
std::unique_ptr<Dispatched> attach_layerwise_casting_hooks(const models::Model& model, const LayerwiseCasting& casting);

}  // namespace trainyard::dispatch
