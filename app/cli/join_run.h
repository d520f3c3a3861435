// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A launch on several machines in torchrun's way: the same command on each of them. One becomes the head of the run,
// the others' launchers
// look after the ranks of their machine (launch/supervisor/rendezvous_settings.h).

#include <optional>

#include "launch/supervisor/rendezvous_settings.h"
#include "run/spec.h"

namespace trainyard::cli {

/// Looks after this machine's ranks until the run is over: its exit code. `own`: what they run where it is not a
/// recipe.
/// `output`: the flags of this machine; absent: those of the head.
int join_run(const launch::RendezvousSettings& rendezvous, std::optional<run::ProgramSpec> own,
             const std::optional<run::OutputSpec>& output);

}  // namespace trainyard::cli
