// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "config/recipe/section_checks.h"
#include "models/spec/family.h"

namespace trainyard::config {

namespace {

constexpr const char *kMethod = "quantization.method", *kPrecision = "training.mixed_precision";

/// Whether a matrix of a block could be the operand of a product in fp8.
bool has_fp8_layer(const ModelRecipe& model, std::int64_t multiple) {
    return std::ranges::any_of(families::family_of(model).tensors(model), [&](const families::TensorShape& tensor) {
        return tensor.part == families::Part::block && tensor.shape.size() == 2 && tensor.name.ends_with(".weight") &&
               std::ranges::all_of(tensor.shape, [&](std::int64_t size) { return size % multiple == 0; });
    });
}

}  // namespace

void check_quantization(const Recipe& recipe, bool own_model, const ReportProblem& complain) {
    const QuantizationRecipe usual;
    const QuantizationRecipe& quantization = recipe.model.quantization;
    const bool four_bit = is_one_of(quantization.method, {Quantization::nf4, Quantization::fp4});
    const auto useless = [&](bool given, const char* key, const Message& why) {
        if (given)
            complain(key, {kMethod}, why);
    };
    useless(quantization.bnb_4bit_use_double_quant && !four_bit, "quantization.bnb_4bit_use_double_quant",
            "is for matrices that become 4-bit ones at the start: set quantization.method to nf4 or fp4");
    const bool by_weights = quantization.method == Quantization::automatic;
    useless(quantization.bnb_4bit_compute_dtype != usual.bnb_4bit_compute_dtype && !four_bit && !by_weights,
            "quantization.bnb_4bit_compute_dtype", "is for 4-bit matrices: set quantization.method to nf4 or fp4");
    useless(quantization.llm_int8_threshold != usual.llm_int8_threshold && !by_weights &&
                quantization.method != Quantization::int8,
            "quantization.llm_int8_threshold", "is for 8-bit matrices: set quantization.method to int8");
    for (const auto& [given, key] :
         {std::pair{!quantization.skip_modules.empty(), "quantization.skip_modules"},
          std::pair{!quantization.keep_in_fp32_modules.empty(), "quantization.keep_in_fp32_modules"}})
        useless(given && !keeps_quantized(recipe.model), key,
                "has no effect without quantization.method: set it to nf4, fp4 or int8");
    if (!keeps_quantized(recipe.model))
        return;
    const auto refuse = [&](bool asked, const std::vector<std::string>& others, const Message& why) {
        if (asked)
            complain(kMethod, others, why);
    };
    refuse(own_model, {"model.model_type"},
           Message("needs a built-in model, not {}: set it to no", recipe.model.model_type));
    refuse(recipe.model.weights.empty(), {"model.weights"},
           "needs model.weights: random matrices that are not trained are of no use");
    refuse(recipe.model.lora.r == 0, {"lora.r"},
           "is for a model that is not trained itself, beside adapters: set lora.r to their rank, e.g. 8, or this to "
           "no");
    refuse(recipe.training.mixed_precision == Precision::fp8, {kPrecision},
           "matrices of 4 and 8 bits are not multiplied in fp8: set training.mixed_precision to bf16");
}

void check_fp8(const Recipe& recipe, bool own_model, bool knows_parameters, const ReportProblem& complain) {
    const Fp8Recipe usual;
    const Fp8Recipe& fp8 = recipe.fp8;
    if (recipe.parallel.comm_wrapper == Precision::fp8)
        complain("parallel.comm_wrapper", {}, "gradients travel in fp16 or bf16: set it to one of them, or to no");
    const bool is_on = recipe.training.mixed_precision == Precision::fp8;
    const bool delayed = fp8.scaling == Fp8Scaling::delayed;
    const auto useless = [&](bool given, const char* key, bool fits) {
        if (given && !is_on)
            complain(key, {kPrecision},
                     "has no effect without training.mixed_precision fp8: set it, or leave this out");
        else if (given && !fits)
            complain(key, {"fp8.scaling"}, Message("has no effect with fp8.scaling {}: leave it out", fp8.scaling));
    };
    useless(fp8.scaling != usual.scaling, "fp8.scaling", true);
    useless(fp8.fp8_format != usual.fp8_format, "fp8.fp8_format", delayed || fp8.scaling == Fp8Scaling::mxfp8);
    useless(fp8.margin != usual.margin, "fp8.margin", delayed);
    useless(fp8.interval != usual.interval, "fp8.interval", delayed);
    useless(fp8.amax_history_len != usual.amax_history_len, "fp8.amax_history_len", delayed);
    useless(fp8.amax_compute_algo != usual.amax_compute_algo, "fp8.amax_compute_algo", delayed);
    useless(!fp8.full_precision.empty(), "fp8.full_precision", delayed);
    const char* gather = "fp8.enable_fsdp_float8_all_gather";
    useless(fp8.enable_fsdp_float8_all_gather, gather, fp8.scaling == Fp8Scaling::tensorwise);
    if (!is_on)
        return;
    if (fp8.enable_fsdp_float8_all_gather && recipe.parallel.zero_stage != 3)
        complain(gather, {"parallel.zero_stage"},
                 "has no effect unless parallel.zero_stage is 3: set that, or leave this out");
    else if (fp8.enable_fsdp_float8_all_gather && recipe.parallel.offload_param_device == OffloadDevice::nvme)
        complain(gather, {"parallel.offload_param_device"},
                 "weights on a disk are sent as they are: set parallel.offload_param_device to none, or leave this "
                 "out");
    const std::int64_t multiple = fp8.scaling == Fp8Scaling::mxfp8 ? 32 : 16;
    if (own_model)
        complain(kPrecision, {"model.model_type"},
                 Message("fp8 needs a built-in model, not {}: use bf16", recipe.model.model_type));
    if (knows_parameters && !has_fp8_layer(recipe.model, multiple))
        complain(kPrecision, {"fp8.scaling"},
                 Message("fp8 is for Linear layers with sizes that are multiples of {}, besides the first and the "
                         "last, and the model has none: use bf16",
                         multiple));
    if (delayed && recipe.parallel.pp_size > 1)
        complain(kPrecision, {"parallel.pp_size"},
                 "the scales of delayed scaling do not work with pipeline stages in this version: set fp8.scaling to "
                 "tensorwise, or parallel.pp_size to 1");
}

}  // namespace trainyard::config
