// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/recipe_settings.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/letter_case.h"
#include "base/truth.h"
#include "config/accelerate/schema.h"
#include "launch/plan/deepspeed_file.h"
#include "launch/plan/library_program.h"
#include "launch/plan/recipe_limit.h"

namespace trainyard::plan {

namespace {

using Outcome = RecipeSetting::Outcome;
using settings::Section;

struct Rule {
    std::string_view path;  ///< as Key::path()
    Outcome outcome;
    std::string_view words;
    bool flag_always =
        false;  ///< the flag is applied whatever the way of training, the key of a file only under its own condition
};

constexpr std::string_view kWayOfTraining = "the way of training: replicas, or what ZeRO and FSDP shard";
constexpr std::string_view kOwnOrder = "the engine orders the gathering of weights itself, with the same results";
constexpr std::string_view kOwnLauncher = "Trainyard starts the ranks of all machines itself: name them with --hosts";
constexpr std::string_view kEachBlock = "each block is its own group, on all stages";
constexpr std::string_view kInMemoryAnyway = "ranks train on the processor, so this is in its memory anyway";
constexpr std::string_view kStateStays =
    "recipes keep optimizer state on the device they train on, or, of processors, on a disk (nvme): set it to none";
constexpr std::string_view kProgram = "the file is started as a program, and not trained as a recipe";
constexpr std::string_view kRendezvous = "how the machines of the run find each other";
constexpr std::string_view kLaunch = "the launch itself";
constexpr std::string_view kNoIpex = "PyTorch itself does what the Intel extension did";
constexpr std::string_view kSlurm = "the job of SLURM";

constexpr Rule kRules[] = {
    {"compute_environment", Outcome::applied, "this machine, or those that are named"},
    {"distributed_type", Outcome::applied, kWayOfTraining},
    {"mixed_precision", Outcome::applied, "training.mixed_precision"},
    {"use_cpu", Outcome::applied, "launch.device"},
    {"debug", Outcome::applied, "parallel.debug"},
    {"num_processes", Outcome::applied, "launch.num_processes"},
    {"num_machines", Outcome::applied, "launch.machines"},
    {"machine_rank", Outcome::applied, kRendezvous},
    {"gpu_ids", Outcome::applied, "launch.gpu_ids: the devices that ranks see"},
    {"main_process_ip", Outcome::applied, kRendezvous},
    {"main_process_port", Outcome::applied, "launch.main_process_port"},
    {"rdzv_backend", Outcome::applied, kRendezvous},
    {"same_network", Outcome::ignored, "ranks connect to each other directly wherever they are"},
    {"main_training_function", Outcome::ignored, "a recipe has no function that is started"},
    {"enable_cpu_affinity", Outcome::applied, "launch.cpu_affinity"},

    {"fsdp_config.fsdp_version", Outcome::applied, kWayOfTraining},
    {"fsdp_config.fsdp_sharding_strategy", Outcome::applied,
     "parallel.zero_stage, and for a copy on each machine the sizes of the mesh"},
    {"fsdp_config.fsdp_reshard_after_forward", Outcome::applied,
     "parallel.zero_stage: 3, or 2 where the weights stay gathered"},
    {"fsdp_config.fsdp_auto_wrap_policy", Outcome::applied, "parallel.wrap"},
    {"fsdp_config.fsdp_transformer_layer_cls_to_wrap", Outcome::applied, "parallel.wrap, with classes of the model"},
    {"fsdp_config.fsdp_min_num_params", Outcome::applied, "parallel.wrap_min_params"},
    {"fsdp_config.fsdp_backward_prefetch", Outcome::ignored, kOwnOrder},
    {"fsdp_config.fsdp_forward_prefetch", Outcome::ignored, kOwnOrder},
    {"fsdp_config.fsdp_state_dict_type", Outcome::ignored,
     "any number of ranks can read a recipe's checkpoint, which has one form"},
    {"fsdp_config.fsdp_use_orig_params", Outcome::ignored, "parameters always have their own names and shapes"},
    {"fsdp_config.fsdp_cpu_ram_efficient_loading", Outcome::applied, "parallel.cpu_ram_efficient_loading"},
    {"fsdp_config.fsdp_sync_module_states", Outcome::ignored,
     "ranks begin with the same weights anyway: those of the file, or of training.seed"},
    {"fsdp_config.fsdp_activation_checkpointing", Outcome::applied, "training.activation_checkpointing"},
    {"fsdp_config.fsdp_activation_checkpointing_offload", Outcome::ignored, kInMemoryAnyway},
    {"fsdp_config.fsdp_offload_params", Outcome::ignored, kInMemoryAnyway},
    {"fsdp_config.fsdp_ignored_modules", Outcome::applied,
     "parallel.ignored_modules, where weights are sharded: else every rank has them whole"},
    {"deepspeed_config.deepspeed_config_file", Outcome::applied, "the recipe, key by key: the rows of its name"},
    {"deepspeed_config.zero_stage", Outcome::applied, "parallel.zero_stage", true},
    {"deepspeed_config.gradient_accumulation_steps", Outcome::applied, "training.gradient_accumulation_steps", true},
    {"deepspeed_config.gradient_clipping", Outcome::applied, "training.max_grad_norm", true},
    {"deepspeed_config.offload_optimizer_device", Outcome::applied, "parallel.offload_optimizer_device", true},
    {"deepspeed_config.offload_optimizer_nvme_path", Outcome::applied, "parallel.offload_optimizer_nvme_path", true},
    {"deepspeed_config.offload_param_device", Outcome::applied, "parallel.offload_param_device", true},
    {"deepspeed_config.offload_param_nvme_path", Outcome::applied, "parallel.offload_param_nvme_path", true},
    {"deepspeed_config.zero3_init_flag", Outcome::ignored,
     "the engine makes the weights of every rank from the file or training.seed in any case"},
    {"deepspeed_config.zero3_save_16bit_model", Outcome::ignored,
     "the trained model is saved whole in any case: checkpoint.export_dtype sets its number format"},
    {"deepspeed_config.deepspeed_moe_layer_cls_names", Outcome::ignored,
     "the experts of a block are gathered together in any case"},
    {"deepspeed_config.deepspeed_multinode_launcher", Outcome::ignored, kOwnLauncher},
    {"deepspeed_config.deepspeed_hostfile", Outcome::ignored, kOwnLauncher},
    {"deepspeed_config.deepspeed_exclusion_filter", Outcome::ignored, kOwnLauncher},
    {"deepspeed_config.deepspeed_inclusion_filter", Outcome::ignored, kOwnLauncher},
    {"parallelism_config.parallelism_config_dp_replicate_size", Outcome::applied, "parallel.dp_replicate_size", true},
    {"parallelism_config.parallelism_config_dp_shard_size", Outcome::applied, "parallel.dp_shard_size", true},
    {"parallelism_config.parallelism_config_tp_size", Outcome::applied, "parallel.tp_size", true},
    {"parallelism_config.parallelism_config_cp_size", Outcome::applied, "parallel.cp_size", true},
    {"parallelism_config.parallelism_config_cp_comm_strategy", Outcome::applied, "parallel.cp_rotate_method"},
    {"parallelism_config.parallelism_config_sp_size", Outcome::applied, "parallel.sp_size", true},
    {"megatron_lm_config.megatron_lm_tp_degree", Outcome::applied, "parallel.tp_size"},
    {"megatron_lm_config.megatron_lm_pp_degree", Outcome::applied, "parallel.pp_size"},
    {"megatron_lm_config.megatron_lm_context_parallel_size", Outcome::applied, "parallel.cp_size"},
    {"megatron_lm_config.megatron_lm_expert_model_parallel_size", Outcome::applied, "parallel.ep_size"},
    {"megatron_lm_config.megatron_lm_expert_tensor_parallel_size", Outcome::ignored,
     "the ranks of tp_size share each expert, too, with the same results"},
    {"megatron_lm_config.megatron_lm_sequence_parallelism", Outcome::applied, "parallel.tp_sequence_parallel"},
    {"megatron_lm_config.megatron_lm_num_micro_batches", Outcome::applied, "training.gradient_accumulation_steps"},
    {"megatron_lm_config.megatron_lm_recompute_activations", Outcome::applied, "training.activation_checkpointing"},
    {"megatron_lm_config.megatron_lm_recompute_granularity", Outcome::applied, "training.activation_checkpointing"},
    {"megatron_lm_config.megatron_lm_recompute_method", Outcome::ignored, kEachBlock},
    {"megatron_lm_config.megatron_lm_recompute_num_layers", Outcome::ignored, kEachBlock},
    {"megatron_lm_config.megatron_lm_use_distributed_optimizer", Outcome::applied, "parallel.zero_stage: 1"},
    {"megatron_lm_config.megatron_lm_gradient_clipping", Outcome::applied, "training.max_grad_norm"},
    {"megatron_lm_config.megatron_lm_attention_dropout", Outcome::ignored, "the recipe's model has its own"},
    {"megatron_lm_config.megatron_lm_hidden_dropout", Outcome::ignored, "the recipe's model has its own"},
    {"megatron_lm_config.megatron_lm_use_custom_fsdp", Outcome::refused,
     "take distributed_type FSDP, or set parallel.zero_stage in the recipe"},
    {"megatron_lm_config.megatron_lm_eod_mask_loss", Outcome::refused,
     "the labels of the data say what counts: leave it out"},
    {"megatron_lm_config.megatron_lm_decoder_last_pipeline_num_layers", Outcome::refused,
     "blocks are divided so that all stages cost about as much: leave it out"},
    {"fp8_config.backend", Outcome::applied, "fp8.scaling: tensorwise for AO; delayed, or mxfp8, for TE", true},
    {"fp8_config.margin", Outcome::applied, "fp8.margin", true},
    {"fp8_config.interval", Outcome::applied, "fp8.interval", true},
    {"fp8_config.fp8_format", Outcome::applied, "fp8.fp8_format", true},
    {"fp8_config.amax_history_len", Outcome::applied, "fp8.amax_history_len", true},
    {"fp8_config.amax_compute_algo", Outcome::applied, "fp8.amax_compute_algo", true},
    {"fp8_config.override_linear_precision", Outcome::applied, "fp8.full_precision", true},
    {"fp8_config.use_mxfp8_block_scaling", Outcome::applied, "fp8.scaling: mxfp8"},
    {"fp8_config.use_autocast_during_eval", Outcome::ignored, "evaluation is computed in fp8 in any case"},
    {"fp8_config.enable_fsdp_float8_all_gather", Outcome::applied, "fp8.enable_fsdp_float8_all_gather"},
    {"fp8_config.pad_inner_dim", Outcome::ignored, "layers with sizes that are not multiples of 16 stay in bf16"},
    {"mpirun_config.mpirun_hostfile", Outcome::applied, "mpirun starts the ranks on its hosts", true},
    {"mpirun_config.mpirun_ccl", Outcome::ignored, "ranks exchange gradients by Gloo, not by oneCCL"},

    {"config_file", Outcome::applied, "this table"},
    {"quiet", Outcome::ignored, "a failure of a rank is reported in one sentence, without a trace"},
    {"module", Outcome::applied, kProgram},
    {"no_python", Outcome::applied, kProgram},
    {"cpu", Outcome::applied, "launch.device"},
    {"ipex", Outcome::ignored, kNoIpex},
    {"use_xpu", Outcome::ignored, kNoIpex},
    {"nnodes", Outcome::applied, "launch.machines"},
    {"nproc_per_node", Outcome::applied, "launch.num_processes"},
    {"rdzv_endpoint", Outcome::applied, kRendezvous},
    {"standalone", Outcome::applied, "launch.machines: this one alone"},
    {"use_env", Outcome::ignored, "ranks read their numbers from variables anyway"},
    {"multi_gpu", Outcome::applied, kWayOfTraining},
    {"num_cpu_threads_per_process", Outcome::applied, "launch.num_cpu_threads_per_process"},
    {"use_deepspeed", Outcome::applied, kWayOfTraining},
    {"use_fsdp", Outcome::applied, kWayOfTraining},
    {"use_megatron_lm", Outcome::applied, kWayOfTraining},
    {"use_parallelism_config", Outcome::applied, kWayOfTraining},
    {"tee", Outcome::applied, "launch.output.tee: streams of ranks that are shown with the rank's name"},
    {"log_dir", Outcome::applied, "launch.output.log_dir: files of what ranks write, on each machine"},
    {"redirects", Outcome::applied, "launch.output.redirects: streams of ranks that have files"},
    {"local_ranks_filter", Outcome::applied, "launch.output.local_ranks_filter: ranks whose streams are shown"},
    {"rdzv_id", Outcome::applied, kRendezvous},
    {"role", Outcome::ignored, "it is named in torchrun's messages alone"},
    {"rdzv_conf", Outcome::applied, kRendezvous},
    {"max_restarts", Outcome::applied, "launch.max_restarts"},
    {"monitor_interval", Outcome::ignored, "ranks report all the time, and their end is seen at once"},
    {"aws_access_key_id", Outcome::ignored, "nothing is started on Amazon SageMaker"},
    {"aws_secret_access_key", Outcome::ignored, "nothing is started on Amazon SageMaker"},
    {"no_tpu_cluster", Outcome::ignored, "nothing is started on TPU"},
    {"hosts", Outcome::applied, "launch.machines"},
    {"hostfile", Outcome::applied, "launch.machines"},
    {"run_dir", Outcome::applied, "the run's folder"},
    {"device", Outcome::applied, "launch.device"},
    {"device_library", Outcome::applied, "launch.device_library"},
    {"set", Outcome::applied, "keys of the recipe"},
    {"queue", Outcome::applied, kLaunch},
    {"detach", Outcome::applied, kLaunch},
    {"no_run_dir", Outcome::refused,
     "curves and checkpoints of a recipe's run are stored in its folder: leave it out, or name the folder with "
     "--run_dir"},
    {"dry_run", Outcome::applied, kLaunch},
    {"check", Outcome::applied, kLaunch},
    {"export", Outcome::refused,
     "a recipe is trained by Trainyard's own engine: --dry-run prints the run.yaml that "
     "starts the same run elsewhere"},
    {"json", Outcome::applied, kLaunch},
    {"slurm", Outcome::applied, kSlurm},
    {"nodes", Outcome::applied, kSlurm},
    {"ntasks_per_node", Outcome::applied, kSlurm},
    {"cpus_per_task", Outcome::applied, kSlurm},
    {"partition", Outcome::applied, kSlurm},
    {"account", Outcome::applied, kSlurm},
    {"qos", Outcome::applied, kSlurm},
    {"time", Outcome::applied, kSlurm},
    {"gres", Outcome::applied, kSlurm},
    {"constraint", Outcome::applied, kSlurm},
    {"nodelist", Outcome::applied, kSlurm},
    {"sbatch_arg", Outcome::applied, kSlurm},
    {"no_requeue", Outcome::applied, kSlurm},
};

/// Returns the message for the keys of a section that have no entry of their own.
Message words_of(const settings::Key& key) {
    if (const Message reason = reason_without_python(key.section); !reason.empty())
        return reason;
    switch (key.section) {
        case Section::fsdp:
        case Section::deepspeed:
            return "the engine's own ZeRO does not need it";
        case Section::parallelism:
            return "no dimension of this mesh is larger than 1";
        case Section::megatron:
            return "the engine trains the recipe itself and does not need it";
        case Section::sagemaker:
            return "nothing is started on Amazon SageMaker";
        default:
            return "it is of TPU";
    }
}

/// Why a flag does not count without another one; empty: it counts.
Message missing_partner(const Rule& rule, const Flags& flags, const Resolved& resolved) {
    if (rule.words == kSlurm && rule.path != "slurm" && !flags.is_on("slurm"))
        return "it counts only with --slurm";
    if (rule.path.starts_with("parallelism_config."))
        return unused_mesh(flags, resolved);
    const bool meets = rule.path == "rdzv_id" || rule.path == "rdzv_conf" ||
                       (rule.path == "rdzv_endpoint" && flags.text("rdzv_endpoint").find(':') == std::string::npos);
    if (meets && resolved.settings.integer("num_machines", 1) == 1)
        return "it counts only where several machines find each other: give --num_machines";
    if (Message lacks = missing_output_flag(flags, rule.path); !lacks.empty())
        return lacks;
    if (rule.path == "device_library") {
        const std::string name = flags.text("device");
        if (name.empty() || name == "cpu" || name == "cuda")
            return "it counts only with --device, which names the kind of device that the library brings";
    }
    return {};
}

bool is_usual(const settings::Key& key, const Value& value) {
    const std::string text = value.display(), usual = key.standard().display();
    if (key.type == settings::Type::boolean)
        return truth_of(text) == (key.standard().is_null() ? Truth::no : truth_of(usual));
    return value == key.standard() || text == usual || text.empty();
}

/// Whether a section has the keys of a way of training.
bool is_of_way(Section section, Paradigm asked) {
    return (section == Section::fsdp && asked == Paradigm::fsdp) ||
           (section == Section::deepspeed && asked == Paradigm::deepspeed) ||
           (section == Section::megatron && asked == Paradigm::megatron);
}

/// Keys of the file that do not exist.
void add_unknown_keys(std::vector<RecipeSetting>& given, const Resolved& resolved) {
    for (const auto& [path, value] : resolved.settings.leaves()) {
        const auto origin = resolved.origins.find(path);
        if (origin == resolved.origins.end() || origin->second != Origin::file ||
            std::ranges::any_of(settings::schema(), [&](const settings::Key& key) { return key.path() == path; }))
            continue;
        given.push_back({path, value.display(), resolved.file, Outcome::ignored,
                         "there is no such key: correct its name, or take it out", false});
    }
}

}  // namespace

Message missing_output_flag(const Flags& flags, std::string_view name) {
    const auto given = [&](std::string_view flag) { return flags.text(flag, "0") != "0"; };
    if (name == "local_ranks_filter" && !given("tee"))
        return "it counts only with --tee, which shows streams of ranks";
    if (name == "redirects" && !given("log_dir"))
        return "it counts only with --log_dir, the folder of the files";
    if (name == "log_dir" && !given("tee") && !given("redirects"))
        return "it counts only with --tee or --redirects, which name the streams that are copied there";
    return {};
}

const char* outcome_name(Outcome outcome) {
    return outcome == Outcome::applied ? "applied" : outcome == Outcome::ignored ? "ignored" : "refused";
}

std::vector<RecipeSetting> settings_of_recipe(const Flags& flags, const Resolved& resolved) {
    std::vector<RecipeSetting> given;
    // On processors distributed_type is found to be MULTI_CPU, but what the keys of DeepSpeed and FSDP ask for holds
    // there, too.
    settings::Settings asked = resolved.settings;
    const std::vector<RecipeLimit> limits = recipe_limits(flags, resolved);
    const RecipeMesh mesh = unused_mesh(flags, resolved).empty() ? recipe_mesh(resolved.settings) : RecipeMesh();
    const bool gathers = recipe_sharding(resolved.settings, resolved.asked, mesh).zero_stage == 3;
    if (resolved.asked == Paradigm::deepspeed)
        asked.set("distributed_type", "DEEPSPEED");
    else if (resolved.asked == Paradigm::fsdp)
        asked.set("distributed_type", "FSDP");
    else if (resolved.asked == Paradigm::megatron)
        asked.set("distributed_type", "MEGATRON_LM");
    for (const settings::Key& key : settings::schema()) {
        if ((key.section == Section::sagemaker) != resolved.sagemaker && key.section != Section::launch)
            continue;
        const std::string path = key.path();
        std::string flag(key.flag.name);
        flag.erase(0, std::min(flag.size(), flag.find_first_not_of('-')));
        std::ranges::replace(flag, '-', '_');
        RecipeSetting one;
        const Value* value = nullptr;
        if (auto typed = flag.empty() ? flags.typed.end() : flags.typed.find(flag); typed != flags.typed.end()) {
            value = &typed->second;
            one.name = std::string(key.flag.name);
            one.from = "flag";
        } else if (auto origin = resolved.origins.find(path);
                   origin != resolved.origins.end() &&
                   (origin->second == Origin::file || origin->second == Origin::detected)) {
            value = resolved.settings.find(path);
            one.name = path;
            // distributed_type is detected if the file leaves it open or was written for another number of ranks.
            one.usual = origin->second == Origin::detected;
            one.from = one.usual ? std::string(origin_name(origin->second)) : resolved.file;
        }
        if (value == nullptr || value->is_null())
            continue;
        one.value = value->boolean() != nullptr           ? *value->boolean() ? "true" : "false"
                    : key.name == "aws_secret_access_key" ? "..."
                                                          : value->display();
        const auto* rule = std::ranges::find(kRules, std::string_view(path), &Rule::path);
        const bool ruled = rule != std::end(kRules);
        one.outcome = ruled ? rule->outcome : Outcome::ignored;
        one.words = ruled ? Message::table_text(rule->words) : words_of(key);
        const bool of_mesh = ruled && key.section == Section::parallelism;  // replicas are replicas in any file
        const bool by_flag = ruled && rule->flag_always && (one.from == "flag" || of_mesh);
        const bool inactive = key.applies != nullptr && !by_flag && !key.applies(asked);
        if (inactive) {
            // Files are full of keys for other ways of training.
            one.usual = one.from != "flag" && !(is_of_way(key.section, resolved.asked) && !is_usual(key, *value) &&
                                                text::lower(one.value) != "none");
            one.outcome = Outcome::ignored;
            one.words = Message("it counts only when {}", Message::table_text(key.applies_when));
        } else if (is_usual(key, *value)) {
            one.usual = true;
            if (one.outcome == Outcome::refused) {
                one.outcome = Outcome::ignored;
                one.words = "it is so anyway";
            }
        }
        const bool offloads_state = path == "deepspeed_config.offload_optimizer_device";
        if ((offloads_state || path == "deepspeed_config.offload_param_device") && one.value == "cpu" && !one.usual &&
            !inactive) {
            const bool on_cpu = resolved.settings.boolean("use_cpu");
            one.outcome = on_cpu ? Outcome::ignored : Outcome::refused;
            one.words = on_cpu           ? Message::table_text(kInMemoryAnyway)
                        : offloads_state ? Message::table_text(kStateStays)
                                         : weights_stay();
        }
        if (path == "fp8_config.backend" && text::upper(one.value) == "MSAMP" && !inactive) {
            one.usual = false;
            one.outcome = Outcome::refused;
            one.words = Message::table_text(kMsAmpAbandoned);
        }
        if (path == "fp8_config.margin" && !inactive && one.outcome == Outcome::applied &&
            resolved.settings.boolean("fp8_config.use_mxfp8_block_scaling")) {
            one.outcome = Outcome::ignored;
            one.words = "the scales of MXFP8 are powers of two, which a margin does not change";
        }
        if (path == "fp8_config.fp8_format" && text::upper(one.value) == "E5M2" && !inactive) {
            one.usual = false;
            one.outcome = Outcome::refused;
            one.words = Message::table_text(kNoPureE5m2);
        }
        if (!gathers && !inactive && one.outcome == Outcome::applied &&
            (path == "fsdp_config.fsdp_auto_wrap_policy" || path == "fsdp_config.fsdp_min_num_params" ||
             path == "fsdp_config.fsdp_transformer_layer_cls_to_wrap")) {
            one.outcome = Outcome::ignored;
            one.words = "every rank has the whole weights, so none are gathered";
        }
        if (const auto limit = std::ranges::find(limits, path, &RecipeLimit::key);
            limit != limits.end() && !limit->whole_way() && !inactive) {
            one.usual = false;
            one.outcome = Outcome::refused;
            one.words = limit->reason;
        }
        if (Message lacks = ruled ? missing_partner(*rule, flags, resolved) : Message(); !lacks.empty()) {
            one.usual = one.usual && one.from != "flag";
            one.outcome = Outcome::ignored;
            one.words = std::move(lacks);
        }
        given.push_back(std::move(one));
    }
    add_unknown_keys(given, resolved);
    if (std::optional<DeepspeedFile> file = deepspeed_file_of(resolved.settings, resolved.asked))
        std::ranges::move(file->rows, std::back_inserter(given));
    return given;
}

std::vector<Problem> refused_settings(const std::vector<RecipeSetting>& settings) {
    std::vector<Problem> problems;
    for (const RecipeSetting& one : settings)
        if (one.outcome == Outcome::refused)
            problems.push_back(
                {"", 0, 0, one.name,
                 one.from == "flag"
                     ? Message("{} cannot be applied to a recipe: {}", one.value, one.words)
                     : Message("{} of {} cannot be applied to a recipe: {}", one.value, one.from, one.words)});
    return problems;
}

std::vector<Message> notes_on_ignored(const std::vector<RecipeSetting>& settings) {
    std::vector<Message> notes;
    for (const RecipeSetting& one : settings)
        if (one.outcome == Outcome::ignored && !one.usual)
            notes.push_back(one.from == "flag"
                                ? Message("{} {} has no effect: {}", one.name, one.value, one.words)
                                : Message("{} {} of {} has no effect: {}", one.name, one.value, one.from, one.words));
    return notes;
}

}  // namespace trainyard::plan
