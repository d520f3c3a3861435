#pragma once
// What of a settings file the engine cannot train a recipe with: the one judgement behind the refusal of `launch` and
// the words of the wizard.

#include <cstdint>
#include <optional>
#include <string>

#include "base/message.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

struct RecipeLimit {
    std::string key;   ///< of the settings, e.g. `deepspeed_config.zero_stage`
    Message sentence;  ///< what is not done and, where a value decides it, what to take instead; without a full stop
    bool whole_way =
        false;  ///< the way of training as a whole is not there (FSDP, Megatron-LM, TPU, SageMaker): no value of a key mends it
};

/// Sizes of parallelism_config; 1: not said.
struct RecipeMesh {
    std::int64_t dp_replicate = 1, dp_shard = 1, tp = 1, cp = 1, sp = 1;
};
/// Of a file alone.
RecipeMesh recipe_mesh(const settings::Settings& settings);
/// Why the sizes of parallelism_config do not count for a recipe, as in "it counts only ..."; empty: they do.
Message unused_mesh(const Flags& flags, const Resolved& resolved);

/// Nothing when the engine trains it. `asked`: the way of training, by flags or file. `hosts_named`: flags name the
/// machines.
std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings, Paradigm asked, bool hosts_named,
                                        const RecipeMesh& mesh);
/// Of a file alone, without flags.
std::optional<RecipeLimit> recipe_limit(const settings::Settings& settings);
/// The message with which `launch` refuses a recipe under these settings; empty: it does not. Sizes of tensor, context
/// and sequence parallelism
/// are refused by recipe_settings.h.
Message recipe_refusal(const Flags& flags, const Resolved& resolved);

}  // namespace trainyard::plan
