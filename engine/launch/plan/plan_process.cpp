// SPDX-License-Identifier: GPL-3.0-or-later
// One child: a single process, or mpirun with its ranks.

#include <algorithm>

#include "base/environment_names.h"
#include "launch/plan/environment.h"
#include "launch/plan/mpi.h"
#include "launch/plan/plan_parts.h"

namespace trainyard::plan {

void plan_process(const PlanInput& input, Plan& plan) {
    std::string hosts = input.resolved.settings.text("mpirun_config.mpirun_hostfile");
    if (!hosts.empty())
        plan.command = mpirun_words(
            input.machine, hosts,
            plan.ranks_per_machine.empty() ? 1 : *std::ranges::max_element(plan.ranks_per_machine), input.processes());
    std::vector<std::string> program = program_command(input, false);
    plan.command.insert(plan.command.end(), program.begin(), program.end());
    plan.environment = simple_environment(input.resolved, input.machine);
    if (input.processes() > 1 || input.machines() > 1) {
        std::string address = input.address();
        plan.environment[kEnvMasterAddress] = address.empty() ? "127.0.0.1" : address;
        plan.environment[kEnvMasterPort] = std::to_string(rendezvous_port(input));
    }
}

}  // namespace trainyard::plan
