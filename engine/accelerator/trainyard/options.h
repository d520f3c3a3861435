// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Options of an Accelerator. Every option has a default; the launcher's environment sets those that the program leaves
// unset.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <trainyard/block.h>
#include <trainyard/fp8.h>
#include <trainyard/launch_plugins.h>
#include <trainyard/scheduler.h>

#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/join.h"
#include "observe/track/tracker.h"
#include "optim/grad_scaler.h"
#include "profile/profiler.h"
#include "train/loop/precision.h"

namespace trainyard::accelerator {

/// How gradients of several micro-batches become one update (GradientAccumulationPlugin).
struct AccumulationOptions {
    bool sync_with_dataloader = true;  ///< the last batch of a loader always ends a group
    bool sync_each_batch =
        false;  ///< several ranks: reduce after every micro-batch (less memory, more traffic). Models of the
                ///< engine (train/flat_model.h) reduce once in an update, or as their recipe's zero_stage has it
    /// Divisor of the gradients of a group with fewer micro-batches than num_steps (at the end of a loader).
    enum class ShortGroup {
        own_number,  ///< its own number: a mean, as every other update
        num_steps,   ///< Accelerate: too small by the missing ones
    };
    /// The divisor of such a group.
    ShortGroup short_group = ShortGroup::own_number;
};

/// Arguments of Accelerator::backward.
struct BackwardOptions {
    at::Tensor gradient = {};  ///< for losses with more than one number
    /// Keeps the graph for another backward, as in torch.
    bool retain_graph = false;
    /// Records the backward pass for higher derivatives, as in torch.
    bool create_graph = false;
    /// What the loss, a sum, is to be divided by: tokens that count, samples. The gradients of the update are those
    /// of the sum of all losses of the group, over its micro-batches and all ranks, divided by the sum of all
    /// denominators: a mean over what was counted, however unevenly it was spread. Either every backward of a group
    /// has one or none.
    std::optional<double> denominator = std::nullopt;
    /// What the denominators of the whole update are expected to sum up to: gradients are made for it and corrected
    /// once the sum is known, so that they are never as large as those of a sum (fp16). Left out: that of the update
    /// before, under fp16.
    std::optional<double> expected = std::nullopt;
};

/// DataLoaderConfiguration: how prepare() shares out what loaders read.
struct LoaderOptions {
    /// The batch size counts the samples of all ranks instead of those of one.
    bool split_batches = false;
    std::optional<bool> dispatch_batches = std::nullopt;  ///< default: streams are dispatched
    /// Completes last batches with repeated samples, so that all ranks have equally many.
    bool even_batches = true;
    /// Shuffles by a seed and the epoch alone, so that the order does not depend on other random numbers.
    bool use_seedable_sampler = false;
    /// The seed of that sampler. Empty: the seed of the process's generator.
    std::optional<std::int64_t> data_seed = std::nullopt;
    /// Copies batches to the device asynchronously; they are then made in page-locked memory.
    bool non_blocking = false;
};

/// Options of join_uneven_inputs(), for ranks that have different numbers of batches.
struct UnevenInputs {
    /// How ranks without batches take part in the collectives of the others.
    parallel::JoinOptions join = {};
    /// Within the body, loaders of map-style data sets repeat samples until all ranks have the same number of batches
    /// (true), or deliver every sample once (false). Afterwards their own setting applies again. Unset: their own
    /// setting applies in the body, too.
    std::optional<bool> even_batches = std::nullopt;
};

/// ProjectConfiguration: where files go.
struct ProjectOptions {
    /// The folder of checkpoints and logs. Empty: none.
    std::filesystem::path project_dir = {};
    std::filesystem::path logging_dir = {};                  ///< default: project_dir
    bool automatic_checkpoint_naming = false;                ///< save_state writes project_dir/checkpoints/checkpoint_N
    std::optional<std::int64_t> total_limit = std::nullopt;  ///< checkpoints kept under automatic naming
    std::int64_t keep_every = 0;  ///< with total_limit: iterations that are a multiple stay, too, and count in no limit
    std::int64_t iteration = 0;   ///< of the next checkpoint; load_state sets it
    /// The first process of every machine writes files, instead of the main process alone.
    bool save_on_each_node = false;
    bool save_in_background = false;  ///< save_state returns after copying; wait_for_checkpoint() waits
};

/// How much of a checkpoint one file of save_state() holds, where weights are divided (zero_stage 3).
enum class StateDictType {
    full,     ///< whole weights and optimizer state, which the main process writes
    sharded,  ///< a folder of torch.distributed.checkpoint each, to which every rank writes its rows
};

/// The counterpart of FullyShardedDataParallelPlugin, and of DeepSpeedPlugin at stage 3: how the weights of prepared
/// modules are divided, and which of them are whole at one time. With zero_stage 3, but for dp_replicate, which
/// stages 1 and 2 follow, too.
struct ShardingOptions {
    /// Weights are gathered for one block (block.h) of the model at a time; those of no block, and all of a model that
    /// names none, from the beginning of forward to the end of backward. False: all weights at once.
    bool by_block = true;
    WrapPolicy wrap = {};  ///< the blocks; without classes and size all that the model names
    /// Classes of blocks that are gathered with the blocks inside them (DeepSpeed's leaf modules).
    std::vector<std::string> whole_classes = {};
    /// A regular expression: modules whose whole names match it are not divided, but whole on every rank at any time,
    /// and their gradients are averaged as those of the others. Empty: none.
    std::string ignored_modules = {};
    /// The same for blocks of these classes.
    std::vector<std::string> ignored_classes = {};
    bool reshard_after_forward = true;  ///< false: weights stay whole from the forward of a block to its backward
    std::size_t gathered_ahead = 2;     ///< blocks that are gathered before they compute, at one time
    /// Replicas of the model, among whose ranks nothing is divided (HYBRID_SHARD). It divides the number of ranks.
    std::int64_t dp_replicate = 1;
    /// With zero_stage 3 on processors: a folder on a fast local disk for the weights and gradients that a rank owns
    /// (DeepSpeed's offload_param). One process alone has them there, too. Empty: they are in memory.
    std::filesystem::path offload_folder = {};
    /// With zero_stage 1 to 3 on processors: a folder on a fast local disk for the state of optimizers that update each
    /// element independently (DeepSpeed's offload_optimizer). One process alone has it there, too. Empty: it is in
    /// memory.
    std::filesystem::path offload_optimizer_folder = {};
    /// With zero_stage 3 (ZeRO++), ranks that together hold a second copy of the weights, such as those of a machine:
    /// weights are gathered over all ranks once after each update, and over these afterwards. It divides the ranks that
    /// share the weights. 1: none.
    std::int64_t zero_hpz_partition_size = 1;
    /// The same: matrices are sent as 8-bit integers with a scale for each 128 elements, and computed with as such.
    bool zero_quantized_weights = false;
    /// The same: gradients are sent to the ranks that sum them as 4-bit integers with a scale for each 128 elements.
    bool zero_quantized_gradients = false;
    /// With zero_stage 3 and mixed_precision bf16 or fp16: get_state_dict() and save_model() give parameters in that
    /// format instead of fp32 (DeepSpeed's stage3_gather_16bit_weights_on_model_save).
    bool save_16bit_model = false;
    /// The form in which save_state() writes divided weights.
    StateDictType state_dict = StateDictType::full;
    /// Files of whole state dicts have the names that Accelerate gives them under FSDP: pytorch_model_fsdp.bin, and an
    /// optimizer.bin whose parameters have names. False: model.safetensors, and numbers.
    bool fsdp_names = false;
    /// Accelerator::read_weights() reads files in the main process alone, and prepare() sends the weights to the other
    /// ranks, whose modules have no memory until then.
    bool cpu_ram_efficient_loading = false;
    /// Where ranks divide anything: they start from the weights of the main process. False: each from its own.
    bool sync_module_states = true;
};

/// InitProcessGroupKwargs: how the ranks of a launch connect. The first Accelerator of a process decides.
struct ProcessGroupOptions {
    /// gloo, nccl, ...: what the device of the ranks uses, or an error. Empty: that of the device.
    std::string backend = {};
    /// Where the ranks meet: tcp://host:port. Empty or env://: as the launch says (MASTER_ADDR, MASTER_PORT).
    std::string init_method = {};
    /// How many seconds an operation waits for the other ranks. Empty: $TRAINYARD_PROCESS_GROUP_TIMEOUT, else 1800.
    std::optional<double> timeout_s = {};
};

/// Options of an Accelerator, with the names of accelerate.Accelerator.
struct AcceleratorOptions {
    /// Empty: $ACCELERATE_MIXED_PRECISION, else none.
    std::optional<Precision> mixed_precision = std::nullopt;
    /// How Linear layers are multiplied with mixed_precision fp8. Empty: $ACCELERATE_FP8_BACKEND, else AORecipeKwargs.
    std::optional<Fp8RecipeHandler> fp8 = std::nullopt;
    /// Micro-batches per update. $ACCELERATE_GRADIENT_ACCUMULATION_STEPS overrides it, so that a launch decides, as
    /// in Accelerate.
    std::int64_t gradient_accumulation_steps = 1;
    bool device_placement = true;  ///< move models, batches and optimizer state to the device
    bool cpu = false;              ///< use the CPU even if an accelerator is available
    /// How micro-batches become updates.
    AccumulationOptions accumulation = {};
    /// How prepared loaders divide their data.
    LoaderOptions loaders = {};
    /// Random states synchronized over the ranks at the start of every pass: "generator", "torch", "cuda".
    std::vector<std::string> rng_types = {"generator"};
    /// Schedules advance only when their optimizers update. False: at every call of step().
    bool step_scheduler_with_optimizer = true;
    /// The steps of a schedule for one update.
    SchedulerStepping scheduler_stepping = SchedulerStepping::per_update;
    /// Automatic casting in the forward of prepared models.
    AutocastOptions autocast = {};
    optim::GradScalerOptions grad_scaler = {};  ///< used under fp16
    /// How gradients are averaged over the ranks: buckets, communication hooks.
    parallel::DataParallelOptions data_parallel = {};
    /// Of prepared modules, on several ranks: 0 replicas, 1 the ranks share out the state of optimizers, 2 gradients,
    /// too, 3 weights, too (distributed/parallel/sharding.h). Empty: as a launch with the settings of DeepSpeed or FSDP
    /// asks for, else 0.
    std::optional<std::int64_t> zero_stage = std::nullopt;
    /// Empty: as the launch's settings of FSDP or the mesh ask for.
    std::optional<ShardingOptions> sharding = std::nullopt;
    /// The options of FSDP, DeepSpeed or Megatron-LM, in code; they replace zero_stage and sharding.
    std::optional<FullyShardedDataParallelPlugin> fsdp_plugin = std::nullopt;
    std::optional<DeepSpeedPlugin> deepspeed_plugin = std::nullopt;  ///< the same
    /// Several by name, of models that are divided in different ways, such as a teacher and its student. The first one
    /// is active until select_deepspeed_plugin().
    std::vector<std::pair<std::string, DeepSpeedPlugin>> deepspeed_plugins = {};
    std::optional<MegatronLMPlugin> megatron_lm_plugin = std::nullopt;  ///< the same
    /// How the ranks connect.
    ProcessGroupOptions process_group = {};
    /// The blocks of every model that is trained which are checkpointed. Empty: FSDP's settings of the launch, else
    /// none.
    std::optional<WrapPolicy> activation_checkpointing = std::nullopt;
    /// Trackers, by name or as objects; "all" has every available one.
    std::vector<track::TrackerChoice> log_with = {};
    /// Folders and names of checkpoints and logs.
    ProjectOptions project = {};
    trainyard::profile::ProfileOptions profile = {};  ///< ProfileKwargs: the defaults of profile()
};

}  // namespace trainyard::accelerator
