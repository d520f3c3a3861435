// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/plan/plan.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "launch/plan/counts.h"
#include "launch/plan/environment.h"
#include "launch/plan/library_program.h"
#include "launch/plan/plan_parts.h"

namespace trainyard::plan {

using settings::Settings;

namespace {

Starter starter_for(const Resolved& resolved, std::int64_t processes, std::int64_t machines) {
    const Settings& settings = resolved.settings;
    switch (resolved.paradigm) {
        case Paradigm::sagemaker:
            return Starter::sagemaker;
        case Paradigm::tpu:
            return settings.boolean("tpu_use_cluster") ? Starter::tpu_pod : Starter::tpu;
        case Paradigm::deepspeed:
            return machines > 1 && settings.text("deepspeed_config.deepspeed_multinode_launcher") != "standard"
                       ? Starter::deepspeed
                       : Starter::ranks;
        case Paradigm::fsdp:
        case Paradigm::megatron:
        case Paradigm::multi_device:
            return Starter::ranks;
        case Paradigm::single:
        case Paradigm::cpu:
            break;
    }
    bool over_mpi = !settings.text("mpirun_config.mpirun_hostfile").empty();
    return !over_mpi && (processes > 1 || machines > 1) ? Starter::ranks : Starter::process;
}

void check_deepspeed(const PlanInput& input) {
    if (input.resolved.paradigm != Paradigm::deepspeed)
        return;
    // A program without Python partitions its state itself, as those on engine/accelerator do. Over several machines
    // the deepspeed program starts it.
    if (input.flags.is_on("no_python") &&
        starter_for(input.resolved, input.processes(), input.machines()) == Starter::ranks)
        return;
    if (!input.machine.deepspeed)
        refuse("use_deepspeed",
               Message("DeepSpeed is not installed for {}: install the Python package deepspeed, or train with "
                       "FSDP",
                       input.interpreter));
}

bool is_in_use(const PlanInput& input, int port) {
    return std::ranges::find(input.machine.ports_in_use, port) != input.machine.ports_in_use.end();
}

/// One machine: a taken port is stepped around. Several: the others could not know.
void settle_port(const PlanInput& input, Plan& plan) {
    Rendezvous& rendezvous = *plan.rendezvous;
    int port = rendezvous_port(input);
    check_shared_port(input, port);
    if (input.machines() <= 1 && is_in_use(input, port)) {
        const auto origin = input.resolved.origins.find("main_process_port");
        const Value* value = input.resolved.settings.find("main_process_port");
        const bool is_set = value != nullptr && !value->is_null() && origin != input.resolved.origins.end();
        const Message asked = !is_set || origin->second == Origin::fallback
                                  ? Message("the usual one, as main_process_port is not set")
                              : origin->second == Origin::file ? Message("main_process_port of {}", input.resolved.file)
                                                               : Message("--main_process_port");
        plan.warnings.push_back(
            Message("port {} ({}) is in use by another program or launch: port {} is taken instead; give "
                    "another one with --main_process_port, or 0 for a free one",
                    port, asked, input.machine.free_port));
        rendezvous.standalone = true;
        port = input.machine.free_port;
    }
    rendezvous.master_port = port;
}

void settle_rendezvous(const PlanInput& input, Plan& plan) {
    const Settings& settings = input.resolved.settings;
    Rendezvous rendezvous;
    rendezvous.rdzv_backend = settings.text("rdzv_backend", "static");
    rendezvous.rdzv_conf = settings.text("rdzv_conf");
    rendezvous.max_restarts = static_cast<int>(settings.integer("max_restarts", 0));
    if (const Value* interval = settings.find("monitor_interval"))
        rendezvous.monitor_interval = interval->number() != nullptr    ? *interval->number()
                                      : interval->integer() != nullptr ? static_cast<double>(*interval->integer())
                                                                       : rendezvous.monitor_interval;
    rendezvous.role = settings.text("role", "default");
    rendezvous.tee = settings.text("tee", "0");
    rendezvous.log_dir = settings.text("log_dir");
    plan.rendezvous = rendezvous;
    settle_port(input, plan);
    if (input.machines() > 1) {
        Rendezvous& several = *plan.rendezvous;
        several.nnodes = std::to_string(input.machines());
        several.node_rank = static_cast<int>(input.machine_rank());
        if (settings.boolean("same_network")) {
            several.master_addr = input.address();
        } else {
            several.rdzv_endpoint = fmt::format("{}:{}", input.address(), several.master_port);
            several.master_port = Rendezvous().master_port;
        }
    }
}

EnvironmentMap rank_variables(const PlanInput& input, const Plan& plan, int local, int first) {
    const Rendezvous& rendezvous = *plan.rendezvous;
    std::string address = rendezvous.master_addr;
    std::string port = std::to_string(rendezvous.master_port);
    if (!rendezvous.rdzv_endpoint.empty()) {
        std::size_t colon = rendezvous.rdzv_endpoint.rfind(':');
        address = rendezvous.rdzv_endpoint.substr(0, colon);
        port = rendezvous.rdzv_endpoint.substr(colon + 1);
    }
    std::string rank = std::to_string(first + local), world = std::to_string(plan.world_size);
    return {{kEnvRank, rank},
            {kEnvLocalRank, std::to_string(local)},
            {kEnvWorldSize, world},
            {kEnvLocalWorldSize, std::to_string(rendezvous.nproc_per_node)},
            {kEnvGroupRank, std::to_string(input.machines() > 1 ? input.machine_rank() : 0)},
            {kEnvGroupWorldSize, std::to_string(input.machines())},
            {kEnvRoleName, rendezvous.role},
            {kEnvRoleRank, rank},
            {kEnvRoleWorldSize, world},
            {kEnvMasterAddress, address},
            {kEnvMasterPort, port},
            {kEnvRestartCount, "0"},
            {kEnvMaxRestarts, std::to_string(rendezvous.max_restarts)},
            {kEnvElasticRunId, input.resolved.settings.text("rdzv_id", "none")},
            {kEnvUseAgentStore, "False"},  // rank 0 serves the store itself
            {"TORCH_NCCL_ASYNC_ERROR_HANDLING", "1"}};
}

}  // namespace

std::string_view starter_name(Starter starter) {
    switch (starter) {
        case Starter::process:
            return "process";
        case Starter::ranks:
            return "ranks";
        case Starter::deepspeed:
            return "deepspeed";
        case Starter::tpu:
            return "tpu";
        case Starter::tpu_pod:
            return "tpu_pod";
        case Starter::sagemaker:
            return "sagemaker";
    }
    return "process";
}

void refuse(std::string key, Message message) {
    throw InvalidInput({{"", 0, 0, std::move(key), std::move(message)}});
}

std::vector<std::string> program_command(const PlanInput& input, bool unbuffered) {
    std::vector<std::string> command;
    if (!input.flags.is_on("no_python")) {
        command.push_back(input.interpreter);
        if (unbuffered)
            command.emplace_back("-u");
        if (input.flags.is_on("module"))
            command.emplace_back("-m");
    }
    command.push_back(input.flags.program);
    command.insert(command.end(), input.flags.arguments.begin(), input.flags.arguments.end());
    return command;
}

int rendezvous_port(const PlanInput& input) {
    auto port = static_cast<int>(input.resolved.settings.integer("main_process_port", Rendezvous().master_port));
    return port == 0 ? input.machine.free_port : port;
}

void check_shared_port(const PlanInput& input, int port) {
    if (input.machines() > 1 && input.machine_rank() == 0 && is_in_use(input, port))
        refuse("main_process_port",
               Message("port {} of this machine is in use by another program: give another one with "
                       "--main_process_port, the same on all machines",
                       port));
}

void plan_ranks(const PlanInput& input, Plan& plan) {
    check_deepspeed(input);
    settle_rendezvous(input, plan);
    plan.command = program_command(input, true);
    bool on_cpu = input.resolved.paradigm == Paradigm::cpu || input.resolved.paradigm == Paradigm::single;
    if (input.resolved.paradigm == Paradigm::deepspeed) {
        auto path = input.environment.find("PYTHONPATH");
        plan.environment = deepspeed_environment(input.flags, input.resolved, input.machine,
                                                 path == input.environment.end() ? "" : path->second,
                                                 std::filesystem::current_path().string());
    } else {
        plan.environment = on_cpu ? simple_environment(input.resolved, input.machine)
                                  : device_environment(input.flags, input.resolved, input.machine);
    }
    if (!on_cpu && add_peer_workaround(plan.environment, input.machine, input.environment))
        plan.warnings.emplace_back(
            "the driver of these RTX 40 cards cannot exchange data directly: NCCL_P2P_DISABLE and NCCL_IB_DISABLE are "
            "set; a driver from 550.40.07 on can");
    auto here = static_cast<std::size_t>(input.machines() > 1 ? input.machine_rank() : 0);
    int first = 0;
    for (std::size_t machine = 0; machine < here; ++machine)
        first += plan.ranks_per_machine[machine];
    plan.rendezvous->nproc_per_node = plan.ranks_per_machine[here];
    for (int local = 0; local < plan.ranks_per_machine[here]; ++local)
        plan.ranks.push_back({first + local, local, rank_variables(input, plan, local, first)});
}

Plan make_plan(const Flags& flags, const Resolved& resolved, const settings::Machine& machine,
               const EnvironmentMap& environment, const std::string& interpreter) {
    PlanInput input{flags, resolved, machine, environment, interpreter};
    Plan plan;
    plan.warnings = resolved.warnings;
    plan.starter = starter_for(resolved, input.processes(), input.machines());
    plan.world_size = static_cast<int>(input.processes());
    plan.ranks_per_machine = ranks_per_machine(flags, resolved, environment);
    bool counted = plan.starter == Starter::process || plan.starter == Starter::ranks;
    if (counted && plan.ranks_per_machine.size() != static_cast<std::size_t>(input.machines()))
        refuse("num_processes", Message("{} processes cannot be shared out over {} machines as asked: each "
                                        "needs one at least, and --hosts must add up",
                                        input.processes(), input.machines()));
    if (!flags.hosts.empty() && plan.starter == Starter::deepspeed)
        plan.warnings.emplace_back("--hosts has no effect: DeepSpeed's host file says how many ranks each machine has");
    switch (plan.starter) {
        case Starter::process:
            plan_process(input, plan);
            break;
        case Starter::ranks:
            plan_ranks(input, plan);
            break;
        case Starter::deepspeed:
            check_deepspeed(input);
            plan_deepspeed(input, plan);
            break;
        case Starter::tpu:
            plan_tpu(input, plan);
            break;
        case Starter::tpu_pod:
            plan_tpu_pod(input, plan);
            break;
        case Starter::sagemaker:
            plan_sagemaker(input, plan);
            break;
    }
    const auto search_path = environment.find("PATH");
    if (flags.is_on("no_python") &&
        is_library_program(flags.program, search_path == environment.end() ? nullptr : search_path->second.c_str()))
        leave_out_unread_variables(plan, resolved);
    return plan;
}

}  // namespace trainyard::plan
