#pragma once
// What becomes of every setting of Accelerate's kind in a recipe's run: the one table that says for each key of a settings file and each flag of
// `launch` whether it is applied, has nothing to act on, or is refused. Nothing that a person gives is dropped without a word.

#include <string>
#include <vector>

#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"

namespace trainyard::cli {

/// A setting that was given, by the file or as a flag.
struct RecipeSetting {
    enum class Outcome {
        applied,  ///< `words`: what of the run it sets, e.g. training.mixed_precision
        ignored,  ///< `words`: why it has nothing to act on
        refused,  ///< `words`: why, and what to do
    };
    std::string name;   ///< `fsdp_config.fsdp_version`, `--tee`
    std::string value;  ///< as YAML has it
    std::string from;   ///< `flag`, the settings file, or `detected`: found out on this machine
    Outcome outcome = Outcome::applied;
    std::string words;
    bool usual =
        false;  ///< the value is the one that counts when nobody says anything, or its own condition does not hold
};
const char* outcome_name(RecipeSetting::Outcome outcome);

/// Every setting given, in the order of the schema. Ways of training that recipes do not have at all (FSDP that shards, Megatron-LM, TPU) are
/// refused as a whole elsewhere.
std::vector<RecipeSetting> settings_of_recipe(const plan::Flags& flags, const plan::Resolved& resolved);

}  // namespace trainyard::cli
