// SPDX-License-Identifier: GPL-3.0-or-later
// Fully sharded data parallelism, versions 1 and 2.

#include "base/truth.h"
#include "config/accelerate/questions.h"

namespace trainyard::settings::questions {

namespace {

bool used(const Context& context) {
    return context.yes("fsdp");
}
bool version_1(const Context& context) {
    return context.is("fsdp_version", "1");
}
bool version_2(const Context& context) {
    return context.is("fsdp_version", "2");
}

/// Names and the digits 1 to 5 of old files; also where Accelerate's questionnaire stores it.
std::optional<std::string> read_strategy(const Settings& settings) {
    static const std::vector<std::string> kNames{"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD",
                                                 "HYBRID_SHARD_ZERO2"};
    for (std::string_view path : {"fsdp_config.fsdp_sharding_strategy", "fsdp_config.fsdp_reshard_after_forward"}) {
        const Value* value = settings.find(path);
        if (value == nullptr)
            continue;
        std::string name = value->display();
        for (std::size_t index = 0; index < kNames.size(); ++index)
            if (name == kNames[index] || name == std::to_string(index + 1))
                return kNames[index];
    }
    return std::nullopt;
}

std::vector<Option> state_dict_options(const Context& context) {
    Option full{"FULL_STATE_DICT", "Full", "one file, gathered on rank 0"};
    Option local{"LOCAL_STATE_DICT", "Local", "as stored on each rank"};
    Option sharded{"SHARDED_STATE_DICT", "Sharded", "each rank writes its share"};
    return version_1(context) ? std::vector{full, local, sharded} : std::vector{sharded, full};
}

std::optional<std::string> read_no_split(const Settings& settings) {
    if (settings.text("fsdp_config.fsdp_auto_wrap_policy") != "TRANSFORMER_BASED_WRAP")
        return std::nullopt;
    return settings.has("fsdp_config.fsdp_transformer_layer_cls_to_wrap") ? "no" : "yes";
}

}  // namespace

std::vector<Row> fsdp_rows() {
    constexpr std::string_view kOnly = "only with FSDP";
    constexpr std::string_view kFirst = "only with FSDP version 1";
    std::vector<Row> rows;
    rows.push_back({.question = question("fsdp", Topic::parallelism, QuestionKind::yes_no,
                                         "Shard the model over the processes (FSDP)?", "FSDP",
                                         "Weights, gradients and optimizer states, natively in PyTorch"),
                    .shown = [](const Context& context) { return context.accelerators() && !context.yes("ds"); },
                    .hidden = "only for accelerators without DeepSpeed",
                    .fallback = "no",
                    .problem = [](const Context& context, const std::string& answer) -> std::optional<Message> {
                        if (truth_of(answer) == Truth::yes && context.is("machine_type", "MULTI_NEURON"))
                            return "FSDP does not run on Neuron cores: answer no, or choose another machine type";
                        return std::nullopt;
                    },
                    .read = yes_when_type("FSDP")});
    rows.push_back(
        {.question = question("fsdp_version", Topic::parallelism, QuestionKind::menu, "Which FSDP version?", "Version",
                              "2 is the present one", "fsdp_config.fsdp_version",
                              {{"1", "FSDP 1", "the older one"}, {"2", "FSDP 2", "less memory, PyTorch 2.6 or newer"}}),
         .shown = used,
         .hidden = kOnly,
         .fallback = "2",
         .stored = Stored::integer});
    // Accelerate's questionnaire puts this answer into fsdp_reshard_after_forward, which FSDP 1 reads only when no sharding
    // strategy is set, and its launcher always sets one. Under fsdp_sharding_strategy the answer takes effect, there
    // and here.
    rows.push_back({.question = question(
                        "fsdp_strategy", Topic::parallelism, QuestionKind::menu, "Which sharding strategy?", "Strategy",
                        "What is sharded, and over which processes", "fsdp_config.fsdp_sharding_strategy",
                        {{"FULL_SHARD", "Full", "weights, gradients and optimizer states"},
                         {"SHARD_GRAD_OP", "Gradients and optimizer", "weights stay whole in between"},
                         {"NO_SHARD", "None", "as DDP"},
                         {"HYBRID_SHARD", "Hybrid", "full inside a machine, replicas across"},
                         {"HYBRID_SHARD_ZERO2", "Hybrid, ZeRO-2", "gradients and optimizer inside a machine"}}),
                    .shown = version_1,
                    .hidden = kFirst,
                    .fallback = "FULL_SHARD",
                    .read = read_strategy});
    rows.push_back({.question = question("fsdp_reshard", Topic::parallelism, QuestionKind::yes_no,
                                         "Give gathered weights back after the forward pass?", "Reshard after forward",
                                         "Yes saves memory (ZeRO-3), no saves traffic (ZeRO-2)",
                                         "fsdp_config.fsdp_reshard_after_forward"),
                    .shown = version_2,
                    .hidden = "only with FSDP version 2",
                    .fallback = "yes",
                    .read = [](const Settings& settings) -> std::optional<std::string> {
                        const Value* value = settings.find("fsdp_config.fsdp_reshard_after_forward");
                        if (value == nullptr || truth_of(value->display()) == Truth::neither)
                            return std::nullopt;
                        return truth_of(value->display()) == Truth::yes ? "yes" : "no";
                    }});
    rows.push_back({.question = question("fsdp_offload", Topic::parallelism, QuestionKind::yes_no,
                                         "Offload parameters and gradients to CPU memory?", "CPU offload",
                                         "Frees GPU memory, slower", "fsdp_config.fsdp_offload_params"),
                    .shown = used,
                    .hidden = kOnly,
                    .fallback = "no"});
    rows.push_back(
        {.question =
             question("fsdp_wrap", Topic::parallelism, QuestionKind::menu, "How is the model cut into units?",
                      "Wrap policy", "Each unit is gathered and freed separately", "fsdp_config.fsdp_auto_wrap_policy",
                      {{"TRANSFORMER_BASED_WRAP", "By layer class", "one unit for each transformer layer"},
                       {"SIZE_BASED_WRAP", "By size", "units of so many parameters"},
                       {"NO_WRAP", "Not at all", "one unit"}}),
         .shown = used,
         .hidden = kOnly,
         .fallback = "TRANSFORMER_BASED_WRAP"});
    rows.push_back({.question = question("fsdp_no_split", Topic::parallelism, QuestionKind::yes_no,
                                         "Use the model's own list of layer classes?", "Model's own layers",
                                         "Models of transformers name theirs"),
                    .shown = [](const Context& context) { return context.is("fsdp_wrap", "TRANSFORMER_BASED_WRAP"); },
                    .hidden = "only when the model is cut by layer class",
                    .fallback = "no",
                    .read = read_no_split});
    // An empty answer leaves the key out, which means the model's own list; the reference writes an empty text, which then is
    // looked for as a class name and stops the run.
    rows.push_back({.question = question("fsdp_layers", Topic::parallelism, QuestionKind::text,
                                         "Class names of the layers? (nothing: the model's own list)", "Layer classes",
                                         "With commas, upper and lower case as in the model: LlamaDecoderLayer",
                                         "fsdp_config.fsdp_transformer_layer_cls_to_wrap"),
                    .shown =
                        [](const Context& context) {
                            return context.is("fsdp_wrap", "TRANSFORMER_BASED_WRAP") && !context.yes("fsdp_no_split");
                        },
                    .hidden = "only when the layer classes are named"});
    rows.push_back({.question = question("fsdp_min", Topic::parallelism, QuestionKind::integer,
                                         "Smallest number of parameters of a unit?", "Unit size",
                                         "1e8 is the usual value", "fsdp_config.fsdp_min_num_params"),
                    .shown = [](const Context& context) { return context.is("fsdp_wrap", "SIZE_BASED_WRAP"); },
                    .hidden = "only when the model is cut by size",
                    .fallback = "100000000",
                    .range = {0}});
    rows.push_back(
        {.question = question("fsdp_bwd", Topic::parallelism, QuestionKind::menu,
                              "When to fetch the next unit in backward?", "Backward prefetch",
                              "Before or after the gradients of the present one", "fsdp_config.fsdp_backward_prefetch",
                              {{"BACKWARD_PRE", "Before", "fastest, most memory"},
                               {"BACKWARD_POST", "After", ""},
                               {"NO_PREFETCH", "Not ahead", "least memory"}}),
         .shown = version_1,
         .hidden = kFirst,
         .fallback = "BACKWARD_PRE"});
    rows.push_back(
        {.question = question("fsdp_sd", Topic::parallelism, QuestionKind::menu, "How are weights saved?", "State dict",
                              "Sharded is faster; full is one file", "fsdp_config.fsdp_state_dict_type"),
         .shown = used,
         .hidden = kOnly,
         .fallback_of =
             [](const Context& context) {
                 return std::string(version_1(context) ? "FULL_STATE_DICT" : "SHARDED_STATE_DICT");
             },
         .options_of = state_dict_options});
    rows.push_back(
        {.question = question("fsdp_fwd", Topic::parallelism, QuestionKind::yes_no,
                              "Fetch the next unit in forward ahead?", "Forward prefetch",
                              "Only for models whose order never changes", "fsdp_config.fsdp_forward_prefetch"),
         .shown = version_1,
         .hidden = kFirst,
         .fallback = "no"});
    rows.push_back(
        {.question = question("fsdp_orig", Topic::parallelism, QuestionKind::yes_no, "Keep the original parameters?",
                              "Original parameters", "Needed for different learning rates and torch.compile",
                              "fsdp_config.fsdp_use_orig_params"),
         .shown = version_1,
         .hidden = kFirst,
         .fallback = "yes"});
    rows.push_back({.question = question("fsdp_ram", Topic::parallelism, QuestionKind::yes_no,
                                         "Load weights on one process only and send them on?", "RAM-efficient loading",
                                         "For models of transformers", "fsdp_config.fsdp_cpu_ram_efficient_loading"),
                    .shown = used,
                    .hidden = kOnly,
                    .fallback = "yes",
                    .write = [](const Context& context, const std::string& answer, Settings& settings) {
                        bool on = truth_of(answer) == Truth::yes;
                        settings.set("fsdp_config.fsdp_cpu_ram_efficient_loading", on);
                        // If only one process loads the weights, they must be broadcast to the others.
                        if (on && version_1(context))
                            settings.set("fsdp_config.fsdp_sync_module_states", true);
                    }});
    rows.push_back({.question = question("fsdp_sync", Topic::parallelism, QuestionKind::yes_no,
                                         "Send rank 0's weights to all processes at the start?", "Sync module states",
                                         "Needed when processes could start with different weights",
                                         "fsdp_config.fsdp_sync_module_states"),
                    .shown = [](const Context& context) { return version_1(context) && !context.yes("fsdp_ram"); },
                    .hidden = "follows from RAM-efficient loading, and not in FSDP version 2",
                    .fallback = "yes"});
    rows.push_back(
        {.question = question("fsdp_ckpt", Topic::parallelism, QuestionKind::yes_no, "Activation checkpointing?",
                              "Activation checkpointing", "Recomputes activations: less memory, a third more time",
                              "fsdp_config.fsdp_activation_checkpointing"),
         .shown = used,
         .hidden = kOnly,
         .fallback = "no"});
    return rows;
}

}  // namespace trainyard::settings::questions
