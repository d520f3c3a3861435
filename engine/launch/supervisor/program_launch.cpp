// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/program_launch.h"

#include <algorithm>
#include <cstdlib>

#include "base/environment_names.h"
#include "base/filesystem.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/rank_orders.h"

namespace trainyard::launch {

namespace {

/// `train` of train.py, of -m package.train, and of ./train.
std::string program_name(const plan::Flags& flags) {
    if (flags.is_on("module"))
        return flags.program.substr(flags.program.rfind('.') + 1);
    std::string name = fs::path(flags.program).stem().string();
    return name.empty() ? "program" : name;
}

}  // namespace

run::RunSpec program_spec(const plan::Plan& made, const plan::Flags& flags, const LaunchSettings& settings,
                          const std::vector<std::string>& command) {
    const plan::Resolved& resolved = settings.resolved;
    run::RunSpec spec;
    spec.recipe.name = program_name(flags);
    spec.command = command;
    run::ProgramSpec program;
    program.command = made.command;
    program.environment = {made.environment.begin(), made.environment.end()};
    program.directory = fs::current_path().string();
    program.rendezvous = made.starter == plan::Starter::ranks;
    auto device = made.environment.find(kEnvUseCpu);
    bool on_cpu = device != made.environment.end() && device->second == "True";
    spec.launch.device = default_device();
    DeviceChoice choice = with_file(typed_device(flags), resolved);
    choice.cpu = choice.cpu || on_cpu;
    choose_device(spec.launch, choice);
    // Python brings its own library for the device that a settings file names; what was typed must be there.
    if (spec.launch.device_library.empty() && spec.launch.device != "cuda" && !flags.typed.contains("device"))
        spec.launch.device = "cpu";
    if (made.rendezvous) {
        const plan::Rendezvous& rendezvous = *made.rendezvous;
        program.role = rendezvous.role;
        if (!made.ranks.empty()) {
            // The supervisor does not set all variables that torchrun sets.
            for (const auto& [name, value] : made.ranks.front().environment)
                if (name.starts_with("TORCH_"))
                    program.environment[name] = value;
            program.run_id = made.ranks.front().environment.at(kEnvElasticRunId);
            spec.launch.main_process_ip = made.ranks.front().environment.at(kEnvMasterAddress);
            spec.launch.main_process_port = std::atoi(made.ranks.front().environment.at(kEnvMasterPort).c_str());
        }
        spec.launch.num_processes = static_cast<int>(std::max<std::size_t>(1, made.ranks.size()));
        spec.launch.max_restarts = rendezvous.max_restarts;
    }
    spec.launch.output = typed_output(flags, false).value_or(run::OutputSpec{});
    spec.launch.environment = carried_variables(settings.environment, settings.machine, on_cpu);
    spec.launch.hang_timeout_s = 0;  // nobody knows how long a program may be silent
    spec.program = std::move(program);
    return spec;
}

void complete_environment(plan::Plan& made, const run::RunSpec& spec) {
    if (made.starter != plan::Starter::ranks && made.starter != plan::Starter::process)
        return;
    MachineOrder order;
    order.environment = {made.environment.begin(), made.environment.end()};
    order.environment.insert(spec.launch.environment.begin(), spec.launch.environment.end());
    for (const auto& [name, value] : rank_environment(order, {}))
        made.environment[name] = value;
    for (const auto& [name, words] : words_of_machine_variables(made.ranks_per_machine.size()))
        made.machine_environment[name] = words;
}

}  // namespace trainyard::launch
