// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the rules: each reports a file that breaks it, names a key and a fix, and is silent after the fix.

#include "config/accelerate/check.h"

#include <set>

#include <gmock/gmock.h>

#include "config/accelerate/rules.h"
#include "config/accelerate/settings_file.h"
#include "support/says.h"

namespace trainyard::settings {
namespace {

using test::says;
using testing::_;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Settings settings_of(const std::string& yaml) {
    Loaded loaded = read_settings(yaml, "c.yaml", Format::yaml);
    EXPECT_TRUE(loaded.problems.empty()) << loaded.problems.at(0).text();
    return loaded.settings;
}

std::vector<Rule> all_rules() {
    std::vector<Rule> all;
    for (std::span<const Rule> rules :
         {machine_rules(), sharding_rules(), deepspeed_rules(), precision_rules(), cloud_rules()})
        all.insert(all.end(), rules.begin(), rules.end());
    return all;
}

std::vector<Finding> found_by(const Rule& rule, const Settings& settings, const Machine* machine) {
    std::vector<Finding> findings;
    Judgement judgement(settings, machine, findings);
    rule.judge(judgement);
    return findings;
}

struct Example {
    const char* rule;
    const char* yaml;     ///< flow style
    const char* path;     ///< of the finding
    const char* message;  ///< part of it
    const char* mended;   ///< value of the key that corrects the file if the problem has no automatic fix; `path=value`
    Machine machine = {};
};

Machine machine_with(const std::function<void(Machine&)>& change) {
    Machine machine;
    machine.device = "cuda";
    machine.device_count = 4;
    machine.physical_cores = 8;
    machine.deepspeed = "0.18.0";
    machine.fp8 = true;
    machine.mpi = "openmpi";
    change(machine);
    return machine;
}

const Machine kGood = machine_with([](Machine&) {});

const std::vector<Example> kExamples = {
    {"machine_rank", "{distributed_type: MULTI_GPU, num_machines: 2, machine_rank: 2}", "machine_rank",
     "not one of 2 machines: use 0 to 1", "machine_rank=1"},
    {"machine_rank", "{distributed_type: MULTI_GPU, machine_rank: 1}", "machine_rank", "one machine: use 0", nullptr},
    {"processes_on_machines", "{distributed_type: MULTI_GPU, num_machines: 2, num_processes: 7}", "num_processes",
     "use 6 or 8", "num_processes=8"},
    {"processes_on_machines", "{distributed_type: MULTI_GPU, num_machines: 4, num_processes: 2}", "num_processes",
     "counts all machines together", nullptr},
    {"main_address", "{distributed_type: FSDP, num_machines: 2, num_processes: 8}", "main_process_ip", "is missing",
     "main_process_ip=10.0.0.1"},
    {"main_address", "{distributed_type: FSDP, num_machines: 2, main_process_ip: 127.0.0.1}", "main_process_ip",
     "every machine's own", "main_process_ip=node-1"},
    {"main_address", "{distributed_type: FSDP, num_machines: 2, main_process_ip: 'http://a'}", "main_process_ip",
     "slashes", "main_process_ip=a"},
    {"main_address", "{distributed_type: 'NO', main_process_ip: 'a;id'}", "main_process_ip",
     "characters that a shell interprets", "main_process_ip=a"},
    {"main_address", "{distributed_type: 'NO', main_process_ip: '-oProxyCommand=id'}", "main_process_ip",
     "leading dash", "main_process_ip=a"},
    {"main_port", "{distributed_type: MULTI_CPU, num_machines: 2, main_process_ip: a}", "main_process_port",
     "is missing", nullptr},
    {"shared_port", "{distributed_type: FSDP, num_machines: 2, main_process_ip: a, main_process_port: 0}",
     "main_process_port", "other machines do not know", nullptr},
    {"root_port", "{distributed_type: FSDP, main_process_port: 80}", "main_process_port", "1024 to 65535",
     "main_process_port=2950"},
    {"port_in_use", "{distributed_type: MULTI_GPU, num_processes: 2}", "main_process_port", "another program", nullptr,
     machine_with([](Machine& m) { m.ports_in_use = {29500}; })},
    {"port_in_use", "{distributed_type: MULTI_GPU, num_machines: 2, main_process_port: 29600}", "main_process_port",
     "choose another one", "main_process_port=29601", machine_with([](Machine& m) { m.ports_in_use = {29600}; })},
    {"one_process", "{distributed_type: 'NO', num_processes: 4, use_cpu: true}", "distributed_type", "use MULTI_CPU",
     nullptr},
    {"one_process", "{distributed_type: MULTI_GPU, num_processes: 1}", "num_processes", "use 2 or more",
     "num_processes=2"},
    {"cpu_or_not", "{distributed_type: MULTI_GPU, use_cpu: true}", "use_cpu", "use MULTI_CPU", nullptr},
    {"device_numbers", "{distributed_type: MULTI_GPU, gpu_ids: '0,x'}", "gpu_ids", "\"x\" is not the number",
     "gpu_ids=0,1"},
    {"device_numbers", "{distributed_type: MULTI_GPU, gpu_ids: '0,0'}", "gpu_ids", "twice", "gpu_ids=0,1"},
    {"device_numbers", "{distributed_type: MULTI_GPU, gpu_ids: '0,7'}", "gpu_ids", "use 0 to 3", "gpu_ids=0,3", kGood},
    {"enough_devices", "{distributed_type: MULTI_GPU, num_processes: 2, gpu_ids: '1'}", "gpu_ids", "needs two or more",
     nullptr},
    {"enough_devices", "{distributed_type: MULTI_GPU, num_processes: 4, gpu_ids: '1,3'}", "num_processes",
     "names 2 devices", nullptr},
    {"enough_devices", "{distributed_type: FSDP, num_processes: 8}", "num_processes", "has 4 devices: use 4", nullptr,
     kGood},
    {"maker_of_devices", "{distributed_type: MULTI_XPU, num_processes: 2}", "distributed_type", "use MULTI_GPU",
     nullptr, kGood},
    {"device_collectives", "{distributed_type: MULTI_GPU, num_processes: 2}", "distributed_type",
     "LibTorch has no collectives for this machine's 'mps'", nullptr, machine_with([](Machine& m) {
         m.device = "mps";
         m.device_count = 1;
     })},
    {"lazy_mode", "{distributed_type: DEEPSPEED, deepspeed_config: {zero_stage: 2, offload_optimizer_device: cpu}}",
     "deepspeed_config.offload_optimizer_device", "PT_HPU_LAZY_MODE", nullptr,
     machine_with([](Machine& m) { m.device = "hpu"; })},
    {"rendezvous_backend", "{distributed_type: FSDP, rdzv_backend: c10}", "rdzv_backend", "did you mean c10d", nullptr},
    {"mpi_program", "{distributed_type: MULTI_CPU, mpirun_config: {mpirun_hostfile: h}}",
     "mpirun_config.mpirun_hostfile", "install Open MPI", nullptr, machine_with([](Machine& m) { m.mpi.reset(); })},
    {"no_effect", "{distributed_type: MULTI_GPU, tpu_name: t}", "tpu_name", "only when distributed_type is XLA",
     nullptr},
    {"no_effect", "{distributed_type: FSDP, fsdp_config: {fsdp_version: 2, fsdp_use_orig_params: false}}",
     "fsdp_config.fsdp_use_orig_params", "only when fsdp_version is 1", nullptr},
    {"no_effect", "{distributed_type: MULTI_GPU, fsdp_config: {fsdp_version: 2, fsdp_offload_params: true}}",
     "fsdp_config", "only when distributed_type is FSDP", nullptr},
    {"no_effect", "{distributed_type: 'NO', dynamo_config: {dynamo_mode: max-autotune}}", "dynamo_config.dynamo_mode",
     "only when dynamo_backend is not NO", nullptr},

    {"load_once_needs_sync", "{distributed_type: FSDP, fsdp_config: {fsdp_sync_module_states: false}}",
     "fsdp_config.fsdp_sync_module_states", "set it to true", nullptr},
    {"local_checkpoints",
     "{distributed_type: FSDP, fsdp_config: {fsdp_version: 2, fsdp_state_dict_type: LOCAL_STATE_DICT}}",
     "fsdp_config.fsdp_state_dict_type", "use SHARDED_STATE_DICT", nullptr},
    {"forward_prefetch", "{distributed_type: FSDP, fsdp_config: {fsdp_version: 2, fsdp_forward_prefetch: true}}",
     "fsdp_config.fsdp_forward_prefetch", "remove it", nullptr},
    {"layer_names", "{distributed_type: FSDP, fsdp_config: {fsdp_transformer_layer_cls_to_wrap: ' '}}",
     "fsdp_config.fsdp_transformer_layer_cls_to_wrap", "empty place", nullptr},
    {"layer_names", "{distributed_type: FSDP, fsdp_config: {fsdp_transformer_layer_cls_to_wrap: 'A,,B'}}",
     "fsdp_config.fsdp_transformer_layer_cls_to_wrap", "empty place",
     "fsdp_config.fsdp_transformer_layer_cls_to_wrap=A, B"},
    {"least_parameters",
     "{distributed_type: FSDP, fsdp_config: {fsdp_auto_wrap_policy: SIZE_BASED_WRAP, fsdp_min_num_params: 0}}",
     "fsdp_config.fsdp_min_num_params", "100000000", nullptr},
    {"hybrid_on_one_machine", "{distributed_type: FSDP, fsdp_config: {fsdp_sharding_strategy: HYBRID_SHARD}}",
     "fsdp_config.fsdp_sharding_strategy", "FULL_SHARD does the same", nullptr},
    {"mesh_needs_fsdp2", "{distributed_type: FSDP, parallelism_config: {parallelism_config_tp_size: 2}}",
     "fsdp_config.fsdp_version", "use 2", nullptr},
    {"mesh_needs_fsdp2", "{distributed_type: MULTI_GPU, parallelism_config: {parallelism_config_tp_size: 2}}",
     "parallelism_config.parallelism_config_tp_size", "needs FSDP 2", "distributed_type=DEEPSPEED"},
    {"sequence_needs_deepspeed", "{distributed_type: FSDP, parallelism_config: {parallelism_config_sp_size: 2}}",
     "parallelism_config.parallelism_config_sp_size", "needs DeepSpeed", "distributed_type=DEEPSPEED"},
    {"context_and_sequence",
     "{distributed_type: DEEPSPEED, parallelism_config: {parallelism_config_sp_size: 2, parallelism_config_cp_size: "
     "2}}",
     "parallelism_config.parallelism_config_sp_size", "set one of them to 1", nullptr},
    {"mesh_size",
     "{distributed_type: FSDP, num_processes: 16, fsdp_config: {fsdp_version: 2}, parallelism_config: "
     "{parallelism_config_dp_replicate_size: 2, parallelism_config_tp_size: 3, parallelism_config_cp_size: 2}}",
     "parallelism_config.parallelism_config_tp_size", "does not divide 16 processes: use 1, 2, 4, 8 or 16",
     "parallelism_config.parallelism_config_tp_size=4"},
    {"mesh_size",
     "{distributed_type: FSDP, num_processes: 16, fsdp_config: {fsdp_version: 2}, parallelism_config: "
     "{parallelism_config_dp_shard_size: 2, parallelism_config_tp_size: 2}}",
     "parallelism_config.parallelism_config_dp_shard_size",
     "the mesh 1 × 2 × 2 × 1 needs 4 processes, num_processes is 16: set parallelism_config_dp_shard_size to 8",
     nullptr},
    {"replicas_need_shards",
     "{distributed_type: FSDP, parallelism_config: {parallelism_config_dp_replicate_size: 2, "
     "parallelism_config_tp_size: 2}}",
     "parallelism_config.parallelism_config_dp_replicate_size", "dp_shard_size is above 1", nullptr},
    {"sequence_attention",
     "{distributed_type: DEEPSPEED, parallelism_config: {parallelism_config_sp_size: 2, "
     "parallelism_config_sp_attn_implementation: eager}}",
     "parallelism_config.parallelism_config_sp_attn_implementation", "use sdpa", nullptr},
    {"sequence_length",
     "{distributed_type: DEEPSPEED, parallelism_config: {parallelism_config_sp_size: 4, "
     "parallelism_config_sp_seq_length: 1022}}",
     "parallelism_config.parallelism_config_sp_seq_length", "use 1020 or 1024",
     "parallelism_config.parallelism_config_sp_seq_length=1024"},
    {"megatron_sizes",
     "{distributed_type: MEGATRON_LM, num_processes: 8, megatron_lm_config: {megatron_lm_tp_degree: 3}}",
     "megatron_lm_config.megatron_lm_tp_degree", "use 1, 2, 4 or 8", "megatron_lm_config.megatron_lm_tp_degree=4"},
    {"megatron_sizes",
     "{distributed_type: MEGATRON_LM, num_processes: 8, megatron_lm_config: {megatron_lm_tp_degree: 4, "
     "megatron_lm_pp_degree: 4}}",
     "megatron_lm_config.megatron_lm_pp_degree", "use 1 or 2", "megatron_lm_config.megatron_lm_pp_degree=2"},
    {"megatron_sizes",
     "{distributed_type: MEGATRON_LM, num_processes: 8, megatron_lm_config: {megatron_lm_tp_degree: 2, "
     "megatron_lm_expert_model_parallel_size: 3}}",
     "megatron_lm_config.megatron_lm_expert_model_parallel_size", "does not divide 8 processes",
     "megatron_lm_config.megatron_lm_expert_model_parallel_size=4"},
    {"megatron_overlap",
     "{distributed_type: MEGATRON_LM, megatron_lm_config: {megatron_lm_overlap_cpu_optimizer_d2h_h2d: true}}",
     "megatron_lm_config.megatron_lm_overlap_cpu_optimizer_d2h_h2d", "has no effect", nullptr},

    {"fsdp_offload_from_cpu", "{distributed_type: FSDP, use_cpu: true, fsdp_config: {fsdp_offload_params: true}}",
     "fsdp_config.fsdp_offload_params", "has no effect with use_cpu", nullptr},
    {"configured_twice", "{distributed_type: DEEPSPEED, deepspeed_config: {deepspeed_config_file: d, zero_stage: 3}}",
     "deepspeed_config.zero_stage", "set it in DeepSpeed's JSON", nullptr},
    {"configured_twice",
     "{distributed_type: DEEPSPEED, deepspeed_config: {deepspeed_config_file: d, zero_stage: null}}",
     "deepspeed_config.zero_stage", "set it in DeepSpeed's JSON", nullptr},
    {"configured_twice",
     "{distributed_type: DEEPSPEED, mixed_precision: bf16, deepspeed_config: {deepspeed_config_file: d}}",
     "mixed_precision", "set fp16 or bf16 in DeepSpeed's JSON", nullptr},
    {"offload_needs_stage",
     "{distributed_type: DEEPSPEED, deepspeed_config: {zero_stage: 2, offload_param_device: cpu}}",
     "deepspeed_config.offload_param_device", "needs zero_stage 3", nullptr},
    {"offload_needs_stage",
     "{distributed_type: DEEPSPEED, deepspeed_config: {zero_stage: 0, offload_optimizer_device: cpu}}",
     "deepspeed_config.offload_optimizer_device", "zero_stage is 0", nullptr},
    {"offload_from_cpu",
     "{distributed_type: DEEPSPEED, use_cpu: true, deepspeed_config: {zero_stage: 2, offload_optimizer_device: cpu}}",
     "deepspeed_config.offload_optimizer_device", "has no effect with use_cpu", nullptr},
    {"nvme_folder", "{distributed_type: DEEPSPEED, deepspeed_config: {offload_optimizer_device: nvme}}",
     "deepspeed_config.offload_optimizer_nvme_path", "names no folder", nullptr},
    {"build_sharded", "{distributed_type: DEEPSPEED, deepspeed_config: {zero_stage: 2, zero3_init_flag: true}}",
     "deepspeed_config.zero3_init_flag", "set it to false", nullptr},
    {"deepspeed_library", "{distributed_type: DEEPSPEED}", "distributed_type", "pip install deepspeed",
     "distributed_type=FSDP", machine_with([](Machine& m) { m.deepspeed.reset(); })},
    {"deepspeed_library", "{distributed_type: DEEPSPEED, deepspeed_config: {deepspeed_multinode_launcher: nossh}}",
     "deepspeed_config.deepspeed_multinode_launcher", "0.14.5", nullptr,
     machine_with([](Machine& m) { m.deepspeed = "0.14.4"; })},
    {"host_file", "{distributed_type: DEEPSPEED, num_machines: 2}", "deepspeed_config.deepspeed_hostfile",
     "/job/hostfile", "deepspeed_config.deepspeed_hostfile=h"},
    {"amp_with_stage_three",
     "{distributed_type: DEEPSPEED, mixed_precision: fp8, deepspeed_config: {zero_stage: 3}, fp8_config: {backend: "
     "MSAMP}}",
     "fp8_config.backend", "zero_stage 3", nullptr},

    {"bf16_support", "{distributed_type: MULTI_GPU, mixed_precision: bf16}", "mixed_precision", "use fp16", nullptr,
     machine_with([](Machine& m) { m.bf16 = false; })},
    {"fp8_on_cpu", "{distributed_type: MULTI_CPU, mixed_precision: fp8, fp8_config: {backend: AO}}", "mixed_precision",
     "use bf16", nullptr},
    {"fp8_backend", "{distributed_type: MULTI_GPU, mixed_precision: fp8}", "fp8_config.backend", "AO, TE or MSAMP",
     nullptr},
    {"fp8_library", "{distributed_type: MULTI_GPU, mixed_precision: fp8}", "mixed_precision", "install one", nullptr,
     machine_with([](Machine& m) { m.fp8 = false; })},
    {"tpu_pod", "{distributed_type: XLA, tpu_use_cluster: true, tpu_zone: z}", "tpu_name", "is missing", "tpu_name=t"},
    {"tpu_environment", "{distributed_type: XLA, tpu_env: [A]}", "tpu_env", "NAME=value", "tpu_env=A=1,B=2"},
    {"tpu_commands", "{distributed_type: XLA, command_file: f, commands: [ls]}", "commands", "remove one", nullptr},
    {"tpu_double", "{distributed_type: XLA, downcast_bf16: true}", "downcast_bf16", "set it to false", nullptr},
    {"instance_type",
     "{compute_environment: AMAZON_SAGEMAKER, distributed_type: 'NO', ec2_instance_type: big, iam_role_name: r}",
     "ec2_instance_type", "begin with ml.", "ec2_instance_type=ml.p3.2xlarge"},
    {"model_parallel",
     "{compute_environment: AMAZON_SAGEMAKER, distributed_type: MODEL_PARALLEL, ec2_instance_type: ml.a, "
     "iam_role_name: r}",
     "distributed_type", "does not support yet", "distributed_type=NO"},
    {"aws_profile",
     "{compute_environment: AMAZON_SAGEMAKER, distributed_type: 'NO', ec2_instance_type: ml.a, iam_role_name: r}",
     "profile", "~/.aws", "profile=default"},
};

TEST(Rules, Fp16TrainsOnProcessors) {
    for (const char* yaml : {"{distributed_type: MULTI_CPU, mixed_precision: fp16}",
                             "{distributed_type: 'NO', use_cpu: true, mixed_precision: fp16}"})
        for (const Rule& rule : precision_rules())
            EXPECT_THAT(found_by(rule, settings_of(yaml), nullptr), testing::IsEmpty()) << yaml << " " << rule.name;
}

TEST(Rules, EachFiresAndItsMendClearsIt) {
    std::set<std::string> shown;
    for (const Example& example : kExamples) {
        SCOPED_TRACE(std::string(example.rule) + " " + example.yaml);
        std::vector<Rule> rules = all_rules();
        auto rule = std::ranges::find(rules, std::string_view(example.rule), &Rule::name);
        ASSERT_NE(rule, rules.end());
        shown.insert(example.rule);
        Settings settings = settings_of(example.yaml);
        const Machine* machine = example.machine.device_count > 0 ? &example.machine : nullptr;
        std::vector<Finding> findings = found_by(*rule, settings, machine);
        ASSERT_EQ(findings.size(), 1u);
        EXPECT_EQ(findings[0].path, example.path);
        EXPECT_THAT(findings[0].message, HasSubstr(example.message));
        if (example.mended == nullptr) {
            ASSERT_TRUE(findings[0].fix.has_value());
            if (findings[0].fix->is_null())
                settings.remove(example.path);
            else
                settings.set(example.path, *findings[0].fix);
        } else {
            std::string mend = example.mended;
            std::size_t equals = mend.find('=');
            bool sagemaker = settings.text("compute_environment") == "AMAZON_SAGEMAKER";
            settings.set(mend.substr(0, equals),
                         value_from_text(mend.substr(0, equals), mend.substr(equals + 1), sagemaker));
        }
        EXPECT_THAT(found_by(*rule, settings, machine), IsEmpty());
    }
    for (const Rule& rule : all_rules())
        EXPECT_TRUE(shown.contains(std::string(rule.name))) << rule.name << " has no example";
}

TEST(Rules, AreSilentOnWhatTheQuestionnaireWrites) {
    const char* const good[] = {
        "{compute_environment: LOCAL_MACHINE, debug: false, distributed_type: 'NO', downcast_bf16: 'no', "
        "enable_cpu_affinity: false, gpu_ids: all, machine_rank: 0, main_training_function: main, mixed_precision: "
        "bf16, "
        "num_machines: 1, num_processes: 1, rdzv_backend: static, same_network: true, tpu_env: [], tpu_use_cluster: "
        "false, tpu_use_sudo: false, use_cpu: false}",
        "{distributed_type: FSDP, mixed_precision: bf16, num_processes: 8, fsdp_config: {fsdp_version: 2, "
        "fsdp_reshard_after_forward: true, fsdp_auto_wrap_policy: TRANSFORMER_BASED_WRAP, fsdp_state_dict_type: "
        "SHARDED_STATE_DICT, fsdp_cpu_ram_efficient_loading: true}, parallelism_config: "
        "{parallelism_config_dp_shard_size: 4, parallelism_config_tp_size: 2}}",
        ("{distributed_type: DEEPSPEED, num_processes: 4, mixed_precision: bf16, deepspeed_config: "
         "{gradient_accumulation_steps: 1, gradient_clipping: 1.0, offload_optimizer_device: none, "
         "offload_param_device: none, zero3_init_flag: false, zero_stage: 2}}"),
        ("{distributed_type: MULTI_GPU, num_machines: 2, num_processes: 8, machine_rank: 1, main_process_ip: 10.0.0.1, "
         "main_process_port: 29600, same_network: true}"),
    };
    for (const char* yaml : good) {
        std::vector<Finding> findings = check(settings_of(yaml), &kGood);
        std::erase_if(findings, [](const Finding& finding) { return finding.path == "num_processes"; });
        EXPECT_THAT(findings, IsEmpty()) << yaml << "\n" << findings.at(0).message;
    }
}

TEST(CheckKeys, JudgesEachKeyForItself) {
    Settings settings = settings_of("distributed_type: 'NO'\nfsdp_config:\n  fsdp_versoin: 2\n");
    settings.set("num_processes", "four");
    settings.set("numprocesses", 4);
    settings.set("use_cpu", "maybe");
    settings.set("fsdp_config.fsdp_auto_wrap_policy", "transformer_based_wrap");
    settings.set("deepspeed_config", "yes");
    std::vector<Finding> findings = check_keys(settings);
    auto message = [&](const std::string& path) {
        for (const Finding& finding : findings)
            if (finding.path == path)
                return finding.message.text();
        return std::string("nothing");
    };
    EXPECT_THAT(message("num_processes"), says("{} is not a whole number: use one such as {}", _, _));
    EXPECT_THAT(message("numprocesses"),
                says("{} is not a known key: did you mean {}?", _, StartsWith("num_processes")));
    EXPECT_THAT(message("use_cpu"), says("{} is not a truth value: use true or false", _));
    EXPECT_THAT(message("fsdp_config.fsdp_versoin"),
                says("{} is not a known key: did you mean {}?", _, StartsWith("fsdp_config.fsdp_version")));
    EXPECT_THAT(message("fsdp_config.fsdp_auto_wrap_policy"),
                says("{} is not known: did you mean '{}'?", _, "TRANSFORMER_BASED_WRAP"));
    EXPECT_THAT(message("deepspeed_config"), says("{} holds {}, not keys: remove it or give it keys", _, _));
    EXPECT_EQ(findings.size(), 6u);
    auto place = std::ranges::find(findings, "fsdp_config.fsdp_versoin", &Finding::path);
    EXPECT_EQ(place->line, 3);
    EXPECT_EQ(place->severity, Finding::Severity::warning);

    EXPECT_THAT(check_keys(Settings()).at(0).message, HasSubstr("distributed_type is missing"));
    EXPECT_EQ(check_keys(settings_of("{distributed_type: MULTI_GPU, num_processes: -1}")).at(0).severity,
              Finding::Severity::warning);
    EXPECT_EQ(check_keys(settings_of("{compute_environment: AMAZON_SAGEMAKER, distributed_type: 'NO', "
                                     "ec2_instance_type: ml.a, iam_role_name: r}"))
                  .size(),
              0u);
}

TEST(Check, EndsSoonOnNumbersOnlyAnAttackHas) {
    Settings settings = settings_of("{distributed_type: FSDP, fsdp_config: {fsdp_version: 2}}");
    std::int64_t huge = 9'000'000'000'000'000'000;
    settings.set("num_processes", huge);
    for (const char* name : {"dp_replicate_size", "dp_shard_size", "tp_size", "cp_size"})
        settings.set(std::string("parallelism_config.parallelism_config_") + name, huge);
    check(settings);
    settings.set("num_processes", 9'999'991);
    EXPECT_FALSE(check(settings).empty());
    settings.set("distributed_type", "MEGATRON_LM");
    settings.set("megatron_lm_config.megatron_lm_tp_degree", huge);
    EXPECT_FALSE(check(settings).empty());
}

}  // namespace
}  // namespace trainyard::settings
