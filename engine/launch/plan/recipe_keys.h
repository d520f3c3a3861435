// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What settings of Accelerate's kind set of a recipe: what ZeRO and FSDP shard, accumulation, clipping, offloading,
// the mesh, activation checkpointing. recipe_settings.h says what becomes of the other settings.

#include <string>
#include <vector>

#include "config/recipe/given_keys.h"
#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// The keys of flags that were typed, as `key=value`: these override values of the recipe. `settings` are those of
/// flags and file: block scaling of fp8 has no flag.
std::vector<std::string> typed_recipe_keys(const Flags& flags, const settings::Settings& settings);
/// Of the settings file, where no flag says otherwise. Throws UserError if DeepSpeed's own file cannot be read.
std::vector<config::GivenKey> recipe_keys(const Flags& flags, const Resolved& resolved);
/// The recipe as a launch with this settings file and no flags trains it. Throws UserError if DeepSpeed's own file
/// cannot be read, InvalidInput
/// if recipe and settings contradict.
config::Recipe with_settings(config::Recipe recipe, const settings::Settings& settings);
/// Classes of layers that settings of FSDP name and the recipe's model does not have.
std::vector<Problem> unknown_layers(const config::Recipe& recipe, const settings::Settings& settings, Paradigm asked);

}  // namespace trainyard::plan
