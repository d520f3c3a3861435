// SPDX-License-Identifier: GPL-3.0-or-later
// Sets of keys for what people usually want.

#include "config/accelerate/draft.h"

namespace trainyard::settings {

const std::vector<Preset>& Draft::presets() {
    static const std::vector<Preset> kPresets{
        {"one-gpu",
         "One GPU",
         "One process on one GPU, bf16",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "NO"},
          {"use_cpu", false},
          {"num_machines", 1},
          {"num_processes", 1},
          {"gpu_ids", "all"},
          {"mixed_precision", "bf16"}}},
        {"many-gpus",
         "Many GPUs",
         "A copy of the model on each GPU of this machine (DDP), bf16",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "MULTI_GPU"},
          {"num_machines", 1},
          {"mixed_precision", "bf16"}}},
        {"many-hosts",
         "Many hosts",
         "Two machines with GPUs; their number, address and processes are yours to say",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "MULTI_GPU"},
          {"num_machines", 2},
          {"machine_rank", 0},
          {"main_process_port", 29500},
          {"same_network", true},
          {"mixed_precision", "bf16"}}},
        {"largest-model",
         "Largest model on this machine",
         "FSDP 2 with recomputed activations and parameters in CPU memory, bf16",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "FSDP"},
          {"num_machines", 1},
          {"fsdp_config.fsdp_version", 2},
          {"fsdp_config.fsdp_reshard_after_forward", true},
          {"fsdp_config.fsdp_offload_params", true},
          {"fsdp_config.fsdp_activation_checkpointing", true},
          {"fsdp_config.fsdp_state_dict_type", "SHARDED_STATE_DICT"},
          {"mixed_precision", "bf16"}}},
        {"zero-3-offload",
         "ZeRO-3 with offload",
         "DeepSpeed shards everything and keeps optimizer states and weights in CPU memory, bf16",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "DEEPSPEED"},
          {"num_machines", 1},
          {"deepspeed_config.zero_stage", 3},
          {"deepspeed_config.offload_optimizer_device", "cpu"},
          {"deepspeed_config.offload_param_device", "cpu"},
          {"deepspeed_config.zero3_init_flag", true},
          {"deepspeed_config.zero3_save_16bit_model", true},
          {"mixed_precision", "bf16"}}},
        {"cpu-smoke-test",
         "CPU smoke test",
         "Two processes on the CPU: finds out whether a script runs distributed, without a GPU",
         {{"compute_environment", "LOCAL_MACHINE"},
          {"distributed_type", "MULTI_CPU"},
          {"use_cpu", true},
          {"num_machines", 1},
          {"num_processes", 2},
          {"mixed_precision", "no"}}},
    };
    return kPresets;
}

const std::vector<Preset>& configuration_zoo() {
    static const std::vector<Preset> kZoo = [] {
        std::vector<Preset> zoo = Draft::presets();
        const auto local = [&](const char* id, const char* name, const char* help, const char* type,
                               std::vector<std::pair<std::string, Value>> more) {
            std::vector<std::pair<std::string, Value>> keys{
                {"compute_environment", "LOCAL_MACHINE"}, {"distributed_type", type}, {"num_machines", 1}};
            keys.insert(keys.end(), more.begin(), more.end());
            zoo.push_back({id, name, help, std::move(keys)});
        };
        local("mpi", "MPI", "Processes on the CPUs of the hosts of a file, started by mpirun", "MULTI_CPU",
              {{"use_cpu", true},
               {"num_machines", 2},
               {"num_processes", 4},
               {"machine_rank", 0},
               {"main_process_port", 29500},
               {"same_network", true},
               {"mpirun_config.mpirun_hostfile", "hostfile"},
               {"mixed_precision", "no"}});
        local("fsdp", "FSDP", "Weights, gradients and optimizer states shared out (FSDP 2), bf16", "FSDP",
              {{"fsdp_config.fsdp_version", 2},
               {"fsdp_config.fsdp_reshard_after_forward", true},
               {"fsdp_config.fsdp_auto_wrap_policy", "TRANSFORMER_BASED_WRAP"},
               {"fsdp_config.fsdp_state_dict_type", "SHARDED_STATE_DICT"},
               {"mixed_precision", "bf16"}});
        local("fp8", "FP8", "A copy of the model on each GPU, matrix products in FP8 (Transformer Engine)", "MULTI_GPU",
              {{"mixed_precision", "fp8"},
               {"fp8_config.backend", "TE"},
               {"fp8_config.fp8_format", "HYBRID"},
               {"fp8_config.amax_history_len", 1024},
               {"fp8_config.amax_compute_algo", "most_recent"}});
        for (const int stage : {1, 2, 3}) {
            std::vector<std::pair<std::string, Value>> keys{{"deepspeed_config.zero_stage", stage},
                                                            {"deepspeed_config.gradient_accumulation_steps", 1},
                                                            {"deepspeed_config.gradient_clipping", 1.0},
                                                            {"deepspeed_config.offload_optimizer_device", "none"},
                                                            {"deepspeed_config.offload_param_device", "none"},
                                                            {"deepspeed_config.zero3_init_flag", stage == 3},
                                                            {"mixed_precision", "bf16"}};
            if (stage == 3)
                keys.emplace_back("deepspeed_config.zero3_save_16bit_model", true);
            static constexpr const char* kHelp[] = {"DeepSpeed shares out optimizer states, bf16",
                                                    "DeepSpeed shares out optimizer states and gradients, bf16",
                                                    "DeepSpeed shares out weights, too, bf16"};
            static constexpr const char* kIds[] = {"zero-1", "zero-2", "zero-3"};
            static constexpr const char* kNames[] = {"ZeRO-1", "ZeRO-2", "ZeRO-3"};
            local(kIds[stage - 1], kNames[stage - 1], kHelp[stage - 1], "DEEPSPEED", std::move(keys));
        }
        zoo.push_back({"sagemaker",
                       "Amazon SageMaker",
                       "A job on one instance with a GPU; region, role and profile are yours to say",
                       {{"compute_environment", "AMAZON_SAGEMAKER"},
                        {"distributed_type", "NO"},
                        {"ec2_instance_type", "ml.p3.2xlarge"},
                        {"iam_role_name", "accelerate_sagemaker_execution_role"},
                        {"profile", "default"},
                        {"region", "us-east-1"},
                        {"num_machines", 1},
                        {"mixed_precision", "no"}}});
        return zoo;
    }();
    return kZoo;
}

}  // namespace trainyard::settings
