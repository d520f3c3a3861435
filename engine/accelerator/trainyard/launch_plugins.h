// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Options of FSDP, DeepSpeed and Megatron-LM in code, with Accelerate's names. Giving a plug-in switches it on.
// DeepSpeed's file, except `auto`, has precedence over a value in code, that over the launch's flag, and that over the
// settings file. What is left out is as the launch says. What this library does not do is refused as its setting is.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard::accelerator {

/// accelerate.FullyShardedDataParallelPlugin.
struct FullyShardedDataParallelPlugin {
    std::optional<std::int64_t> fsdp_version = {};      ///< 1 or 2
    std::optional<std::string> sharding_strategy = {};  ///< FULL_SHARD, SHARD_GRAD_OP, ...
    std::optional<bool> reshard_after_forward = {};     ///< with fsdp_version 2, instead of a strategy
    std::optional<bool> cpu_offload = {};               ///< weights are in main memory
    std::optional<std::string> auto_wrap_policy = {};   ///< TRANSFORMER_BASED_WRAP, SIZE_BASED_WRAP, NO_WRAP
    std::optional<std::vector<std::string>> transformer_cls_names_to_wrap = {};  ///< classes of blocks
    std::optional<std::int64_t> min_num_params = {};                             ///< of a block, with SIZE_BASED_WRAP
    std::optional<std::string> ignored_modules = {};                             ///< a regular expression of names
    std::optional<std::string> state_dict_type = {};     ///< FULL_STATE_DICT, SHARDED_STATE_DICT
    std::optional<bool> activation_checkpointing = {};   ///< of the wrapped blocks
    std::optional<bool> cpu_ram_efficient_loading = {};  ///< the main process alone reads weights: read_weights()
    std::optional<bool> sync_module_states = {};         ///< false: every rank starts from its own weights
};

/// accelerate.DeepSpeedPlugin.
struct DeepSpeedPlugin {
    std::optional<std::filesystem::path> hf_ds_config = {};        ///< DeepSpeed's JSON file
    std::optional<std::int64_t> zero_stage = {};                   ///< 0 to 3
    std::optional<std::int64_t> gradient_accumulation_steps = {};  ///< micro-batches per update
    std::optional<double> gradient_clipping = {};                  ///< largest norm of an update's gradients
    std::optional<std::string> offload_optimizer_device = {};      ///< none, cpu, nvme
    std::optional<std::string> offload_optimizer_nvme_path = {};   ///< folder for nvme
    std::optional<std::string> offload_param_device = {};          ///< none, cpu, nvme
    std::optional<std::string> offload_param_nvme_path = {};       ///< folder for nvme
    std::optional<bool> zero3_save_16bit_model = {};  ///< 16-bit weights in get_state_dict() and save_model()
    std::optional<std::vector<std::string>> transformer_moe_cls_names = {};  ///< blocks that are gathered whole
};

/// accelerate.MegatronLMPlugin. Parts of layers, stages and sequences are of the engine's models (recipes), so a
/// program with it is refused, in the sentence of use_megatron_lm, or of return_logits where that is set.
struct MegatronLMPlugin {
    std::optional<std::int64_t> tp_degree = {};          ///< ranks that share each layer
    std::optional<std::int64_t> pp_degree = {};          ///< stages of a pipeline
    std::optional<std::int64_t> num_micro_batches = {};  ///< of a step
    std::optional<bool> return_logits = {};              ///< of the forward besides the loss
};

}  // namespace trainyard::accelerator
