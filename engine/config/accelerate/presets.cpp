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

}  // namespace trainyard::settings
