#pragma once
// What a launch asks for with the environment of Accelerate's plug-ins (FSDP, DeepSpeed, Megatron-LM, the mesh): what
// this library does of it;
// what it does not do is refused with the key of the settings file. launch/plan/recipe_limit.h decides which.

#include <cstdint>
#include <optional>
#include <string>

#include <trainyard/block.h>

namespace trainyard::accelerator {

/// A variable that is set and not empty.
std::optional<std::string> variable(const char* name);
/// A whole number. Throws UserError that names variable and text.
std::optional<std::int64_t> whole_variable(const char* name, std::int64_t least);

struct Plugins {
    std::optional<std::int64_t> zero_stage;   ///< 0 to 2; ACCELERATE_USE_DEEPSPEED
    std::optional<double> gradient_clipping;  ///< largest norm of an update's gradients; the same
    std::optional<std::int64_t>
        gradient_accumulation_steps;                     ///< of DeepSpeed's own file, where it counts over all others
    std::optional<WrapPolicy> activation_checkpointing;  ///< ACCELERATE_USE_FSDP with NO_SHARD
};

/// Throws UserError for what the library does not do. Variables that are not in kAccelerateVariables
/// (base/environment_names.h) are not read:
/// they change how FSDP and DeepSpeed divide a model, which stays whole on every rank here. `trainyard launch` notes
/// them.
Plugins read_plugins();

}  // namespace trainyard::accelerator
