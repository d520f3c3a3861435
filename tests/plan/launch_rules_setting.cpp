// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about values that do not arrive in Accelerate, and contradictions that only its started script would find.

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "base/truth.h"
#include "config/accelerate/schema.h"
#include "plan/launch_rules.h"

namespace trainyard::test {

namespace {

/// Returns the environment of the ranks, or of the job on SageMaker.
Json& environment_of(Json& e) {
    return e["launcher"] == "sagemaker" ? e["estimator"]["environment"] : e["env"];
}
const Json& environment_of(const Json& e) {
    return e["launcher"] == "sagemaker" ? e["estimator"]["environment"] : e["env"];
}
bool answered(const Json& e) {
    return !e.contains("error");
}
bool is_local(const Json& e) {
    return answered(e) && e["launcher"] != "sagemaker";
}
bool uses(const Json& e, const char* variable) {
    return answered(e) && e["env"].value(variable, "") == "true";
}
std::string section_value(const LaunchInput& in, const std::string& key, const std::string& table) {
    return setting(in, key, table + "." + key);
}
int number(const std::string& text, int otherwise) {
    return text.empty() ? otherwise : std::atoi(text.c_str());
}

/// Removes a variable from the environment of the ranks (on SageMaker: of the job) and from DeepSpeed's environment
/// file, if any.
void remove_variable(Json& e, const std::string& name) {
    environment_of(e).erase(name);
    if (!e.contains("deepspeed_env_file"))
        return;
    Json kept = Json::array();
    for (const Json& line : e["deepspeed_env_file"])
        if (!line.get<std::string>().starts_with(name + "="))
            kept.push_back(line);
    e["deepspeed_env_file"] = kept;
}
void add_variable(Json& e, const std::string& name, const std::string& value) {
    remove_variable(e, name);
    environment_of(e)[name] = value;
    if (e["launcher"] == "deepspeed")
        e["deepspeed_env_file"].push_back(name + "=" + value);
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

// --- meshes ---

bool mesh_in_file(const LaunchInput& in) {
    std::string table = in.config_value("parallelism_config");
    return !table.empty() && table != "{}" && !paradigm_typed(in) && !in.typed("cpu");
}
bool mesh_used(const LaunchInput& in) {
    return in.typed("use_parallelism_config") || mesh_in_file(in);
}
int mesh_size(const LaunchInput& in, const char* name) {
    return number(section_value(in, std::string("parallelism_config_") + name, "parallelism_config"), 1);
}
bool is_second(const LaunchInput& in) {
    return type_asked(in) == "FSDP" && section_value(in, "fsdp_version", "fsdp_config") == "2";
}
bool mesh_fits(const LaunchInput& in) {
    int sequence = mesh_size(in, "sp_size"), context = mesh_size(in, "cp_size"), tensor = mesh_size(in, "tp_size");
    int shard = mesh_size(in, "dp_shard_size"), replicate = mesh_size(in, "dp_replicate_size");
    if (std::min({sequence, context, tensor, shard, replicate}) < 1)
        return false;
    if (sequence > 1 && (context > 1 || type_asked(in) != "DEEPSPEED"))
        return false;
    if (replicate > 1 && shard == 1 && (tensor > 1 || context > 1))
        return false;
    int product = sequence * context * tensor * shard * replicate;
    if (product > 1 && product != processes(in) && !(type_asked(in) == "DEEPSPEED" && sequence > 1))
        return false;
    std::string length = section_value(in, "parallelism_config_sp_seq_length", "parallelism_config");
    if (sequence > 1 && !length.empty() && number(length, 0) % sequence != 0)
        return false;
    std::string varies = section_value(in, "parallelism_config_sp_seq_length_is_variable", "parallelism_config");
    if (sequence > 1 && length.empty() && !varies.empty() && !is_true(varies))
        return false;
    std::string how = section_value(in, "parallelism_config_cp_comm_strategy", "parallelism_config");
    return how.empty() || how == "allgather" || how == "alltoall";
}

// --- what the started script would refuse ---

bool deepspeed_contradicts(const LaunchInput& in) {
    if (type_asked(in) != "DEEPSPEED" || in.typed("cpu"))
        return false;
    auto value = [&](const char* key) { return section_value(in, key, "deepspeed_config"); };
    std::string file = value("deepspeed_config_file");
    if (!file.empty() && file != "none")
        return (!in.config_value("mixed_precision").empty() && !in.typed("mixed_precision")) ||
               std::ranges::any_of(
                   std::array{"gradient_accumulation_steps", "gradient_clipping", "zero_stage",
                              "offload_optimizer_device", "offload_param_device", "offload_optimizer_nvme_path",
                              "offload_param_nvme_path", "zero3_save_16bit_model"},
                   [&](const char* key) { return !value(key).empty(); });
    int stage = number(value("zero_stage"), 2);
    auto offloads = [&](const char* key) { return !value(key).empty() && value(key) != "none"; };
    bool amp = upper(setting(in, "fp8_backend", "fp8_config.backend")) == "MSAMP" &&
               setting(in, "mixed_precision", "mixed_precision") == "fp8";
    return (offloads("offload_optimizer_device") && stage < 1) || (offloads("offload_param_device") && stage != 3) ||
           (amp && stage == 3);
}

bool sharding_contradicts(const LaunchInput& in) {
    if (type_asked(in) != "FSDP" || in.typed("cpu"))
        return false;
    auto value = [&](const char* key) { return section_value(in, key, "fsdp_config"); };
    std::string layers = value("fsdp_transformer_layer_cls_to_wrap");
    bool gap =
        !layers.empty() && (layers.front() == ',' || layers.back() == ',' || layers.find(",,") != std::string::npos);
    bool second = is_second(in);
    return gap ||
           (second && (value("fsdp_state_dict_type") == "LOCAL_STATE_DICT" || is_true(value("fsdp_forward_prefetch"))));
}

bool megatron_contradicts(const LaunchInput& in) {
    if (type_asked(in) != "MEGATRON_LM" || in.typed("cpu"))
        return false;
    int product = 1;
    for (const char* key : {"megatron_lm_tp_degree", "megatron_lm_pp_degree", "megatron_lm_context_parallel_size"})
        product *= std::max(1, number(section_value(in, key, "megatron_lm_config"), 1));
    if (processes(in) % product != 0)
        return true;
    int stage = processes(in) / product * number(section_value(in, "megatron_lm_tp_degree", "megatron_lm_config"), 1);
    return stage % number(section_value(in, "megatron_lm_expert_model_parallel_size", "megatron_lm_config"), 1) != 0;
}

bool outside_of_choices(const LaunchInput& in) {
    struct Choice {
        const char* key;
        const char* table;
        std::set<std::string> values;
    };
    static const std::vector<Choice> kChoices = {
        {"zero_stage", "deepspeed_config", {"0", "1", "2", "3"}},
        {"offload_optimizer_device", "deepspeed_config", {"none", "cpu", "nvme"}},
        {"offload_param_device", "deepspeed_config", {"none", "cpu", "nvme"}},
        {"deepspeed_multinode_launcher",
         "deepspeed_config",
         {"pdsh", "standard", "openmpi", "mvapich", "mpich", "nossh", "slurm"}},
        {"fsdp_sharding_strategy",
         "fsdp_config",
         {"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2", "1", "2", "3", "4", "5"}},
        {"fsdp_auto_wrap_policy", "fsdp_config", {"TRANSFORMER_BASED_WRAP", "SIZE_BASED_WRAP", "NO_WRAP"}},
        {"fsdp_backward_prefetch", "fsdp_config", {"BACKWARD_PRE", "BACKWARD_POST", "NO_PREFETCH", "1", "2", "3"}},
        {"fsdp_state_dict_type",
         "fsdp_config",
         {"FULL_STATE_DICT", "LOCAL_STATE_DICT", "SHARDED_STATE_DICT", "1", "2", "3"}},
        {"parallelism_config_cp_comm_strategy", "parallelism_config", {"allgather", "alltoall"}},
        {"megatron_lm_recompute_granularity", "megatron_lm_config", {"full", "selective"}},
        {"megatron_lm_recompute_method", "megatron_lm_config", {"uniform", "block"}},
    };
    return std::ranges::any_of(kChoices, [&](const Choice& choice) {
        std::string value = section_value(in, choice.key, choice.table);
        return !value.empty() && !choice.values.contains(value);
    });
}

/// Returns whether a table that Accelerate passes on unchecked has a value of the wrong type for a boolean or number.
bool type_is_wrong(const LaunchInput& in) {
    static const std::regex kWhole("[-+]?[0-9]+(e[0-9]+)?"), kNumber("[-+]?[0-9]*\\.?[0-9]+([eE][-+]?[0-9]+)?");
    return std::ranges::any_of(settings::schema(), [&](const settings::Key& key) {
        if (settings::table_name(key.section).empty() || key.section == settings::Section::dynamo)
            return false;
        std::string flag(key.flag.name.substr(std::min<std::size_t>(2, key.flag.name.size())));
        std::string value = flag.empty() ? in.config_value(key.path()) : setting(in, flag, key.path());
        if (value.empty() || value == "auto" || (key.flag.kind == settings::FlagKind::presence && in.typed(flag)))
            return false;
        switch (key.type) {
            case settings::Type::boolean:
                return truth_of(value) == Truth::neither;
            case settings::Type::integer:
                return !std::regex_match(value, kWhole) || std::atof(value.c_str()) < key.range.least;
            case settings::Type::number:
                return !std::regex_match(value, kNumber) || std::atof(value.c_str()) < key.range.least;
            default:
                return false;
        }
    });
}

bool device_list_is_wrong(const LaunchInput& in) {
    static const std::regex kDevice("[0-9]+|GPU-.*|MIG-.*");
    std::string ids = setting(in, "gpu_ids", "gpu_ids");
    if (ids.empty() || ids == "all" || is_sagemaker(in))
        return false;
    std::set<std::string> seen;
    std::size_t count = 0;
    for (std::size_t start = 0; start <= ids.size(); ++count) {
        std::size_t end = std::min(ids.find(',', start), ids.size());
        std::string id = ids.substr(start, end - start);
        id = std::regex_replace(id, std::regex("^ +| +$"), "");
        if (!std::regex_match(id, kDevice) || !seen.insert(id).second)
            return true;
        start = end + 1;
    }
    bool several = type_asked(in) == "MULTI" || (type_asked(in) == "NO" && processes(in) > 1 && !on_cpu(in) &&
                                                 in.machine_value("device_count", 0) > 0 && hostfile(in).empty());
    return several && count == 1 && machines(in) == 1 && !in.typed("cpu");
}

bool place_is_wrong(const LaunchInput& in) {
    std::string port = setting(in, "main_process_port", "main_process_port");
    int rank = machine_rank(in);
    return !is_sagemaker(in) &&
           (number(port, 1) > 65535 || number(port, 1) < 0 ||
            (machines(in) > 1 && !port.empty() && number(port, 1) == 0) || rank >= std::max(1, machines(in)));
}

/// Names of Megatron's flags whose type is Python's bool, which converts every non-empty text to true.
constexpr std::array kMegatronSwitches = {"use_custom_fsdp",
                                          "no_load_optim",
                                          "eod_mask_loss",
                                          "overlap_cpu_optimizer_d2h_h2d",
                                          "no_save_optim",
                                          "optimizer_cpu_offload",
                                          "use_precision_aware_optimizer"};

bool has_false_switch(const LaunchInput& in) {
    return std::ranges::any_of(kMegatronSwitches, [&](const char* name) {
        std::string flag = std::string("megatron_lm_") + name;
        return in.typed(flag) && !is_true(in.value_of(flag));
    });
}

}  // namespace

std::vector<Rule> setting_rules() {
    std::vector<Rule> rules = {
        {"oneCCL workers arrive",
         "Accelerate up to 1.12 exported mpirun_ccl as CCL_WORKER_COUNT; later it reads the key and drops it.",
         [](const LaunchInput& in, const Json& e) {
             return answered(e) && e.value("launcher", "") == "process" &&
                    !in.config_value("mpirun_config.mpirun_ccl").empty();
         },
         [](const LaunchInput& in, Json& e) {
             e["env"]["CCL_WORKER_COUNT"] = in.config_value("mpirun_config.mpirun_ccl");
         },
         {}},
        {"found before anything starts",
         "What the plug-ins of the started script refuse or nobody has ever offered, is refused "
         "by "
         "the launch: values of another type or outside of the choices, meshes that do not fit the processes, "
         "DeepSpeed set up twice, "
         "offloading without the stage for it, keys of FSDP 1 under FSDP 2, devices named twice, ports and machine "
         "numbers that cannot be.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && (deepspeed_contradicts(in) || sharding_contradicts(in) || megatron_contradicts(in) ||
                                    outside_of_choices(in) || type_is_wrong(in) || device_list_is_wrong(in) ||
                                    place_is_wrong(in) || (mesh_used(in) && !in.typed("cpu") && !mesh_fits(in)));
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"a mesh needs FSDP 2",
         "--use_parallelism_config with FSDP 1 passes, since the text 1 is compared with the number 1; in a file a "
         "parallelism_config passes under any type. FSDP 2 or (in a file) DeepSpeed is needed.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && mesh_used(in) && !is_second(in) &&
                    (in.typed("use_parallelism_config") || type_asked(in) != "DEEPSPEED");
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"false is false for the broadcast",
         "fsdp_sync_module_states: the text false counts as true, so the rule about loading once never meets it.",
         [](const LaunchInput& in, const Json& e) {
             auto value = [&](const char* key) { return section_value(in, key, "fsdp_config"); };
             std::string once = value("fsdp_cpu_ram_efficient_loading"), sync = value("fsdp_sync_module_states");
             return uses(e, "ACCELERATE_USE_FSDP") && (once.empty() || is_true(once)) && !sync.empty() &&
                    !is_true(sync);
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"false is false for Megatron's switches",
         "Seven switches have Python's bool as their type, which makes true of every text.",
         [](const LaunchInput& in, const Json& e) {
             return uses(e, "ACCELERATE_USE_MEGATRON_LM") && has_false_switch(in);
         },
         [](const LaunchInput& in, Json& e) {
             for (const char* name : kMegatronSwitches)
                 if (std::string flag = std::string("megatron_lm_") + name;
                     in.typed(flag) && !is_true(in.value_of(flag)))
                     e["env"]["MEGATRON_LM_" + upper(name)] = "False";
         },
         {}},
        {"false is false for the sequence length",
         "The same for --parallelism_config_sp_seq_length_is_variable.",
         [](const LaunchInput& in, const Json& e) {
             const char* flag = "parallelism_config_sp_seq_length_is_variable";
             return is_local(e) && e["env"].contains("PARALLELISM_CONFIG_SP_SEQ_LENGTH_IS_VARIABLE") &&
                    in.typed(flag) && !is_true(in.value_of(flag));
         },
         [](const LaunchInput&, Json& e) { add_variable(e, "PARALLELISM_CONFIG_SP_SEQ_LENGTH_IS_VARIABLE", "False"); },
         {}},
        {"context parallelism of Megatron is off unless asked for",
         "Without MEGATRON_LM_CONTEXT_PARALLEL_SIZE the plug-in takes 2; 1 is exported.",
         [](const LaunchInput&, const Json& e) {
             return uses(e, "ACCELERATE_USE_MEGATRON_LM") && !e["env"].contains("MEGATRON_LM_CONTEXT_PARALLEL_SIZE");
         },
         [](const LaunchInput&, Json& e) { e["env"]["MEGATRON_LM_CONTEXT_PARALLEL_SIZE"] = "1"; },
         {}},
        {"Megatron-LM excludes the others",
         "--use_megatron_lm with --use_fsdp, --use_deepspeed or --tpu is not refused; one of them is passed over.",
         [](const LaunchInput& in, const Json&) {
             return in.typed("use_megatron_lm") &&
                    (in.typed("use_fsdp") || in.typed("use_deepspeed") || in.typed("tpu"));
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"bf16 is always checked",
         "Accelerate asks for bf16 support only where a file is in use and the flag was typed.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && setting(in, "mixed_precision", "mixed_precision") == "bf16" &&
                    !in.machine_value("bf16", true) && !on_cpu(in) &&
                    !(type_asked(in) == "XLA" && in.machine_value("tpu", false)) &&
                    !(type_asked(in) == "NO" && processes(in) > 1 && in.machine_value("device_count", 0) == 0);
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"same_network of the file counts",
         "A flag with a default always wins over the file, so the endpoint is used.",
         [](const LaunchInput& in, const Json& e) {
             return is_ranks(e) && !in.typed("same_network") && is_true(in.config_value("same_network")) &&
                    !e["torchrun"]["rdzv_endpoint"].get<std::string>().empty();
         },
         [](const LaunchInput&, Json& e) {
             std::string endpoint = e["torchrun"]["rdzv_endpoint"];
             std::size_t colon = endpoint.rfind(':');
             e["torchrun"]["master_addr"] = endpoint.substr(0, colon);
             e["torchrun"]["master_port"] = endpoint.substr(colon + 1);
             e["torchrun"]["rdzv_endpoint"] = "";
         },
         {}},
        {"rdzv_backend of the file counts",
         "As above.",
         [](const LaunchInput& in, const Json& e) {
             return is_ranks(e) && !in.typed("rdzv_backend") && !in.config_value("rdzv_backend").empty();
         },
         [](const LaunchInput& in, Json& e) { e["torchrun"]["rdzv_backend"] = in.config_value("rdzv_backend"); },
         {}},
        {"enable_cpu_affinity of the file counts",
         "As above.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && e["launcher"] != "tpu" && !in.typed("enable_cpu_affinity") &&
                    is_true(in.config_value("enable_cpu_affinity"));
         },
         [](const LaunchInput&, Json& e) { add_variable(e, "ACCELERATE_CPU_AFFINITY", "1"); },
         {}},
        {"gradient_accumulation_steps always arrives",
         "Accelerate exports it under DeepSpeed only.",
         [](const LaunchInput& in, const Json& e) {
             std::string steps = section_value(in, "gradient_accumulation_steps", "deepspeed_config");
             return answered(e) && !uses(e, "ACCELERATE_USE_DEEPSPEED") && number(steps, 0) > 0;
         },
         [](const LaunchInput& in, Json& e) {
             std::string steps = section_value(in, "gradient_accumulation_steps", "deepspeed_config");
             environment_of(e)["ACCELERATE_GRADIENT_ACCUMULATION_STEPS"] = steps;
         },
         {}},
        {"strategies by their names",
         "FSDP's strategies, prefetching and checkpoints may be given as numbers; they are exported as the names that "
         "the numbers mean.",
         [](const LaunchInput&, const Json& e) { return uses(e, "ACCELERATE_USE_FSDP"); },
         [](const LaunchInput&, Json& e) {
             using Names = std::vector<std::string>;
             for (const auto& [variable, names] :
                  {std::pair{"FSDP_SHARDING_STRATEGY",
                             Names{"FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD", "HYBRID_SHARD_ZERO2"}},
                   std::pair{"FSDP_BACKWARD_PREFETCH", Names{"BACKWARD_PRE", "BACKWARD_POST", "NO_PREFETCH"}},
                   std::pair{"FSDP_STATE_DICT_TYPE",
                             Names{"FULL_STATE_DICT", "LOCAL_STATE_DICT", "SHARDED_STATE_DICT"}}}) {
                 std::string value = e["env"].value(variable, "");
                 int place = number(value, 0);
                 if (value == std::to_string(place) && place >= 1 && place <= static_cast<int>(names.size()))
                     e["env"][variable] = names[static_cast<std::size_t>(place) - 1];
             }
         },
         {}},
        {"NVMe paths arrive",
         "Accelerate takes them and exports nothing.",
         [](const LaunchInput&, const Json& e) { return uses(e, "ACCELERATE_USE_DEEPSPEED"); },
         [](const LaunchInput& in, Json& e) {
             for (const char* what : {"OPTIMIZER", "PARAM"}) {
                 std::string key = std::string("offload_") + (what[0] == 'O' ? "optimizer" : "param") + "_nvme_path";
                 if (std::string path = section_value(in, key, "deepspeed_config"); !path.empty())
                     add_variable(e, std::string("ACCELERATE_DEEPSPEED_OFFLOAD_") + what + "_NVME_PATH", path);
             }
         },
         {}},
        {"DeepSpeed needs its host file",
         "Without one Accelerate passes the text None.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && e["launcher"] == "deepspeed" &&
                    section_value(in, "deepspeed_hostfile", "deepspeed_config").empty();
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"DeepSpeed starts even machines",
         "deepspeed --num_gpus is one number for all machines; the rest of an uneven division would be lost.",
         [](const LaunchInput& in, const Json& e) {
             return is_local(e) && e["launcher"] == "deepspeed" && processes(in) % machines(in) != 0 &&
                    section_value(in, "deepspeed_exclusion_filter", "deepspeed_config").empty() &&
                    section_value(in, "deepspeed_inclusion_filter", "deepspeed_config").empty();
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"FP8 backends are upper case",
         "--fp8_backend te is exported as typed, and the reader knows TE only.",
         [](const LaunchInput&, const Json& e) {
             return answered(e) && environment_of(e).contains("ACCELERATE_FP8_BACKEND");
         },
         [](const LaunchInput&, Json& e) {
             add_variable(e, "ACCELERATE_FP8_BACKEND", upper(environment_of(e)["ACCELERATE_FP8_BACKEND"]));
         },
         {}},
        {"FP8 keys of the questionnaire arrive",
         "Accelerate's questionnaire writes names that become variables which nobody reads.",
         [](const LaunchInput&, const Json& e) {
             return answered(e) && environment_of(e).contains("ACCELERATE_FP8_FORMAT");
         },
         [](const LaunchInput& in, Json& e) {
             for (auto [written, read] : {std::pair{"amax_compute_algorithm", "amax_compute_algo"},
                                          std::pair{"amax_history_length", "amax_history_len"},
                                          std::pair{"optimization_level", "opt_level"}}) {
                 remove_variable(e, "ACCELERATE_FP8_" + upper(written));
                 std::string value = in.config_value(std::string("fp8_config.") + written);
                 bool other = in.typed(std::string("fp8_") + read) ||
                              !in.config_value(std::string("fp8_config.") + read).empty();
                 if (!value.empty() && !other)
                     add_variable(e, "ACCELERATE_FP8_" + upper(read), value);
             }
         },
         {}},
    };
    return rules;
}

}  // namespace trainyard::test
