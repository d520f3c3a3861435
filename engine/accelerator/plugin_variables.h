// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a launch asks for with the environment of Accelerate's plug-ins (FSDP, DeepSpeed, Megatron-LM, the mesh): what
// this library does of it; what it does not do is refused with the key of the settings file. launch/plan/recipe_limit.h
// decides which, and maps strategies and sizes to rows of the engine's table of shardings.

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <trainyard/block.h>
#include <trainyard/options.h>

#include "accelerator/deepspeed_settings.h"

namespace trainyard::accelerator {

/// A variable that is set and not empty.
std::optional<std::string> variable(const char* name);
/// A whole number. Throws UserError that names variable and text.
std::optional<std::int64_t> whole_variable(const char* name, std::int64_t least);

/// The variables of the launch, and those that options in code set over them (<trainyard/launch_plugins.h>).
class PluginVariables {
  public:
    PluginVariables() = default;
    /// Throws UserError for plug-ins that exclude each other.
    explicit PluginVariables(const AcceleratorOptions& options);
    /// As variable().
    std::optional<std::string> text(const char* name) const;
    /// As whole_variable().
    std::optional<std::int64_t> whole(const char* name, std::int64_t least) const;
    /// Whether a variable is true.
    bool is_on(const char* name) const;
    /// Whether options in code set a variable.
    bool is_given(const char* name) const { return given_.contains(name); }
    /// Makes a variable count as not set.
    void leave_out(const std::string& name) { given_[name].clear(); }

  private:
    std::map<std::string, std::string> given_;
};

struct Plugins {
    std::optional<std::int64_t> zero_stage;   ///< 0 to 3; of DeepSpeed, or the row of FSDP's strategy
    ShardingOptions sharding;                 ///< of FSDP, of the mesh; leaf modules of DeepSpeed
    std::optional<double> gradient_clipping;  ///< largest norm of an update's gradients; the same
    std::optional<std::int64_t>
        gradient_accumulation_steps;                     ///< of DeepSpeed's own file, where it counts over all others
    std::optional<WrapPolicy> activation_checkpointing;  ///< ACCELERATE_USE_FSDP
    DeepspeedSettings deepspeed;                         ///< what waits for the parts that are prepared
    std::optional<double> init_scale;                    ///< of fp16 in DeepSpeed's own file
    std::optional<std::int64_t> growth_interval;         ///< the same
};

/// The ranks, as far as settings depend on them.
struct Launch {
    bool on_cpu = true;  ///< ranks train on processors
    int processes = 1;
    int local_processes = 1;  ///< on this machine
};

/// Throws UserError for what the library does not do. Variables that are not in kAccelerateVariables
/// (base/environment_names.h) are not read: what they choose in FSDP and DeepSpeed has no counterpart here, such as the
/// shape of flat parameters. `trainyard launch` notes them.
Plugins read_plugins(const Launch& launch, const PluginVariables& given = {});

}  // namespace trainyard::accelerator
