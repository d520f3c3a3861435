// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/mpi.h"

#include <algorithm>
#include <initializer_list>
#include <thread>

#include "base/environment_names.h"
#include "base/number.h"
#include "launch/plan/plan_parts.h"
#include "launch/plan/probe.h"

namespace trainyard::plan {

namespace {

/// The first that is set and a number from 0 on; `found_as`: its name.
std::optional<int> first_number(const EnvironmentMap& environment, std::initializer_list<const char*> names,
                                std::string* found_as = nullptr) {
    for (const char* name : names) {
        auto found = environment.find(name);
        if (found == environment.end())
            continue;
        const auto value = parse_number<int>(found->second, 0);
        if (!value)
            continue;
        if (found_as != nullptr)
            *found_as = name;
        return *value;
    }
    return std::nullopt;
}

/// FNV-1a: the same on every machine and in every build.
unsigned hash(const std::string& text) {
    unsigned value = 2166136261u;
    for (unsigned char c : text)
        value = (value ^ c) * 16777619u;
    return value;
}

}  // namespace

int MpiPlace::threads() const {
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, local_size));
}

std::vector<std::string> mpirun_words(const settings::Machine& machine, const std::string& hosts, int each,
                                      std::int64_t all) {
    if (!machine.mpi)
        refuse(
            "mpirun_hostfile",
            "neither mpirun nor mpiexec was found: install Open MPI, Intel MPI or MVAPICH, or leave the host file out");
    std::string here = std::to_string(each), number = std::to_string(all);
    if (*machine.mpi == "openmpi")
        return {machine.mpi_program, "--hostfile", hosts, "--npernode", here, "-n", number, "--bind-to", "socket"};
    return {machine.mpi_program, "-f", hosts, "-ppn", here, "-n", number};
}

std::optional<MpiPlace> find_mpi_place(const EnvironmentMap& environment) {
    if (first_number(environment, {kEnvRank}) && first_number(environment, {kEnvWorldSize}))
        return std::nullopt;
    MpiPlace place;
    auto rank = first_number(environment, {kEnvPmiRank, kEnvOpenMpiRank, kEnvMvapichRank, "JSM_NAMESPACE_RANK"},
                             &place.rank_variable);
    auto size = first_number(environment, {kEnvPmiSize, kEnvOpenMpiSize, kEnvMvapichSize, "JSM_NAMESPACE_SIZE"},
                             &place.size_variable);
    if (!rank || !size || *size < 2 || *rank >= *size)
        return std::nullopt;
    place.rank = *rank;
    place.size = *size;
    place.local_size = std::clamp(first_number(environment, {kEnvMpiLocalRanks, kEnvOpenMpiLocalSize,
                                                             kEnvMvapichLocalSize, "JSM_NAMESPACE_LOCAL_SIZE"})
                                      .value_or(1),
                                  1, *size);
    for (const char* name :
         {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "MPIRUN_ID", "LSB_JOBID", kEnvSlurmJob})
        if (auto job = environment.find(name); job != environment.end()) {
            place.port = port_of_job(hash(job->second));
            break;
        }
    return place;
}

}  // namespace trainyard::plan
