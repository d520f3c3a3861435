#pragma once
// What the flags and the environment of a launch give to its ranks, whether these train a recipe or run a program.

#include <map>
#include <optional>
#include <string>

#include "config/accelerate/machine.h"
#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"
#include "run/spec.h"

namespace trainyard::cli {

/// --tee, --redirects, --local_ranks_filter and --log_dir; nothing where none of them was typed. `recipe`: without those that have nothing to act
/// on there, see missing_output_flag(). Throws UserError for values that are none.
std::optional<run::OutputSpec> typed_output(const plan::Flags& flags, bool recipe);
/// What has to be given, too, before this flag of the four counts for a recipe, whose ranks show nothing by themselves; empty: nothing, or it
/// is there.
std::string missing_output_flag(const plan::Flags& flags, std::string_view name);

/// Variables of the launch that the ranks of all machines get: NCCL_* of its own environment, and what Accelerate sets for cards that cannot
/// exchange data directly, unless `on_cpu`.
std::map<std::string, std::string> carried_variables(const plan::EnvironmentMap& environment,
                                                     const settings::Machine& machine, bool on_cpu);

/// What each of so many machines adds by itself, by name: words for the value that only the machine knows.
std::map<std::string, std::string> words_of_machine_variables(std::size_t machines);

}  // namespace trainyard::cli
