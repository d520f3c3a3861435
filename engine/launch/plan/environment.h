// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The variables that tell a rank its settings. Internal to plan.

#include "config/accelerate/schema.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// Every key of a section that goes into the environment, by the schema.
void add_section(EnvironmentMap& out, settings::Section section, const settings::Settings& settings);
/// One process, MPI, or ranks on the CPU.
EnvironmentMap simple_environment(const Resolved& resolved, const settings::Machine& machine);
/// Ranks on accelerators: several devices, FSDP, Megatron-LM.
EnvironmentMap device_environment(const Flags& flags, const Resolved& resolved, const settings::Machine& machine);
/// `path`: the variable PYTHONPATH as it is; `here`: the working directory.
EnvironmentMap deepspeed_environment(const Flags& flags, const Resolved& resolved, const settings::Machine& machine,
                                     const std::string& path, const std::string& here);
EnvironmentMap tpu_environment(const Resolved& resolved, const settings::Machine& machine);
/// Returns the environment of a SageMaker job.
EnvironmentMap sagemaker_environment(const Resolved& resolved);
/// NCCL without peer-to-peer where the driver cannot do it; false when nothing had to be set.
bool add_peer_workaround(EnvironmentMap& out, const settings::Machine& machine, const EnvironmentMap& environment);

}  // namespace trainyard::plan
