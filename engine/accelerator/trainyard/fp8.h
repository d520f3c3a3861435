// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How Linear layers are multiplied with mixed_precision fp8: Accelerate's keyword handlers. A value that is left out is
// the launch's ($ACCELERATE_FP8_...), else the default.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace trainyard::accelerator {

/// A Linear layer of a model, for a filter.
struct Fp8LayerInfo {
    std::string name;               ///< as the module registers it: "layers.0.up"
    std::int64_t in_features = 0;   ///< the size of inputs
    std::int64_t out_features = 0;  ///< the size of outputs
    bool is_first = false;          ///< of the Linear layers, in the order of registration
    bool is_last = false;           ///< the same
};
/// Returns whether a layer is multiplied in fp8.
using Fp8LayerFilter = std::function<bool(const Fp8LayerInfo& layer)>;

/// Transformer Engine's recipes: scales from the magnitudes of earlier steps, or of blocks of 32.
struct TERecipeKwargs {
    std::optional<std::int64_t> margin = std::nullopt;    ///< scales are divided by 2^margin; default: 0
    std::optional<std::int64_t> interval = std::nullopt;  ///< steps from one computation of the scales to the next; 1
    /// HYBRID (E4M3 forward, E5M2 for gradients), the default, or E4M3.
    std::optional<std::string> fp8_format = std::nullopt;
    std::optional<std::int64_t> amax_history_len = std::nullopt;  ///< steps whose magnitudes count; 1024
    std::optional<std::string> amax_compute_algo = std::nullopt;  ///< most_recent, the default, or max
    /// Products in full precision: output, gradient of the input, gradient of the weight. Default: none.
    std::optional<std::array<bool, 3>> override_linear_precision = std::nullopt;
    std::optional<bool> use_mxfp8_block_scaling = std::nullopt;  ///< MXFP8; default: false
    /// Chooses the layers. Empty: all but the first and the last, with sizes that are multiples of 16 (MXFP8: 32).
    Fp8LayerFilter module_filter_func = {};
};

/// torchao's Float8Linear with scales from the operands' own magnitudes.
struct AORecipeKwargs {
    /// With zero_stage 3: these layers' weights are gathered as 8-bit values with a scale for each, with the same
    /// results. Default: true.
    std::optional<bool> enable_fsdp_float8_all_gather = std::nullopt;
    /// Scales: tensorwise (the default), a scale for each tensor; rowwise; rowwise_with_gw_hp, with the gradient of the
    /// weight in full precision.
    std::optional<std::string> recipe_name = std::nullopt;
    /// Chooses the layers. Empty: all but the first and the last, with sizes that are multiples of 16.
    Fp8LayerFilter module_filter_func = {};
};

/// Is refused: Microsoft has abandoned MS-AMP.
struct MSAMPRecipeKwargs {
    /// O1 or O2, the default.
    std::string opt_level = "O2";
};

/// One of the handlers.
using Fp8RecipeHandler = std::variant<TERecipeKwargs, AORecipeKwargs, MSAMPRecipeKwargs>;

}  // namespace trainyard::accelerator

namespace trainyard {
using accelerator::AORecipeKwargs;
using accelerator::MSAMPRecipeKwargs;
using accelerator::TERecipeKwargs;
}  // namespace trainyard
