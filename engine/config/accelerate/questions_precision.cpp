// SPDX-License-Identifier: GPL-3.0-or-later
// torch.compile, mixed precision and FP8.

#include "base/letter_case.h"
#include "config/accelerate/questions.h"

namespace trainyard::settings::questions {

namespace {

std::function<bool(const Context&)> when(std::string_view id, std::string_view value) {
    return [id, value](const Context& context) { return context.is(id, value); };
}

/// One of the three truth values of override_linear_precision, as an answer.
std::function<std::optional<std::string>(const Settings&)> overridden(std::size_t index) {
    return [index](const Settings& settings) -> std::optional<std::string> {
        const Value* value = settings.find("fp8_config.override_linear_precision");
        if (value == nullptr || value->list() == nullptr || value->list()->size() != 3)
            return std::nullopt;
        const bool* on = (*value->list())[index].boolean();
        return on != nullptr && *on ? "yes" : "no";
    };
}

void add_transformer_engine(std::vector<Row>& rows) {
    constexpr std::string_view kOnly = "only for FP8 with Transformer Engine";
    auto te = when("fp8_backend", "TE");
    auto each = [](const Context& context) { return context.yes("te_override"); };
    rows.push_back({.question = question("te_eval", Topic::precision, QuestionKind::yes_no,
                                         "Use FP8 in evaluation too?", "FP8 in evaluation",
                                         "Metrics are usually better without", "fp8_config.use_autocast_during_eval"),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "no"});
    rows.push_back(
        {.question = question("te_margin", Topic::precision, QuestionKind::integer, "Margin of the scaling factor?",
                              "Margin", "Powers of two kept free above the largest value", "fp8_config.margin"),
         .shown = te,
         .hidden = kOnly,
         .fallback = "0",
         .range = {0}});
    rows.push_back({.question = question("te_interval", Topic::precision, QuestionKind::integer,
                                         "Steps between two new scaling factors?", "Interval",
                                         "How often the scaling factor is computed", "fp8_config.interval"),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "1",
                    .range = {1}});
    rows.push_back({.question = question("te_format", Topic::precision, QuestionKind::menu, "Which FP8 format?",
                                         "Format", "HYBRID: E4M3 forward, E5M2 for gradients", "fp8_config.fp8_format",
                                         plain_options({"HYBRID", "E4M3", "E5M2"})),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "HYBRID"});
    // The reference writes amax_history_length, amax_compute_algorithm and optimization_level, names that its own readers do not
    // know; these are the names they do.
    rows.push_back({.question = question("te_hist", Topic::precision, QuestionKind::integer,
                                         "How many steps of largest values are remembered?", "History length",
                                         "Longer is steadier", "fp8_config.amax_history_len"),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "1024",
                    .range = {1}});
    rows.push_back({.question = question("te_algo", Topic::precision, QuestionKind::menu,
                                         "Which of the remembered values sets the scale?", "Algorithm",
                                         "The largest or the most recent one", "fp8_config.amax_compute_algo",
                                         plain_options({"max", "most_recent"})),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "max"});
    rows.push_back({.question = question("te_override", Topic::precision, QuestionKind::yes_no,
                                         "Run some matrix products in higher precision?", "Higher precision",
                                         "Forward, input gradient or weight gradient"),
                    .shown = te,
                    .hidden = kOnly,
                    .fallback = "no",
                    .write =
                        [](const Context& context, const std::string&, Settings& settings) {
                            settings.set("fp8_config.override_linear_precision",
                                         Value(Value::List{context.yes("te_fprop"), context.yes("te_dgrad"),
                                                           context.yes("te_wgrad")}));
                        },
                    .read = [](const Settings& settings) -> std::optional<std::string> {
                        bool some = false;
                        for (std::size_t index = 0; index < 3; ++index) {
                            auto one = overridden(index)(settings);
                            if (!one)
                                return std::nullopt;
                            some = some || *one == "yes";
                        }
                        return some ? "yes" : "no";
                    }});
    constexpr std::string_view kOverride = "only when some matrix products run in higher precision";
    struct Product {
        std::string_view id, title, label;
    };
    std::size_t index = 0;
    for (const Product& product : {Product{"te_fprop", "The forward product?", "Forward"},
                                   Product{"te_dgrad", "The product for the input's gradient?", "Input gradient"},
                                   Product{"te_wgrad", "The product for the weight's gradient?", "Weight gradient"}})
        rows.push_back({.question = question(product.id, Topic::precision, QuestionKind::yes_no, product.title,
                                             product.label, "In higher precision than FP8"),
                        .shown = each,
                        .hidden = kOverride,
                        .fallback = "no",
                        .read = overridden(index++)});
}

}  // namespace

std::vector<Row> compile_rows(bool sagemaker) {
    // The tree has these questions twice, once for each environment; the ids of the second set begin with sm_.
    auto id = [sagemaker](std::string_view name) { return (sagemaker ? "sm_" : "") + std::string(name); };
    auto yes = [](std::string steering) {
        return [steering](const Context& context) { return context.yes(steering); };
    };
    constexpr std::string_view kOnly = "only with torch.compile";
    constexpr std::string_view kCustom = "only with compile defaults of your own";
    std::vector<Option> backends;
    for (std::string_view name :
         {"EAGER", "AOT_EAGER", "INDUCTOR", "AOT_TS_NVFUSER", "NVPRIMS_NVFUSER", "CUDAGRAPHS", "OFI", "FX2TRT",
          "ONNXRT", "TENSORRT", "AOT_TORCHXLA_TRACE_ONCE", "TORCHXLA_TRACE_ONCE", "TVM"}) {
        std::string label(name);
        for (char& letter : label)
            letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
        backends.push_back({std::string(name), label, name == "INDUCTOR" ? "torch.compile's own default" : ""});
    }
    std::vector<Row> rows;
    rows.push_back({.question = question(id("dynamo"), Topic::precision, QuestionKind::yes_no,
                                         "Compile the model with torch.compile?", "Compile",
                                         "Python scripts only; the bundled engine needs no compiler"),
                    .fallback = "no",
                    .read = yes_when_there({}, "dynamo_config")});
    rows.push_back(
        {.question = question(id("dynamo_backend"), Topic::precision, QuestionKind::menu, "Which compiler back end?",
                              "Back end", "inductor unless you know better", "dynamo_config.dynamo_backend", backends),
         .shown = yes(id("dynamo")),
         .hidden = kOnly,
         .fallback = "INDUCTOR",
         .read = [](const Settings& settings) -> std::optional<std::string> {
             std::string name = text::upper(settings.text("dynamo_config.dynamo_backend"));
             return name.empty() ? std::nullopt : std::optional(name);
         }});
    rows.push_back(
        {.question =
             question(id("dynamo_custom"), Topic::precision, QuestionKind::yes_no, "Change the compile defaults?",
                      "Own compile options", "Mode, full graph, dynamic shapes, regions"),
         .shown = yes(id("dynamo")),
         .hidden = kOnly,
         .fallback = "no",
         .read = yes_when_there({"dynamo_config.dynamo_mode", "dynamo_config.dynamo_use_fullgraph",
                                 "dynamo_config.dynamo_use_dynamic", "dynamo_config.dynamo_use_regional_compilation"},
                                "")});
    rows.push_back({.question = question(id("dynamo_mode"), Topic::precision, QuestionKind::menu, "Which compile mode?",
                                         "Mode", "What the compiler optimises for", "dynamo_config.dynamo_mode",
                                         {{"default", "default", "a balance"},
                                          {"reduce-overhead", "reduce-overhead", "small batches"},
                                          {"max-autotune", "max-autotune", "fastest code, longest compilation"}}),
                    .shown = yes(id("dynamo_custom")),
                    .hidden = kCustom,
                    .fallback = "default"});
    struct Switch {
        std::string_view name, title, label, help, path;
    };
    for (const Switch& one :
         {Switch{"dynamo_fullgraph", "Must the whole model be one graph?", "Full graph", "Fails where a graph breaks",
                 "dynamo_config.dynamo_use_fullgraph"},
          Switch{"dynamo_dynamic", "Trace with dynamic shapes?", "Dynamic shapes", "For inputs whose length changes",
                 "dynamo_config.dynamo_use_dynamic"},
          Switch{"dynamo_regional", "Compile repeated blocks once (regional)?", "Regional compilation",
                 "Much shorter compilation for stacked layers", "dynamo_config.dynamo_use_regional_compilation"}})
        rows.push_back({.question = question(id(one.name), Topic::precision, QuestionKind::yes_no, one.title, one.label,
                                             one.help, one.path),
                        .shown = yes(id("dynamo_custom")),
                        .hidden = kCustom,
                        .fallback = "no"});
    return rows;
}

std::vector<Row> precision_rows() {
    std::vector<Row> rows;
    rows.push_back(
        {.question = question("mp", Topic::precision, QuestionKind::menu, "Which mixed precision?", "Mixed precision",
                              "Number format of the matrix products", "mixed_precision",
                              {{"no", "None", "everything in float32"},
                               {"fp16", "fp16", "needs a loss scale"},
                               {"bf16", "bf16", "range of float32; recent hardware"},
                               {"fp8", "fp8", "newest GPUs with an FP8 library"}}),
         .shown =
             [](const Context& context) { return context.distributed_type() != "XLA" && !context.yes("ds_file_yn"); },
         .hidden = "the DeepSpeed file or the TPU decides",
         .fallback = "no"});
    rows.push_back(
        {.question = question(
             "fp8_backend", Topic::precision, QuestionKind::menu, "Which FP8 library?", "FP8 library",
             "It must be installed where the training runs", "fp8_config.backend",
             {{"AO", "torchao", ""}, {"TE", "Transformer Engine", "NVIDIA"}, {"MSAMP", "MS-AMP", "Microsoft"}}),
         .shown = when("mp", "fp8"),
         .hidden = "only with mixed precision fp8",
         .fallback = "AO",
         .read = [](const Settings& settings) -> std::optional<std::string> {
             std::string name = text::upper(settings.text("fp8_config.backend"));
             return name.empty() ? std::nullopt : std::optional(name);
         }});
    add_transformer_engine(rows);
    rows.push_back(
        {.question = question("msamp_opt", Topic::precision, QuestionKind::menu, "Which MS-AMP optimisation level?",
                              "Optimisation level", "O2 keeps optimizer states in 8 bits too", "fp8_config.opt_level",
                              plain_options({"O1", "O2"})),
         .shown = when("fp8_backend", "MSAMP"),
         .hidden = "only for FP8 with MS-AMP",
         .fallback = "O2"});
    rows.push_back({.question = question("ao_gather", Topic::precision, QuestionKind::yes_no,
                                         "Gather FSDP 2 weights in float8?", "float8 all-gather",
                                         "Half the traffic of bf16", "fp8_config.enable_fsdp_float8_all_gather"),
                    .shown = when("fp8_backend", "AO"),
                    .hidden = "only for FP8 with torchao",
                    .fallback = "yes"});
    rows.push_back({.question = question("ao_pad", Topic::precision, QuestionKind::yes_no,
                                         "Pad inner dimensions for the FP8 product?", "Pad inner dimension",
                                         "The product needs multiples of 16; costs memory", "fp8_config.pad_inner_dim"),
                    .shown = when("fp8_backend", "AO"),
                    .hidden = "only for FP8 with torchao",
                    .fallback = "yes"});
    return rows;
}

}  // namespace trainyard::settings::questions
