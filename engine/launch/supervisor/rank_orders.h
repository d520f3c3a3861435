// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Environment and command of the ranks of one generation, for every machine: variables of torchrun, of Accelerate and
// of Trainyard (base/environment_names.h).

#include <map>
#include <span>
#include <string>
#include <vector>

#include "launch/supervisor/rank_machine.h"
#include "run/spec.h"

namespace trainyard::launch {

struct Generation {
    int number = 1;
    int restarts = 0;             ///< so far
    int port = 0;                 ///< where the ranks meet
    std::int64_t batch_size = 0;  ///< run::RunState::batch_size
};

/// One order for each of `machines` (their ranks and addresses), in their order; ranks are numbered through.
/// `worker`: what runs a recipe. Run folder and store's socket are those of the machine of rank 0.
std::vector<MachineOrder> rank_orders(const run::RunPaths& paths, const run::RunSpec& spec,
                                      std::span<const run::MachineSpec> machines, const Generation& generation,
                                      const std::filesystem::path& worker);

/// Returns the variables added to the inherited environment of a rank of this machine: those of the machine's order,
/// those of the rank, and its share of the cores. Ranks are started with them, and --dry-run prints them.
std::map<std::string, std::string> rank_environment(const MachineOrder& order, const RankOrder& rank);

/// OMP_NUM_THREADS of `ranks` ranks on this machine: the spec's number, else the user's own variable, else cores /
/// ranks, at least 1.
int threads_per_rank(const run::LaunchSpec& launch, int ranks);

}  // namespace trainyard::launch
