// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_orders.h"

#include <algorithm>
#include <cstdlib>

#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::launch {

namespace {

using Variables = std::map<std::string, std::string>;

/// torchrun's, of one machine.
Variables machine_variables(const run::RunSpec& spec, int machine_rank, int machines, int local_ranks, int world,
                            const Generation& generation) {
    return {{kEnvWorldSize, std::to_string(world)},
            {kEnvLocalWorldSize, std::to_string(local_ranks)},
            {kEnvGroupRank, std::to_string(machine_rank)},
            {kEnvGroupWorldSize, std::to_string(machines)},
            {kEnvMasterAddress, spec.launch.main_process_ip},
            {kEnvMasterPort, std::to_string(generation.port)},
            {kEnvRestartCount, std::to_string(generation.restarts)},
            {kEnvMaxRestarts, std::to_string(spec.launch.max_restarts)}};
}

void add_variables(Variables& to, const Variables& from) {
    for (const auto& [name, value] : from)
        to[name] = value;
}

void add_recipe(Variables& variables, const run::RunSpec& spec) {
    variables[kEnvUseCpu] = spec.launch.device == "cpu" ? "True" : "False";
    if (spec.recipe.parallel.debug)
        variables[kEnvDebugMode] = "true";
}

/// Adds the variables that torchrun sets for programs, which create their own process group.
void add_program(Variables& variables, const run::ProgramSpec& program, int world) {
    variables[kEnvRoleName] = program.role;
    variables[kEnvRoleWorldSize] = std::to_string(world);
    variables[kEnvElasticRunId] = program.run_id;
    variables[kEnvUseAgentStore] = "False";  // rank 0 serves the store itself
}

constexpr const char* kSpinCount = "2000";

/// The user's OMP_NUM_THREADS; 0: none.
int own_threads() {
    const char* own = std::getenv(kEnvThreads);
    return own == nullptr ? 0 : std::max(0, std::atoi(own));
}

int share_of_cores(int ranks) {
    return std::max(1, usable_cores() / std::max(1, ranks));
}

/// LibTorch's OpenMP threads spin while they wait for each other. With libgomp's own limit a core that another
/// program needs for a moment stalls a step tenfold; this limit costs nothing on a quiet machine. Measured on two
/// cores, 0.83 M parameters: 25.8 k tokens/s against 24.7 k with the default; with one core busy 8.3 k, with a limit
/// of 10000 2.8 k. It holds for programs as for recipes.
void limit_spinning(Variables& environment) {
    if (std::getenv("OMP_WAIT_POLICY") == nullptr && std::getenv("GOMP_SPINCOUNT") == nullptr &&
        !environment.contains("OMP_WAIT_POLICY"))
        environment.emplace("GOMP_SPINCOUNT", kSpinCount);
}

void share_cores(Variables& environment, int ranks) {
    if (own_threads() == 0)
        environment.emplace(kEnvThreads, std::to_string(share_of_cores(ranks)));
}

}  // namespace

int threads_per_rank(const run::LaunchSpec& launch, int ranks) {
    if (launch.num_cpu_threads_per_process > 0)
        return launch.num_cpu_threads_per_process;
    return own_threads() > 0 ? own_threads() : share_of_cores(ranks);
}

std::map<std::string, std::string> rank_environment(const MachineOrder& order, const RankOrder& rank) {
    Variables made = order.environment;
    add_variables(made, rank.environment);
    limit_spinning(made);
    if (order.share_cores)
        share_cores(made, static_cast<int>(order.ranks.size()));
    return made;
}

std::vector<MachineOrder> rank_orders(const run::RunPaths& paths, const run::RunSpec& spec,
                                      std::span<const run::MachineSpec> machines, const Generation& generation,
                                      const std::filesystem::path& worker) {
    int world = 0, first = 0;
    for (const run::MachineSpec& machine : machines)
        world += machine.ranks;
    bool rendezvous = !spec.program || spec.program->rendezvous;
    std::vector<MachineOrder> orders;
    for (const run::MachineSpec& machine : machines) {
        MachineOrder order;
        order.generation = generation.number;
        order.machine_rank = static_cast<int>(orders.size());
        order.command = spec.program ? spec.program->command : std::vector<std::string>{worker.string()};
        if (spec.program) {
            order.environment = spec.program->environment;
            order.directory = spec.program->directory;
        }
        for (const auto& [name, value] : spec.launch.environment)
            order.environment.try_emplace(name, value);
        if (rendezvous)
            add_variables(order.environment,
                          machine_variables(spec, order.machine_rank, static_cast<int>(machines.size()), machine.ranks,
                                            world, generation));
        if (!spec.program)
            add_recipe(order.environment, spec);
        else if (rendezvous)
            add_program(order.environment, *spec.program, world);
        if (!spec.launch.device_library.empty()) {
            order.environment[kEnvTorchDevice] = spec.launch.device;
            order.environment[kEnvDeviceLibrary] = spec.launch.device_library;
        }
        if (!spec.program && !spec.launch.gpu_ids.empty())
            order.environment[std::string(device_mask(spec.launch.device))] = spec.launch.gpu_ids;
        if (spec.launch.num_cpu_threads_per_process > 0)
            order.environment[kEnvThreads] = std::to_string(spec.launch.num_cpu_threads_per_process);
        order.share_cores = !spec.program;
        order.cpu_affinity = spec.launch.cpu_affinity;
        order.environment[kEnvRunDirectory] = paths.root().string();
        order.environment[kEnvGeneration] = std::to_string(generation.number);
        if (generation.batch_size > 0)
            order.environment[kEnvBatchSize] = std::to_string(generation.batch_size);
        if (!machine.address.empty())
            order.environment[kEnvAddress] = machine.address;
        for (int local = 0; local < machine.ranks; ++local) {
            RankOrder rank{.rank = first + local, .local_rank = local, .environment = {}};
            if (rendezvous) {
                rank.environment[kEnvRank] = std::to_string(rank.rank);
                rank.environment[kEnvLocalRank] = std::to_string(local);
                if (spec.program)
                    rank.environment[kEnvRoleRank] = std::to_string(rank.rank);
            }
            order.ranks.push_back(std::move(rank));
        }
        first += machine.ranks;
        orders.push_back(std::move(order));
    }
    return orders;
}

}  // namespace trainyard::launch
