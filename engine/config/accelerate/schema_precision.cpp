// SPDX-License-Identifier: GPL-3.0-or-later
// dynamo_config and fp8_config. Source: TorchDynamoPlugin, the FP8 recipe arguments and their flags of launch.

#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

std::string backend_of(const Settings& settings) {
    std::string backend = settings.text("fp8_config.backend");
    for (char& c : backend)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return backend;
}
bool compiles(const Settings& settings) {
    std::string backend = settings.text("dynamo_config.dynamo_backend", "NO");
    return backend != "NO" && backend != "no";
}
bool is_fp8(const Settings& settings) {
    return settings.text("mixed_precision") == "fp8";
}
bool is_engine(const Settings& settings) {
    return is_fp8(settings) && backend_of(settings) == "TE";
}
bool is_amp(const Settings& settings) {
    return is_fp8(settings) && backend_of(settings) == "MSAMP";
}
bool is_ao(const Settings& settings) {
    return is_fp8(settings) && backend_of(settings) == "AO";
}

constexpr std::string_view kEngine = "backend is TE";
constexpr std::string_view kAo = "backend is AO";
constexpr std::string_view kCompiles = "dynamo_backend is not NO";

}  // namespace

void add_dynamo_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::dynamo, "Resources", "all");
    row("dynamo_backend", Type::choice, "Compile with", "Backend of torch.compile; NO leaves the model as it is")
        .choices({"NO", "EAGER", "AOT_EAGER", "INDUCTOR", "AOT_TS_NVFUSER", "NVPRIMS_NVFUSER", "CUDAGRAPHS", "OFI",
                  "FX2TRT", "ONNXRT", "TENSORRT", "AOT_TORCHXLA_TRACE_ONCE", "TORCHXLA_TRACE_ONCE", "TVM",
                  "HPU_BACKEND", "NEURON"})
        .any_case()
        .effective("NO")
        .flag("--dynamo_backend")
        .always("ACCELERATE_DYNAMO_BACKEND")
        .upper()
        .since("0.17");
    row("dynamo_mode", Type::choice, "Compile mode", "What the compiler spends its time on")
        .choices({"default", "reduce-overhead", "max-autotune"})
        .flag("--dynamo_mode", "default")
        .always("ACCELERATE_DYNAMO_MODE")
        .since("0.17")
        .applies(compiles, kCompiles);
    row("dynamo_use_fullgraph", Type::boolean, "One graph", "Refuse models that do not compile as one graph")
        .presence("--dynamo_use_fullgraph")
        .always("ACCELERATE_DYNAMO_USE_FULLGRAPH")
        .since("0.17")
        .applies(compiles, kCompiles);
    row("dynamo_use_dynamic", Type::boolean, "Changing shapes", "Compile for shapes that change from step to step")
        .presence("--dynamo_use_dynamic")
        .always("ACCELERATE_DYNAMO_USE_DYNAMIC")
        .since("0.17")
        .applies(compiles, kCompiles);
    row("dynamo_use_regional_compilation", Type::boolean, "Compile layers",
        "Compile the repeated layer once instead of the whole model: much shorter start")
        .presence("--dynamo_use_regional_compilation")
        .always("ACCELERATE_DYNAMO_USE_REGIONAL_COMPILATION")
        .since("1.7")
        .applies(compiles, kCompiles);
}

void add_fp8_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::fp8, "FP8", "FP8", is_fp8, "mixed_precision is fp8");
    row("backend", Type::choice, "FP8 library", "AO: torchao, TE: Transformer Engine, MSAMP: MS-AMP")
        .choices({"AO", "TE", "MSAMP"})
        .any_case()
        .flag("--fp8_backend")
        .when_set("ACCELERATE_FP8_BACKEND")
        .upper();
    row("use_autocast_during_eval", Type::boolean, "FP8 in evaluation", "Use FP8 outside of training, too")
        .presence("--fp8_use_autocast_during_eval")
        .when_set("ACCELERATE_FP8_USE_AUTOCAST_DURING_EVAL")
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("margin", Type::integer, "Margin", "Powers of two by which the scale stays below the largest value")
        .range(0)
        .flag("--fp8_margin", 0)
        .when_set("ACCELERATE_FP8_MARGIN")
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("interval", Type::integer, "Interval", "Steps between two computations of the scale")
        .range(1)
        .flag("--fp8_interval", 1)
        .when_set("ACCELERATE_FP8_INTERVAL")
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("fp8_format", Type::choice, "Format", "HYBRID: E4M3 forwards and E5M2 backwards")
        .choices({"HYBRID", "E4M3", "E5M2"})
        .any_case()
        .flag("--fp8_format", "HYBRID")
        .when_set("ACCELERATE_FP8_FORMAT")
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("amax_history_len", Type::integer, "History", "Steps whose largest values decide the scale")
        .range(1)
        .flag("--fp8_amax_history_len", 1024)
        .when_set("ACCELERATE_FP8_AMAX_HISTORY_LEN")
        .aliases({"amax_history_length"})
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("amax_compute_algo", Type::choice, "Scale from", "Largest value of the history, or the newest one")
        .choices({"max", "most_recent"})
        .flag("--fp8_amax_compute_algo", "most_recent")
        .when_set("ACCELERATE_FP8_AMAX_COMPUTE_ALGO")
        .aliases({"amax_compute_algorithm"})
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("override_linear_precision", Type::booleans, "Linear layers without FP8",
        "Three truth values: forward, gradient of the input, gradient of the weight in higher precision")
        .flag("--fp8_override_linear_precision", Value(Value::List{false, false, false}))
        .when_set("ACCELERATE_FP8_OVERRIDE")
        .read_by("TE")
        .applies(is_engine, kEngine);
    row("use_mxfp8_block_scaling", Type::boolean, "Block scaling", "One scale per block of 32 values (MXFP8)")
        .effective(false)
        .when_set("ACCELERATE_FP8_USE_MXFP8_BLOCK_SCALING")
        .read_by("TE")
        .since("1.11")
        .applies(is_engine, kEngine);
    row("opt_level", Type::choice, "Level", "O1: FP8 gradients, O2: also FP8 optimizer state")
        .choices({"O1", "O2"})
        .any_case()
        .flag("--fp8_opt_level", "O2")
        .when_set("ACCELERATE_FP8_OPT_LEVEL")
        .aliases({"optimization_level"})
        .read_by("MS-AMP")
        .applies(is_amp, "backend is MSAMP");
    row("enable_fsdp_float8_all_gather", Type::boolean, "Gather in FP8", "With FSDP 2: gather parameters as FP8")
        .flag("--fp8_enable_fsdp_float8_all_gather", true)
        .when_set("ACCELERATE_FP8_ENABLE_FSDP_FLOAT8_ALL_GATHER")
        .read_by("torchao")
        .since("1.13")
        .applies(is_ao, kAo);
    row("pad_inner_dim", Type::boolean, "Pad", "Fill matrices up to sizes that FP8 kernels can take")
        .flag("--fp8_pad_inner_dim", true)
        .when_set("ACCELERATE_FP8_PAD_INNER_DIM")
        .read_by("torchao")
        .since("1.13")
        .applies(is_ao, kAo);
}

}  // namespace trainyard::settings
