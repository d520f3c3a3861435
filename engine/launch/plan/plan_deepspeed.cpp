// SPDX-License-Identifier: GPL-3.0-or-later
// DeepSpeed's own launcher over several machines.

#include <filesystem>

#include <fmt/format.h>

#include "base/error.h"
#include "base/version.h"
#include "launch/plan/environment.h"
#include "launch/plan/plan_parts.h"

namespace trainyard::plan {

using settings::Settings;

namespace {

std::vector<std::string> deepspeed_command(const PlanInput& input) {
    const Settings& settings = input.resolved.settings;
    auto text = [&](const char* key) { return settings.text(std::string("deepspeed_config.") + key); };
    std::string hosts = text("deepspeed_hostfile"), launcher = text("deepspeed_multinode_launcher");
    if (hosts.empty())
        refuse("deepspeed_config.deepspeed_hostfile",
               "DeepSpeed starts other machines by a host file with lines `name slots=N`: name it with "
               "--deepspeed_hostfile, or use --deepspeed_multinode_launcher standard");
    std::vector<std::string> command{"deepspeed", "--hostfile", hosts};
    auto add = [&](std::initializer_list<std::string> words) { command.insert(command.end(), words); };
    if (launcher == "nossh") {
        if (is_older_version(*input.machine.deepspeed, "0.14.5"))
            refuse("deepspeed_config.deepspeed_multinode_launcher",
                   Message("nossh needs DeepSpeed 0.14.5, {} is installed: update it, or take pdsh",
                           *input.machine.deepspeed));
        add({"--node_rank", std::to_string(input.machine_rank()), "--no_ssh"});
    } else {
        add({"--no_local_rank", "--launcher", launcher.empty() ? "pdsh" : launcher});
    }
    if (!text("deepspeed_exclusion_filter").empty())
        add({"--exclude", text("deepspeed_exclusion_filter")});
    else if (!text("deepspeed_inclusion_filter").empty())
        add({"--include", text("deepspeed_inclusion_filter")});
    else
        add({"--num_gpus", std::to_string(input.processes() / input.machines())});
    if (!input.address().empty())
        add({"--master_addr", input.address()});
    add({"--master_port", std::to_string(rendezvous_port(input))});
    if (input.flags.is_on("module"))
        add({"--module"});
    else if (input.flags.is_on("no_python"))
        add({"--no_python"});
    command.push_back(input.flags.program);
    command.insert(command.end(), input.flags.arguments.begin(), input.flags.arguments.end());
    return command;
}

}  // namespace

void plan_deepspeed(const PlanInput& input, Plan& plan) {
    check_shared_port(input, rendezvous_port(input));
    plan.command = deepspeed_command(input);
    auto path = input.environment.find("PYTHONPATH");
    plan.environment = deepspeed_environment(input.flags, input.resolved, input.machine,
                                             path == input.environment.end() ? "" : path->second,
                                             std::filesystem::current_path().string());
    if (add_peer_workaround(plan.environment, input.machine, input.environment))
        plan.warnings.emplace_back(
            "NCCL_P2P_DISABLE and NCCL_IB_DISABLE are set, as the driver of these RTX 40 cards "
            "cannot exchange data directly");
    // Only what the launch sets: the whole environment of the user may hold secrets.
    for (const auto& [name, value] : plan.environment) {
        if (value.empty())
            continue;
        if ((name + value).find_first_of(";\n<> ") == std::string::npos)
            plan.deepspeed_env_file.push_back(name + "=" + value);
        else
            plan.warnings.push_back(
                Message("{} does not reach the other machines: DeepSpeed's "
                        ".deepspeed_env cannot hold blanks, `;`, `<` or `>`",
                        name));
    }
}

}  // namespace trainyard::plan
