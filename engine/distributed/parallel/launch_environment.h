// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The environment that a launcher gives a process: variables of torchrun, of MPI launchers, of Accelerate and of
// Trainyard (base/environment_names.h). Of several names of one thing the first that is set and not negative counts, as
// in Accelerate.

#include <string>

#include "distributed/parallel/communicator.h"

namespace trainyard::parallel {

/// Position of a process among all (`rank` of `world_size`) and among those of its machine.
struct ProcessPlace {
    int rank = 0;
    int world_size = 1;
    int local_rank = 0;
    int local_world_size = 1;
};

/// A day; longer waits of an operation are refused.
inline constexpr int kLongestTimeoutSeconds = 86'400;

struct LaunchEnvironment {
    ProcessPlace place;
    Rendezvous rendezvous;
    bool use_cpu = false;       ///< ACCELERATE_USE_CPU
    bool cpu_affinity = false;  ///< ACCELERATE_CPU_AFFINITY
    std::string device;         ///< ACCELERATE_TORCH_DEVICE; empty: not set
};

/// Reads the environment; without any variable: one process alone. Throws InvalidInput with everything that is wrong (no number, a
/// rank that is not below the world size, several processes without MASTER_ADDR's port).
LaunchEnvironment read_launch_environment();

}  // namespace trainyard::parallel
