// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal state of an Accelerator, shared by the files that implement it.

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <trainyard/accelerator.h>

#include "accelerator/deepspeed_settings.h"
#include "accelerator/gradient_flow.h"
#include "config/recipe/recipe.h"

namespace trainyard::checkpoint {
class Saver;
}

namespace trainyard::accelerator {

/// One of AcceleratorOptions::deepspeed_plugins, and what it means on the ranks of the launch.
struct NamedPlugin {
    std::string name;
    DeepSpeedPlugin plugin;
    parallel::Sharding sharding;
    ShardingOptions how_sharded;
    DeepspeedSettings deepspeed;
};

struct Accelerator::Impl {
    AcceleratorOptions options;
    Precision precision = Precision::no;
    std::optional<config::Fp8Recipe> fp8;  ///< of modules, with Precision::fp8
    parallel::Sharding sharding;           ///< of optimizer state, gradients and weights
    ShardingOptions how_sharded;
    DeepspeedSettings deepspeed;
    std::vector<NamedPlugin> plugins;
    std::size_t active_plugin = 0;                       ///< whose are sharding, how_sharded and deepspeed
    std::unique_ptr<parallel::Mesh> sharding_mesh;       ///< if the shards have replicas
    std::optional<WrapPolicy> activation_checkpointing;  ///< of every model that is trained
    std::shared_ptr<parallel::ProcessState> process;
    std::shared_ptr<GradientFlow> flow;
    std::unique_ptr<parallel::Mesh> mesh;  ///< made when first asked for

    // In the order of prepare(): the numbers of the files in a checkpoint.
    std::vector<std::shared_ptr<PreparedModel>> models;
    std::vector<std::shared_ptr<PreparedOptimizer>> optimizers;
    std::vector<std::shared_ptr<Scheduler>> schedulers;
    std::vector<std::shared_ptr<data::Loader>> loaders;

    std::vector<Stateful*> custom;
    std::vector<std::shared_ptr<PreparedAverage>> averages;  ///< custom has them, too
    std::vector<std::shared_ptr<PreparedHealth>> health;
    std::map<int, SaveHook> save_hooks;
    std::map<int, LoadHook> load_hooks;
    int next_hook = 0;
    std::int64_t iteration = 0;
    Tree random_carried;  ///< Python's and NumPy's generators of the checkpoint that was loaded
    std::shared_ptr<parallel::Communicator>
        node;  ///< with save_on_each_node: the ranks of this machine, which save together
    /// The first ranks of all machines, on these ranks, and null on others; empty: not made yet.
    std::optional<std::shared_ptr<parallel::Communicator>> node_mains;
    std::shared_ptr<checkpoint::Saver> saver;  ///< from the first save on
    std::shared_ptr<track::Trackers> trackers;
    bool trigger = false;
};

}  // namespace trainyard::accelerator
