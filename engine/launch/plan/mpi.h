// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The place among the processes of an mpirun that started this one: Open MPI (OMPI_COMM_WORLD_*), MPICH and Intel MPI (PMI_*, MPI_*),
// MVAPICH (MV2_COMM_WORLD_*), jsrun of LSF (JSM_NAMESPACE_*). Order of the names as in Accelerate
// (distributed/parallel/launch_environment.h reads the same for ranks).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/accelerate/machine.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

struct MpiPlace {
    int rank = 0;
    int size = 1;
    int local_size = 1;                        ///< on this machine
    int port = 29500;                          ///< from the job's name, so that two jobs on a host do not meet
    std::string size_variable, rank_variable;  ///< names of the variables that say so: `PMI_SIZE`, `PMI_RANK`
    /// A fair share of this machine's cores.
    int threads() const;
};
/// Nothing where no mpirun started several of us, and under torchrun's variables, which come first.
std::optional<MpiPlace> find_mpi_place(const EnvironmentMap& environment);

/// argv of mpirun up to the program, for `each` processes on each machine and `all` together; the host file is `hosts`. Throws
/// InvalidInput if MPI is not installed.
std::vector<std::string> mpirun_words(const settings::Machine& machine, const std::string& hosts, int each,
                                      std::int64_t all);

}  // namespace trainyard::plan
