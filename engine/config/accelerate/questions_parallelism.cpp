// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed, the mesh and Megatron-LM. FSDP has its own file.

#include "base/truth.h"
#include "config/accelerate/questions.h"

namespace trainyard::settings::questions {

namespace {

bool with_deepspeed(const Context& context) {
    return context.yes("ds");
}
/// Settings of its own instead of a DeepSpeed JSON.
bool own_deepspeed(const Context& context) {
    return context.yes("ds") && !context.yes("ds_file_yn");
}
bool offloads(const Context& context) {
    return own_deepspeed(context) && context.integer("ds_stage", 2) >= 2;
}
bool many_machines(const Context& context) {
    return context.yes("ds") && context.integer("num_machines", 1) > 1;
}
bool with_hostfile(const Context& context) {
    return many_machines(context) && !context.is("ds_launcher", "standard");
}

std::optional<Message> not_on_neuron(const Context& context, const std::string& answer, std::string_view what) {
    if (truth_of(answer) == Truth::yes && context.is("machine_type", "MULTI_NEURON"))
        return Message("{} does not run on Neuron cores: answer no, or choose another machine type", what);
    return std::nullopt;
}

/// A question "do you want …?" and the text that belongs to it.
void add_optional_text(std::vector<Row>& rows, std::string_view ask_id, std::string_view ask, std::string_view id,
                       std::string_view title, std::string_view label, std::string_view help, std::string path,
                       std::function<bool(const Context&)> shown, std::string_view hidden) {
    rows.push_back({.question = question(ask_id, Topic::parallelism, QuestionKind::yes_no, ask, label, help),
                    .shown = shown,
                    .hidden = hidden,
                    .fallback = "no",
                    .read = yes_when_there({path}, "")});
    std::string steering(ask_id);
    rows.push_back({.question = question(id, Topic::parallelism, QuestionKind::text, title, label, help, path),
                    .shown = [steering](const Context& context) { return context.yes(steering); },
                    .hidden = "only when wanted"});
}

}  // namespace

std::vector<Row> deepspeed_rows() {
    constexpr std::string_view kOnly = "only with DeepSpeed";
    constexpr std::string_view kOwn = "only with DeepSpeed and without a DeepSpeed file";
    constexpr std::string_view kOffload = "only for ZeRO stages 2 and 3";
    const std::vector<Option> devices{{"none", "Nowhere", "stays on the GPU"},
                                      {"cpu", "CPU memory", "slower, saves GPU memory"},
                                      {"nvme", "NVMe disk", "slowest, largest"}};
    std::vector<Row> rows;
    rows.push_back({.question = question("ds", Topic::parallelism, QuestionKind::yes_no, "Use DeepSpeed (ZeRO)?",
                                         "DeepSpeed", "Shards optimizer states, gradients and weights; offloads them"),
                    .shown =
                        [](const Context& context) {
                            return (context.accelerators() || context.is("machine_type", "NO")) && !context.on_mps();
                        },
                    .hidden = "not for CPUs, TPUs and Apple GPUs",
                    .fallback = "no",
                    .problem = [](const Context& context,
                                  const std::string& answer) { return not_on_neuron(context, answer, "DeepSpeed"); },
                    .read = yes_when_type("DEEPSPEED")});
    rows.push_back(
        {.question = question("ds_file_yn", Topic::parallelism, QuestionKind::yes_no, "Is there a DeepSpeed JSON file?",
                              "DeepSpeed file", "Then it says everything and the next questions are skipped"),
         .shown = with_deepspeed,
         .hidden = kOnly,
         .fallback = "no",
         .read = yes_when_there({"deepspeed_config.deepspeed_config_file"}, "")});
    // The reference takes `none` when Enter is pressed, a file that then cannot be opened.
    rows.push_back(
        {.question = question("ds_file", Topic::parallelism, QuestionKind::path, "Path of the DeepSpeed file?", "File",
                              "A DeepSpeed JSON with zero_optimization", "deepspeed_config.deepspeed_config_file"),
         .shown = [](const Context& context) { return context.yes("ds_file_yn"); },
         .hidden = "only with a DeepSpeed file",
         .required = "deepspeed_config_file is missing: give the DeepSpeed JSON file, or answer that no file is used"});
    rows.push_back(
        {.question = question("ds_stage", Topic::parallelism, QuestionKind::menu, "Which ZeRO stage?", "ZeRO stage",
                              "What is sharded over the processes", "deepspeed_config.zero_stage",
                              {{"0", "0", "nothing"},
                               {"1", "1", "optimizer states"},
                               {"2", "2", "optimizer states and gradients"},
                               {"3", "3", "optimizer states, gradients and weights"}}),
         .shown = own_deepspeed,
         .hidden = kOwn,
         .fallback = "2",
         .stored = Stored::integer});
    rows.push_back({.question = question("ds_off_opt", Topic::parallelism, QuestionKind::menu,
                                         "Where to offload optimizer states?", "Optimizer offload",
                                         "Frees GPU memory at the price of time",
                                         "deepspeed_config.offload_optimizer_device", devices),
                    .shown = offloads,
                    .hidden = kOffload,
                    .fallback = "none"});
    rows.push_back({.question = question("ds_off_par", Topic::parallelism, QuestionKind::menu,
                                         "Where to offload parameters?", "Parameter offload", "Used by stage 3 only",
                                         "deepspeed_config.offload_param_device", devices),
                    .shown = offloads,
                    .hidden = kOffload,
                    .fallback = "none"});
    rows.push_back(
        {.question = question("ds_par_nvme", Topic::parallelism, QuestionKind::path, "NVMe folder for parameters?",
                              "Parameter folder", "On a fast local disk", "deepspeed_config.offload_param_nvme_path"),
         .shown = [](const Context& context) { return context.is("ds_off_par", "nvme"); },
         .hidden = "only when parameters go to NVMe",
         .fallback = "/nvme"});
    rows.push_back({.question = question("ds_opt_nvme", Topic::parallelism, QuestionKind::path,
                                         "NVMe folder for optimizer states?", "Optimizer folder",
                                         "On a fast local disk", "deepspeed_config.offload_optimizer_nvme_path"),
                    .shown = [](const Context& context) { return context.is("ds_off_opt", "nvme"); },
                    .hidden = "only when optimizer states go to NVMe",
                    .fallback = "/nvme"});
    rows.push_back(
        {.question = question("ds_gas", Topic::parallelism, QuestionKind::integer,
                              "Gradient accumulation steps of the script?", "Accumulation steps",
                              "Micro batches of one optimizer step", "deepspeed_config.gradient_accumulation_steps"),
         .shown = own_deepspeed,
         .hidden = kOwn,
         .fallback = "1",
         .range = {1}});
    rows.push_back({.question = question("ds_clip_yn", Topic::parallelism, QuestionKind::yes_no, "Clip gradients?",
                                         "Clip gradients", "Limits the global norm"),
                    .shown = own_deepspeed,
                    .hidden = kOwn,
                    .fallback = "no",
                    .read = yes_when_there({"deepspeed_config.gradient_clipping"}, "")});
    rows.push_back({.question = question("ds_clip", Topic::parallelism, QuestionKind::number, "Largest gradient norm?",
                                         "Clip at", "Global L2 norm", "deepspeed_config.gradient_clipping"),
                    .shown = [](const Context& context) { return context.yes("ds_clip_yn"); },
                    .hidden = "only when gradients are clipped",
                    .fallback = "1.0",
                    .range = {0}});
    rows.push_back(
        {.question = question("ds_save16", Topic::parallelism, QuestionKind::yes_no,
                              "Save whole 16-bit weights under stage 3?", "Save 16-bit weights",
                              "Gathers the shards when the model is saved", "deepspeed_config.zero3_save_16bit_model"),
         .shown = [](const Context& context) { return own_deepspeed(context) && context.integer("ds_stage", 2) == 3; },
         .hidden = "only for ZeRO stage 3",
         .fallback = "no"});
    rows.push_back(
        {.question = question("ds_init", Topic::parallelism, QuestionKind::yes_no,
                              "Shard the model already while it is built (zero.Init)?", "zero.Init",
                              "For models larger than one GPU; stage 3 only", "deepspeed_config.zero3_init_flag"),
         .shown = with_deepspeed,
         .hidden = kOnly,
         .fallback = "no"});
    add_optional_text(rows, "ds_moe_yn", "Is it a mixture-of-experts model?", "ds_moe",
                      "Class names of its MoE layers?", "MoE layers",
                      "With commas, upper and lower case as in the model",
                      "deepspeed_config.deepspeed_moe_layer_cls_names", with_deepspeed, kOnly);
    constexpr std::string_view kMany = "only for DeepSpeed on several machines";
    rows.push_back({.question = question(
                        "ds_launcher", Topic::parallelism, QuestionKind::menu, "How are the other machines reached?",
                        "Launcher", "DeepSpeed's multi-node launcher", "deepspeed_config.deepspeed_multinode_launcher",
                        {{"pdsh", "pdsh", "parallel ssh"},
                         {"standard", "standard", "the same command on each machine"},
                         {"openmpi", "Open MPI", ""},
                         {"mvapich", "MVAPICH", ""},
                         {"mpich", "MPICH", ""},
                         {"nossh", "nossh", "without ssh; DeepSpeed 0.14.5 or newer"},
                         {"slurm", "SLURM", ""}}),
                    .shown = many_machines,
                    .hidden = kMany,
                    .fallback = "pdsh"});
    constexpr std::string_view kHosts = "only for DeepSpeed on several machines, not with the standard launcher";
    rows.push_back(
        {.question = question("ds_hostfile", Topic::parallelism, QuestionKind::path, "Which host file for DeepSpeed?",
                              "Host file", "Lines such as `gpu-a slots=8`", "deepspeed_config.deepspeed_hostfile"),
         .shown = with_hostfile,
         .hidden = kHosts});
    add_optional_text(rows, "ds_excl_yn", "Leave out some hosts or devices?", "ds_excl", "Which to leave out?",
                      "Exclude", "DeepSpeed's filter: gpu-a@gpu-b:0,1", "deepspeed_config.deepspeed_exclusion_filter",
                      with_hostfile, kHosts);
    add_optional_text(rows, "ds_incl_yn", "Use only some hosts or devices?", "ds_incl", "Which to use?", "Include",
                      "DeepSpeed's filter: gpu-a@gpu-b:0,1", "deepspeed_config.deepspeed_inclusion_filter",
                      with_hostfile, kHosts);
    return rows;
}

std::vector<Row> mesh_rows() {
    constexpr std::string_view kOnly = "only with a mesh of parallel dimensions";
    std::vector<Row> rows;
    rows.push_back({.question = question("pc", Topic::parallelism, QuestionKind::yes_no,
                                         "Combine several kinds of parallelism (a mesh)?", "Mesh",
                                         "Replicas, shards, tensor and context parallelism together"),
                    .shown = [](const Context& context) { return context.is("fsdp_version", "2"); },
                    .hidden = "only with FSDP version 2",
                    .fallback = "no",
                    .read = yes_when_there({}, "parallelism_config")});
    struct Size {
        std::string_view id, title, label, help, path;
    };
    for (const Size& size :
         {Size{"pc_rep", "How many replicas of the sharded model?", "Replicas", "Data-parallel copies (HSDP)",
               "parallelism_config.parallelism_config_dp_replicate_size"},
          Size{"pc_shard", "Over how many processes is the model sharded?", "Shards", "FSDP group size",
               "parallelism_config.parallelism_config_dp_shard_size"},
          Size{"pc_tp", "How many processes share a matrix product?", "Tensor parallel",
               "Best inside one machine; divides the attention heads", "parallelism_config.parallelism_config_tp_size"},
          Size{"pc_cp", "How many processes share a sequence?", "Context parallel", "For long sequences",
               "parallelism_config.parallelism_config_cp_size"}})
        rows.push_back({.question = question(size.id, Topic::parallelism, QuestionKind::integer, size.title, size.label,
                                             size.help, size.path),
                        .shown = [](const Context& context) { return context.yes("pc"); },
                        .hidden = kOnly,
                        .fallback = "1",
                        .range = {1}});
    rows.push_back(
        {.question = question("pc_comm", Topic::parallelism, QuestionKind::menu,
                              "How do context-parallel processes exchange keys and values?", "Context exchange",
                              "All at once, or around a ring", "parallelism_config.parallelism_config_cp_comm_strategy",
                              plain_options({"allgather", "alltoall"})),
         .shown = [](const Context& context) { return context.integer("pc_cp", 1) > 1; },
         .hidden = "only with context parallelism",
         .fallback = "allgather"});
    return rows;
}

std::vector<Row> megatron_rows() {
    constexpr std::string_view kOnly = "only with Megatron-LM";
    auto used = [](const Context& context) { return context.yes("mlm"); };
    std::vector<Row> rows;
    rows.push_back({.question = question("mlm", Topic::parallelism, QuestionKind::yes_no, "Use Megatron-LM?",
                                         "Megatron-LM", "Tensor, pipeline and sequence parallelism of Megatron"),
                    .shown =
                        [](const Context& context) {
                            return context.is("machine_type", "MULTI_GPU") && !context.yes("ds") &&
                                   !context.yes("fsdp");
                        },
                    .hidden = "only for many GPUs without DeepSpeed and FSDP",
                    .fallback = "no",
                    .read = yes_when_type("MEGATRON_LM")});
    rows.push_back({.question = question("mlm_tp", Topic::parallelism, QuestionKind::integer, "Tensor-parallel degree?",
                                         "Tensor parallel", "Processes that share a matrix product",
                                         "megatron_lm_config.megatron_lm_tp_degree"),
                    .shown = used,
                    .hidden = kOnly,
                    .fallback = "1",
                    .range = {1}});
    rows.push_back({.question = question("mlm_sp", Topic::parallelism, QuestionKind::yes_no, "Sequence parallelism?",
                                         "Sequence parallel", "Splits norms and dropout along the sequence",
                                         "megatron_lm_config.megatron_lm_sequence_parallelism"),
                    .shown = [](const Context& context) { return context.integer("mlm_tp", 1) > 1; },
                    .hidden = "only with tensor parallelism",
                    .fallback = "yes"});
    rows.push_back(
        {.question = question("mlm_pp", Topic::parallelism, QuestionKind::integer, "Pipeline-parallel degree?",
                              "Pipeline parallel", "Groups of layers that work one behind the other",
                              "megatron_lm_config.megatron_lm_pp_degree"),
         .shown = used,
         .hidden = kOnly,
         .fallback = "1",
         .range = {1}});
    rows.push_back({.question = question("mlm_micro", Topic::parallelism, QuestionKind::integer,
                                         "How many micro batches?", "Micro batches", "More fill the pipeline better",
                                         "megatron_lm_config.megatron_lm_num_micro_batches"),
                    .shown = [](const Context& context) { return context.integer("mlm_pp", 1) > 1; },
                    .hidden = "only with pipeline parallelism",
                    .fallback = "1",
                    .range = {1}});
    rows.push_back(
        {.question = question("mlm_recompute", Topic::parallelism, QuestionKind::yes_no,
                              "Recompute activations selectively?", "Recompute activations",
                              "Less memory for little time", "megatron_lm_config.megatron_lm_recompute_activations"),
         .shown = used,
         .hidden = kOnly,
         .fallback = "yes"});
    rows.push_back(
        {.question = question("mlm_distopt", Topic::parallelism, QuestionKind::yes_no, "Distributed optimizer?",
                              "Distributed optimizer", "Shards optimizer states over data-parallel processes",
                              "megatron_lm_config.megatron_lm_use_distributed_optimizer"),
         .shown = used,
         .hidden = kOnly,
         .fallback = "yes"});
    rows.push_back({.question = question("mlm_clip", Topic::parallelism, QuestionKind::number,
                                         "Largest gradient norm, 0 for none?", "Clip at", "Global L2 norm",
                                         "megatron_lm_config.megatron_lm_gradient_clipping"),
                    .shown = used,
                    .hidden = kOnly,
                    .fallback = "1.0",
                    .range = {0}});
    return rows;
}

}  // namespace trainyard::settings::questions
