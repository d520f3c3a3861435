// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What flags, settings file and environment of a launch give to its ranks and machines, whether these train a recipe or
// run a program.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/accelerate/machine.h"
#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rendezvous_settings.h"
#include "launch/supervisor/slurm_script.h"
#include "run/spec.h"

namespace trainyard::launch {

/// --cpu, --device and --device_library.
DeviceChoice typed_device(const plan::Flags& flags);
/// What the settings file says beside them: use_cpu, and a distributed_type such as MULTI_NPU whose device comes with a
/// library. Which of the
/// other kinds is there, this machine knows best.
DeviceChoice with_file(DeviceChoice typed, const plan::Resolved& resolved);

/// Returns the settings of --tee, --redirects, --local_ranks_filter and --log_dir; empty if none of them was given.
/// `recipe`: leaves out flags that have no effect for a recipe (plan::missing_output_flag). Throws UserError for
/// invalid values.
std::optional<run::OutputSpec> typed_output(const plan::Flags& flags, bool recipe);

/// Variables of the launch that the ranks of all machines get: NCCL_* of its own environment, and what Accelerate sets
/// for cards that cannot
/// exchange data directly, unless `on_cpu`.
std::map<std::string, std::string> carried_variables(const plan::EnvironmentMap& environment,
                                                     const settings::Machine& machine, bool on_cpu);
/// Variables that each of `machines` machines sets itself, with a description instead of the value, which only that
/// machine knows.
std::map<std::string, std::string> words_of_machine_variables(std::size_t machines);

/// True where the settings ask for several machines that find each other.
bool is_on_several_machines(const plan::Flags& flags, const plan::Resolved& resolved);
/// What flags, file and cluster say of the rendezvous. `ranks`: of every machine. Throws InvalidInput.
RendezvousSettings rendezvous_settings(const plan::Flags& flags, const plan::Resolved& resolved,
                                       const std::vector<int>& ranks);
/// Its share of run.yaml.
void add_rendezvous(run::LaunchSpec& launch, const RendezvousSettings& rendezvous, const std::vector<int>& ranks);

/// The job of --slurm. Throws UserError for numbers that contradict.
SlurmJob slurm_job(const plan::Flags& flags, const std::string& name);

}  // namespace trainyard::launch
