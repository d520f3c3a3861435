// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard launch [flags] RECIPE.yaml | SCRIPT.py ...

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "cli/commands.h"
#include "cli/launch_program.h"
#include "cli/launch_recipe.h"
#include "cli/problem_json.h"
#include "launch/plan/flags.h"

namespace trainyard::cli {

namespace {

int launch(const std::vector<std::string>& words, const std::vector<std::string>& command) {
    bool json = std::ranges::find(words, "--json") != words.end();  // also where the flags cannot be read
    try {
        plan::Flags flags = plan::parse_flags(words);
        if (flags.is_on("help")) {
            std::fputs(plan::flags_help(flags).c_str(), stdout);
            return kExitDone;
        }
        json = flags.is_on("json");
        if (flags.is_on("slurm") && flags.is_on("check"))
            throw UserError(
                "--check looks at machines that can be reached now, and SLURM chooses its nodes later: leave "
                "out --check or --slurm");
        for (const char* other : {"slurm", "check", "export", "no_run_dir"})
            if (flags.is_on("queue") && flags.has(other))
                throw UserError("--queue contradicts --{}: leave one of them out", other);
        if (flags.is_on("slurm"))
            return plan::names_recipe(flags) ? launch_recipe_on_slurm(flags, command)
                                             : launch_program_on_slurm(flags, command);
        return plan::names_recipe(flags) ? launch_recipe(flags, command) : launch_program(flags, command);
    } catch (const UserError& error) {
        if (json)
            std::printf("%s\n", problems_json(error).c_str());
        throw;
    }
}

}  // namespace

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
