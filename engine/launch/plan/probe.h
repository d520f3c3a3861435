// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What this machine has: devices, cores, MPI, Python packages, ports. Looks, never loads a GPU library in this process, under 30 ms.

#include <filesystem>

#include "config/accelerate/machine.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// `ports`: those whose being taken matters. `ask_mpi`: also which MPI mpirun is, for which it may have to be started.
/// `root`: folder that has /dev, /proc and /sys.
settings::Machine probe_machine(const std::vector<int>& ports = {}, bool ask_mpi = true,
                                const std::filesystem::path& root = "/");

/// The device that ranks of this kind have on this machine, of several the least able one.
DeviceFacts probe_device(std::string_view kind, const std::filesystem::path& root = "/");

/// Where the ranks of a job meet: two jobs on a host seldom have the same.
inline int port_of_job(unsigned job) {
    return 20000 + static_cast<int>(job % 10000);
}

/// The part of a SLURM allocation that this process takes part in: the step of srun, or the whole job outside of a
/// step.
struct Slurm {
    int machines = 1;
    int machines_of_job = 1;             ///< of the allocation: more than `machines` where srun uses a part of it
    int machine_rank = 0;                ///< among `hosts`
    int task_here = 0;                   ///< number of this task among those that srun started on this machine
    std::string first_host;              ///< of the host list, expanded
    std::vector<std::string> hosts;      ///< all, expanded
    std::vector<int> tasks_per_machine;  ///< SLURM_TASKS_PER_NODE `2(x3),1` expanded; empty: unknown
    int port = 29500;                    ///< from the job id, so that two jobs on a host do not meet
};
/// Nothing outside of an allocation.
std::optional<Slurm> find_slurm(const EnvironmentMap& environment);
/// `node[01-03,7],login` -> names; throws UserError for what SLURM would not write.
std::vector<std::string> expand_host_list(const std::string& list);

}  // namespace trainyard::plan
