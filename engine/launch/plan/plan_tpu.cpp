// SPDX-License-Identifier: GPL-3.0-or-later
// TPU: one machine with torch_xla's spawn, or all workers of a pod.

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/error.h"
#include "launch/plan/environment.h"
#include "launch/plan/plan_parts.h"

namespace trainyard::plan {

using settings::Settings;

namespace {

constexpr std::streamsize kScriptBytes = 1 << 20;

/// What `accelerate launch --tpu` does in its own process: imports the program and spawns its function on every core.
constexpr const char* kSpawn =
    "import importlib, os, pathlib, sys\n"
    "import torch_xla.distributed.xla_multiprocessing as xmp\n"
    "kind, program, function = sys.argv[1:4]\n"
    "if kind == 'file':\n"
    "    path = pathlib.Path(program)\n"
    "    sys.path.append(str(path.parent.resolve()))\n"
    "    program = path.stem\n"
    "module = importlib.import_module(program)\n"
    "sys.argv = [module.__file__] + sys.argv[4:]\n"
    "def run(index):\n"
    "    os.environ['FORK_LAUNCHED'] = '1'\n"
    "    getattr(module, function)()\n"
    "xmp.spawn(run, args=())\n";

void check_python(const PlanInput& input) {
    if (input.flags.is_on("no_python"))
        refuse("--no_python", "on TPU a function of a Python script is started: leave --no_python out");
}

/// A function that is not in the script would fail on every core; what cannot be read is left to Python.
void check_function(const PlanInput& input, const std::string& function) {
    std::ifstream file(input.flags.program, std::ios::binary);
    if (input.flags.is_on("module") || !file)
        return;
    std::string text(static_cast<std::size_t>(kScriptBytes), '\0');
    file.read(text.data(), kScriptBytes);
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.find(function) == std::string::npos)
        refuse("main_training_function",
               Message("{} has no function {}: name the one that trains with --main_training_function",
                       input.flags.program, function));
}

}  // namespace

void plan_tpu(const PlanInput& input, Plan& plan) {
    check_python(input);
    std::string function = input.resolved.settings.text("main_training_function", "main");
    check_function(input, function);
    plan.command = {input.interpreter,   "-c",    kSpawn, input.flags.is_on("module") ? "module" : "file",
                    input.flags.program, function};
    plan.command.insert(plan.command.end(), input.flags.arguments.begin(), input.flags.arguments.end());
    plan.environment = tpu_environment(input.resolved, input.machine);
}

void plan_tpu_pod(const PlanInput& input, Plan& plan) {
    const Settings& settings = input.resolved.settings;
    check_python(input);
    std::string name = settings.text("tpu_name");
    if (name.empty())
        refuse("tpu_name", "the pod's name is not known: set tpu_name in the settings file");
    plan.command = {input.interpreter, "-m", "torch_xla.distributed.xla_dist", "--tpu=" + name,
                    "--restart-tpuvm-pod-server"};
    if (const Value* machines = settings.find("tpu_vm"); machines != nullptr && machines->list() != nullptr)
        for (const Value& machine : *machines->list())
            plan.command.push_back("--vm=" + machine.display());
    for (const auto& [variable, value] : tpu_environment(input.resolved, input.machine))
        plan.command.push_back("--env=" + variable + "=" + value);
    plan.command.emplace_back("--env=ACCELERATE_IN_TPU_POD=1");
    if (const Value* variables = settings.find("tpu_env"); variables != nullptr && variables->list() != nullptr)
        for (const Value& variable : *variables->list())
            plan.command.push_back("--env=" + variable.display());
    plan.command.emplace_back("--");
    if (settings.boolean("tpu_use_sudo"))
        plan.command.emplace_back("sudo");
    for (std::string word : {std::string("accelerate-launch"), std::string("--tpu"), std::string("--no_tpu_cluster"),
                             std::string("--num_machines"), std::string("1"), std::string("--mixed_precision"),
                             std::string("no"), std::string("--dynamo_backend"), std::string("no"),
                             std::string("--num_processes"), std::to_string(input.processes()),
                             std::string("--main_training_function"), settings.text("main_training_function", "main")})
        plan.command.push_back(std::move(word));
    if (input.flags.is_on("module"))
        plan.command.emplace_back("--module");
    plan.command.push_back(input.flags.program);
    plan.command.insert(plan.command.end(), input.flags.arguments.begin(), input.flags.arguments.end());
}

}  // namespace trainyard::plan
