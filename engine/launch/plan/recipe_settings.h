// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What becomes of every setting of Accelerate's kind in a recipe's run: the one table that says for each key of a
// settings file and each flag of
// `launch` whether it is applied, has nothing to act on, or is refused. Nothing that a person gives is dropped without
// a word.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// A setting that was given, by the file or as a flag.
struct RecipeSetting {
    enum class Outcome {
        applied,  ///< `words`: the value of the run that it sets, e.g. training.mixed_precision
        ignored,  ///< `words`: why it has no effect
        refused,  ///< `words`: the reason, and what to do
    };
    std::string name;   ///< `fsdp_config.fsdp_version`, `--tee`
    std::string value;  ///< as YAML has it
    std::string from;   ///< `flag`, the settings file, or `detected`: found out on this machine
    Outcome outcome = Outcome::applied;
    Message words;
    bool usual = false;  ///< the value is the default, or the condition of the setting does not hold
};
const char* outcome_name(RecipeSetting::Outcome outcome);

/// Every setting given, in the order of the schema. Ways of training that recipes do not have at all (Megatron-LM,
/// TPU) are refused as a whole by recipe_limit.h.
std::vector<RecipeSetting> settings_of_recipe(const Flags& flags, const Resolved& resolved);

/// Why MS-AMP and pure E5M2 are refused, for every surface.
inline constexpr std::string_view kMsAmpAbandoned =
    "Microsoft has abandoned MS-AMP, and its formats are not computed here: set it to TE or AO";
inline constexpr std::string_view kNoPureE5m2 = "E5M2 has too few digits for weights: set it to HYBRID or E4M3";

/// Those that are refused.
std::vector<Problem> refused_settings(const std::vector<RecipeSetting>& settings);
/// Notes about settings that the user chose and that have nothing to act on.
std::vector<Message> notes_on_ignored(const std::vector<RecipeSetting>& settings);

/// Why this flag (tee, redirects, local_ranks_filter, log_dir) has no effect for a recipe unless another one is
/// given, since the ranks of a recipe print nothing by default. Returns an empty message if it has an effect.
Message missing_output_flag(const Flags& flags, std::string_view name);

}  // namespace trainyard::plan
