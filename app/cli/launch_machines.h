#pragma once
// A launch on several machines in torchrun's way: the same command on each of them. One becomes the head of the run, the others' launchers
// look after the ranks of their machine (launch/supervisor/rendezvous_settings.h).

#include <string>
#include <vector>

#include "cli/launch_recipe.h"
#include "launch/plan/flags.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rendezvous_settings.h"

namespace trainyard::cli {

/// True where the settings ask for several machines that find each other.
bool is_on_several_machines(const plan::Flags& flags, const plan::Resolved& resolved);

/// What flags, file and cluster say of the rendezvous. `ranks`: of every machine. Throws InvalidInput.
launch::RendezvousSettings rendezvous_settings(const plan::Flags& flags, const plan::Resolved& resolved,
                                               const std::vector<int>& ranks);
/// Its share of run.yaml.
void add_rendezvous(run::LaunchSpec& launch, const launch::RendezvousSettings& rendezvous,
                    const std::vector<int>& ranks);

/// Looks after this machine's ranks until the run is over: its exit code. `own`: what they run where it is no recipe.
/// `output`: as this machine was told; absent: as the head was.
int join_run(const launch::RendezvousSettings& rendezvous, std::optional<run::ProgramSpec> own,
             const std::optional<run::OutputSpec>& output);

}  // namespace trainyard::cli
