// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a settings file asks of the engine's sharding, and what of it the engine cannot do: the one table behind the
// refusals of `launch`, the marks of the wizard and the refusals of the library for own programs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "config/recipe/choices.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

struct RecipeLimit {
    std::string key;  ///< of the settings, e.g. `deepspeed_config.offload_param_device`
    Message reason;   ///< what is not supported and, if that depends on the value, the alternative; without a full stop
    Message value;  ///< of the key; empty: the way of training as a whole is not there, no value of a key changes that
    bool whole_way() const { return value.empty(); }
    /// The reason, with key and value.
    Message sentence() const;
};

/// Sizes of parallelism_config; 1: not given.
struct RecipeMesh {
    std::int64_t dp_replicate = 1, dp_shard = 1, tp = 1, cp = 1, sp = 1;
};
/// The limits of a settings file.
RecipeMesh recipe_mesh(const settings::Settings& settings);
/// Why the sizes of parallelism_config do not count for a recipe, "it counts only with ..."; empty: they do.
Message unused_mesh(const Flags& flags, const Resolved& resolved);

/// How the ranks share weights, gradients and optimizer state: a row of the engine's table.
struct RecipeSharding {
    std::int64_t zero_stage = 0;                  ///< 0 nothing, 1 optimizer state, 2 and gradients, 3 and weights
    std::int64_t dp_replicate = 1, dp_shard = 1;  ///< 1: not given
    std::string source;                           ///< path of the setting that decides the stage; empty: none
    std::string wrap;                             ///< of stage 3: block, size or none; empty: not given
    std::int64_t wrap_min_params = 0;             ///< of wrap size
};
RecipeSharding recipe_sharding(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh);
/// The sharding of a settings file without flags.
RecipeSharding recipe_sharding(const settings::Settings& settings);

/// What Megatron-LM's settings compute again. As there, recompute_activations is selective, whatever the granularity.
struct MegatronRecomputation {
    config::Recomputation what = config::Recomputation::no;
    std::string source;  ///< path of the setting that decides; empty: none is given
};
MegatronRecomputation megatron_recomputation(const settings::Settings& settings);

/// Why weights are not offloaded to the memory of the host, or from another device.
Message weights_stay();
/// The same of optimizer state.
Message state_stays();
/// DeepSpeed's own folder for what is offloaded.
inline constexpr std::string_view kUsualOffloadFolder = "/nvme";

/// Everything the engine does not do; empty: it trains a recipe with it. `asked`: the way of training, by flags or
/// file. `hosts_named`: flags name the machines.
std::vector<RecipeLimit> recipe_limits(const settings::Settings& settings, Paradigm asked, bool hosts_named,
                                       const RecipeMesh& mesh);
/// The limits of flags and settings file.
std::vector<RecipeLimit> recipe_limits(const Flags& flags, const Resolved& resolved);
/// The limits of a settings file alone, without flags.
std::vector<RecipeLimit> recipe_limits(const settings::Settings& settings);
/// The first of them.
std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings);
/// The message with which `launch` refuses a recipe under these settings; empty: it does not. Keys that flags or the
/// file give are refused by their rows (recipe_settings.h).
Message recipe_refusal(const Flags& flags, const Resolved& resolved);

/// What the library does not do with a program's own modules: the first limit of these settings.
std::optional<RecipeLimit> program_limit(const settings::Settings& settings, Paradigm asked, const RecipeMesh& mesh);

}  // namespace trainyard::plan
