// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Determines the training paradigm of a launch and reports contradictions. Internal to plan.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/accelerate/schema.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// Why fsdp_sync_module_states cannot be false.
inline constexpr std::string_view kLoadOnceNeedsSync =
    "only the first process reads the weights (fsdp_cpu_ram_efficient_loading), so the others must receive "
    "them: set fsdp_sync_module_states to true, or fsdp_cpu_ram_efficient_loading to false";

/// The flag that names a way of training, e.g. "--use_fsdp"; then the file's type does not count. Empty: none was
/// typed.
std::string typed_paradigm(const Flags& flags);
/// "--cpu" or "--device cpu", which ask for processors; empty: neither was typed.
std::string typed_cpu(const Flags& flags);
/// By flags, else by the file's type (`file` is nullptr without one). --cpu is not looked at.
Paradigm asked_paradigm(const Flags& flags, const settings::Settings* file);
/// Returns the paradigm of a settings file without flags.
Paradigm asked_paradigm(const settings::Settings& file);
/// Returns the `distributed_type` of the launch; `now` if that is compatible.
std::string distributed_type(Paradigm paradigm, bool several, const std::string& device, const std::string& now);
/// True when the settings of that section reach the ranks.
bool is_used(settings::Section section, const Resolved& resolved);
/// True when the ranks get a device mesh (parallelism_config).
bool uses_mesh(const Flags& flags, const Resolved& resolved);

/// Reports contradictions between the flags themselves.
void check_flags(const Flags& flags, bool sagemaker, std::vector<Problem>& problems);
/// Several devices, but the file or the flags name one. Before --cpu is looked at.
void check_devices(const Resolved& resolved, std::vector<Problem>& problems);
/// Reports contradictions that show once flags, file and machine are known.
void check_resolved(const Flags& flags, Resolved& resolved, bool has_file, const settings::Machine& machine,
                    std::vector<Problem>& problems);

}  // namespace trainyard::plan
