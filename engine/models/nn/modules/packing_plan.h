// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which matrices of a model stay in 4 or 8 bits while it runs: a plan (module_plan.h) whose kernels are stored (as the
// checkpoint has it), dense, nf4, fp4, int8, float8_e4m3fn and float8_e5m2.

#include <optional>
#include <string>
#include <string_view>

#include "config/recipe/recipe.h"
#include "models/nn/model.h"
#include "models/nn/modules/module_plan.h"
#include "models/nn/quantization/packed_kernel.h"

namespace trainyard::models {

struct Packing {
    ModulePlan plan{{{.pattern = "*", .kernel = "stored"}}};
    PackedOptions options = {};
    bool double_quant = false;  ///< of matrices that are quantized when they are read
    /// That such matrices are rounded to before; nothing: to the type that they are stored in.
    std::optional<at::ScalarType> rounded = {};
};

/// Of the kernels float8_e4m3fn and float8_e5m2, which cast (CastKernel).
std::optional<at::ScalarType> cast_type(std::string_view kernel);

/// Whether a parameter is the weight of a Linear layer that a packed kernel can multiply with. That of a head is one
/// unless it is tied.
bool can_pack(const parallel::Parameter& parameter, const Model& model);

/// Of matrices that stay as they are stored. `result`: the dtype of products of the model.
PackedOptions packed_options(const config::QuantizationRecipe& recipe, at::ScalarType result);

/// `result`: as of packed_options. Throws UserError if the recipe names a number format and no matrix of
/// the model can have it, or a module that is not one of the model.
Packing packing_plan(const Model& model, const config::QuantizationRecipe& recipe, at::ScalarType result);

}  // namespace trainyard::models
