// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/launch_recipe.h"
#include "cli/runs_parts.h"
#include "launch/plan/flags.h"
#include "launch/supervisor/continuation.h"
#include "run/listing.h"

namespace trainyard::cli {

namespace {

struct ContinueFlags {
    std::string run, name;
    std::int64_t steps = 0;
    bool keep_schedule = false, detach = false, dry_run = false, queue = false, json = false;
};

int continue_run(const ContinueFlags& flags) {
    const run::RunPaths run = run::find_run(run::runs_root(), flags.run);
    const launch::Continuation from = launch::continuation_of(run);
    std::vector<std::string> words;
    for (const auto& [set, word] : {std::pair(flags.detach, "--detach"), std::pair(flags.dry_run, "--dry-run"),
                                    std::pair(flags.queue, "--queue"), std::pair(flags.json, "--json")})
        if (set)
            words.push_back(word);
    for (std::string& setting : launch::continuation_settings(from, flags.steps, flags.keep_schedule))
        words.insert(words.end(), {"--set", std::move(setting)});
    if (!flags.name.empty())
        words.insert(words.end(), {"--set", "name=" + flags.name});
    words.push_back(run.spec().string());
    // As `trainyard launch` with these words, which are what run.yaml records.
    std::vector<std::string> command{"trainyard", "launch"};
    command.insert(command.end(), words.begin(), words.end());
    return launch_recipe(plan::parse_flags(words), command);
}

}  // namespace

void add_runs_continue(CLI::App& runs, Action& chosen) {
    auto flags = std::make_shared<ContinueFlags>();
    CLI::App* command =
        runs.add_subcommand("continue", "Train a run that is over for more steps: a new run from its last checkpoint");
    command->add_option("run", flags->run, "Id, unique beginning or end of it, name, or folder")->required();
    command->add_option("--steps", flags->steps, "Steps in all, those of the run included")
        ->required()
        ->check(CLI::PositiveNumber);
    command->add_flag("--keep-schedule,--keep_schedule", flags->keep_schedule,
                      "The learning rate's decay ends where it ended in the run; without it, at the new last step");
    command->add_option("--name", flags->name, "Name of the new run; its own without it");
    command->add_flag("--queue", flags->queue,
                      "Wait for the runs of this machine that are active or were queued before");
    command->add_flag("--detach", flags->detach, "Return once the ranks run");
    command->add_flag("--dry-run,--dry_run", flags->dry_run, "Print what would start, and start nothing");
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] { chosen = [flags] { return continue_run(*flags); }; });
}

}  // namespace trainyard::cli
