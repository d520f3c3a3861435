// One child: a single process, or mpirun with its ranks.

#include <algorithm>

#include "plan/environment.h"
#include "plan/plan_parts.h"

namespace trainyard::plan {

namespace {

std::vector<std::string> mpi_prefix(const PlanInput& input, const Plan& plan, const std::string& hosts) {
    if (!input.machine.mpi)
        refuse(
            "mpirun_hostfile",
            "neither mpirun nor mpiexec was found: install Open MPI, Intel MPI or MVAPICH, or leave the host file out");
    int most = plan.ranks_per_machine.empty() ? 1 : *std::ranges::max_element(plan.ranks_per_machine);
    std::string each = std::to_string(most);
    std::string all = std::to_string(input.processes());
    if (*input.machine.mpi == "openmpi")
        return {input.machine.mpi_program, "--hostfile", hosts, "--npernode", each, "-n", all, "--bind-to", "socket"};
    return {input.machine.mpi_program, "-f", hosts, "-ppn", each, "-n", all};
}

}  // namespace

void plan_process(const PlanInput& input, Plan& plan) {
    std::string hosts = input.resolved.settings.text("mpirun_config.mpirun_hostfile");
    if (!hosts.empty())
        plan.command = mpi_prefix(input, plan, hosts);
    std::vector<std::string> program = program_command(input, false);
    plan.command.insert(plan.command.end(), program.begin(), program.end());
    plan.environment = simple_environment(input.resolved, input.machine);
    if (input.processes() > 1 || input.machines() > 1) {
        std::string address = input.address();
        plan.environment["MASTER_ADDR"] = address.empty() ? "127.0.0.1" : address;
        plan.environment["MASTER_PORT"] = std::to_string(meeting_port(input));
    }
}

}  // namespace trainyard::plan
