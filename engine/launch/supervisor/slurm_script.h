// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The batch script with which a run is handed to SLURM, as text. Source: sbatch(1), srun(1), scontrol(1) of SLURM 22.05.
//
// The job runs the launcher once on each node (with srun if there are several); launchers find each other by SLURM_*. A
// warning before the time limit, or before preemption, reaches the launcher as SIGUSR1: the ranks save and end with
// exit code 75, and the job is requeued and continues from that checkpoint.
//
// User input goes into the script as a quoted word, or is refused: a line of #SBATCH ends at its newline and cannot
// quote.

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::launch {

struct SlurmJob {
    std::string name;
    int nodes = 1;
    int tasks_per_node = 1;  ///< ranks of a node
    int cpus_per_task = 0;   ///< 0: the cluster's default
    std::string partition, account, qos, time, gres, constraint,
        nodelist;                      ///< in the syntax of sbatch; empty: not given
    std::vector<std::string> more;     ///< further options, e.g. --exclusive
    bool requeue = true;               ///< requeue a run that was stopped
    int warning_s = 120;               ///< SIGUSR1 so long before the end; 0: none
    std::vector<std::string> command;  ///< argv of the launcher on every node
    std::filesystem::path directory;   ///< to start in
    std::filesystem::path log;         ///< of the script itself
};

/// Throws InvalidInput that lists everything that cannot be expressed in a script.
std::string slurm_script(const SlurmJob& job);

}  // namespace trainyard::launch
