// trainyard launch [flags] RECIPE.yaml | SCRIPT.py ...

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/commands.h"
#include "cli/launch_program.h"
#include "cli/launch_recipe.h"
#include "cli/problem_json.h"
#include "launch/plan/flags.h"

namespace trainyard::cli {

namespace {

void print_error_json(const UserError& error) {
    nlohmann::json problems = nlohmann::json::array();
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        for (const Problem& problem : invalid->problems())
            problems.push_back(problem_json(problem));
    else
        problems.push_back(problem_json({"", 0, 0, "", error.message()}));
    std::printf("%s\n", json_text(nlohmann::json{{"problems", problems}}).c_str());
}

int launch(const std::vector<std::string>& words, const std::vector<std::string>& command) {
    bool json = std::ranges::find(words, "--json") != words.end();  // also where the flags cannot be read
    try {
        plan::Flags flags = plan::parse_flags(words);
        if (flags.is_on("help")) {
            std::fputs(plan::flags_help().c_str(), stdout);
            return kExitDone;
        }
        json = flags.is_on("json");
        if (flags.is_on("slurm") && flags.is_on("check"))
            throw UserError(
                "--check looks at machines that can be reached now, and SLURM chooses its nodes later: leave "
                "out --check or --slurm");
        for (const char* other : {"slurm", "check", "export", "no_run_dir"})
            if (flags.is_on("queue") && flags.has(other))
                throw UserError(fmt::format("--queue contradicts --{}: leave one of them out", other));
        if (flags.is_on("slurm"))
            return plan::names_recipe(flags) ? launch_recipe_on_slurm(flags, command)
                                             : launch_program_on_slurm(flags, command);
        return plan::names_recipe(flags) ? launch_recipe(flags, command) : launch_program(flags, command);
    } catch (const UserError& error) {
        if (json)
            print_error_json(error);
        throw;
    }
}

}  // namespace

plan::EnvironmentMap this_process_environment() {
    plan::EnvironmentMap all;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        std::string_view text(*entry);
        std::size_t equals = text.find('=');
        if (equals != std::string_view::npos)
            all.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return all;
}

LaunchSettings resolve_launch(const plan::Flags& flags) {
    LaunchSettings launch;
    launch.environment = this_process_environment();
    std::optional<settings::Loaded> file;
    if (std::string name = plan::settings_file(flags); !name.empty())
        file = settings::load_settings(name);
    int port = 29500;
    if (file)
        port = static_cast<int>(file->settings.integer("main_process_port", port));
    if (auto typed = flags.typed.find("main_process_port");
        typed != flags.typed.end() && typed->second.integer() != nullptr)
        port = static_cast<int>(*typed->second.integer());
    bool over_mpi = flags.has("mpirun_hostfile") || (file && file->settings.has("mpirun_config.mpirun_hostfile"));
    launch.machine = plan::probe_machine({port}, over_mpi);
    launch.resolved = plan::resolve(flags, file, launch.machine, launch.environment);
    return launch;
}

void add_launch(CLI::App& app, Action& chosen, const std::vector<std::string>& command) {
    CLI::App* launch_command =
        app.add_subcommand("launch", "Train a recipe, or start the ranks of a program; trainyard launch --help");
    // The flags are those of the schema, and a program's own arguments must stay as they are.
    launch_command->set_help_flag();
    launch_command->prefix_command(true);
    launch_command->callback([command, &chosen] {
        chosen = [command] {
            auto at = std::ranges::find(command, "launch");
            std::vector<std::string> words(at == command.end() ? at : at + 1, command.end());
            return launch(words, command);
        };
    });
}

}  // namespace trainyard::cli
