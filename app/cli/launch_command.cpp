// trainyard launch [flags] RECIPE.yaml

#include <cstdio>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/follow.h"
#include "launch/daemon.h"
#include "launch/prepare.h"

namespace trainyard::cli {

namespace {

struct LaunchFlags {
    launch::LaunchOptions options;
    bool detach = false;
    bool dry_run = false;
    bool json = false;
};

void add_flags(CLI::App& command, LaunchFlags& flags) {
    launch::LaunchOptions& options = flags.options;
    command.add_option("--num_processes", options.num_processes, "Ranks to start [1]");
    command.add_flag("--cpu", options.cpu, "Train on the CPU even where a GPU is");
    command.add_option("--mixed_precision", options.mixed_precision, "no, fp16 or bf16, instead of the recipe's");
    command.add_option("--main_process_port", options.main_process_port,
                       "Port on 127.0.0.1 for the ranks to meet, 0: a free one");
    command.add_option("--num_cpu_threads_per_process", options.num_cpu_threads_per_process,
                       "Threads of a rank, 0: cores / ranks");
    command.add_option("--run_dir", options.run_dir,
                       "The run's own folder, new or empty [a new one in TRAINYARD_RUNS]");
    command.add_option("--set", options.overrides, "key=value for the recipe, e.g. training.steps=100; repeatable")
        ->allow_extra_args(false)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    command.add_flag("--detach", flags.detach, "Return as soon as the ranks run");
    command.add_flag("--dry-run", flags.dry_run, "Check everything and print the resolved run.yaml, start nothing");
    command.add_flag("--json", flags.json, "For programs: run_id and path, at the end the state; problems as a list");
}

/// A recipe takes no arguments, so what stands behind it are launch's own flags.
void take_flags_behind(const std::vector<std::string>& words, LaunchFlags& flags) {
    CLI::App behind;
    behind.allow_extras();
    add_flags(behind, flags);
    std::vector<std::string> before = std::exchange(flags.options.overrides, {});
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
    behind.parse(reversed);
    flags.options.overrides.insert(flags.options.overrides.begin(), before.begin(), before.end());
    std::vector<std::string> unknown = behind.remaining();
    if (unknown.empty())
        return;
    std::vector<std::string> known;
    for (const CLI::Option* option : behind.get_options())
        known.push_back(option->get_name());
    throw UserError(unknown[0].starts_with("-")
                        ? "unknown flag '" + unknown[0] + "' of launch" + text::did_you_mean(unknown[0], known)
                        : "'" + unknown[0] + "' stands behind the recipe: a recipe takes no arguments");
}

/// The recipe is the first word that is no flag.
std::string recipe_word(const CLI::App& command, LaunchFlags& flags) {
    std::vector<std::string> rest = command.remaining();
    if (rest.empty())
        throw UserError("launch needs a recipe: trainyard launch [flags] RECIPE.yaml");
    if (rest[0].starts_with("-")) {
        std::vector<std::string> known;
        for (const CLI::Option* option : command.get_options())
            known.push_back(option->get_name());
        throw UserError("unknown flag '" + rest[0] + "' of launch" + text::did_you_mean(rest[0], known));
    }
    if (rest[0].ends_with(".py"))
        throw UserError(rest[0] + " is a Python script: this version trains recipes (.yaml)");
    take_flags_behind({rest.begin() + 1, rest.end()}, flags);
    return rest[0];
}

nlohmann::json problem_json(const Problem& problem) {
    return {{"file", problem.file}, {"line", problem.line},       {"column", problem.column},
            {"key", problem.key},   {"message", problem.message}, {"text", problem.text()}};
}

void print_problems(const UserError& error) {
    nlohmann::json problems = nlohmann::json::array();
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        for (const Problem& problem : invalid->problems())
            problems.push_back(problem_json(problem));
    else
        problems.push_back(problem_json({"", 0, 0, "", error.what()}));
    std::printf(
        "%s\n",
        nlohmann::json{{"problems", problems}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
}

int launch_run(const LaunchFlags& flags) {
    launch::CheckedLaunch checked = launch::check_launch(flags.options);
    if (flags.dry_run) {
        std::string yaml = run::to_yaml(checked.spec);
        std::printf("%s", flags.json ? (nlohmann::json{{"run_yaml", yaml}}.dump() + "\n").c_str() : yaml.c_str());
        return kExitDone;
    }
    launch::PreparedRun prepared = launch::create_run(std::move(checked));
    run::RunPaths paths = prepared.paths;
    launch::start_detached(std::move(prepared));
    if (flags.json)
        std::printf("%s\n", nlohmann::json{{"run_id", paths.id()}, {"path", paths.root().string()}}.dump().c_str());
    else
        std::printf("%s\n%s\n", paths.id().c_str(), paths.root().c_str());
    std::fflush(stdout);
    if (flags.detach)
        return kExitDone;
    int code = follow(paths, flags.json);
    if (auto state = flags.json ? run::read_state(paths) : std::nullopt)
        std::printf("%s", run::to_json(*state).c_str());
    return code;
}

}  // namespace

void add_launch(CLI::App& app, Action& chosen, const std::vector<std::string>& command) {
    auto flags = std::make_shared<LaunchFlags>();
    flags->options.command = command;
    CLI::App* launch = app.add_subcommand("launch", "Train a recipe: starts the ranks, detached, and follows them");
    launch->footer("Then the recipe, or the run.yaml of an earlier run: trainyard launch [flags] RECIPE.yaml [flags]");
    launch->prefix_command(true);
    add_flags(*launch, *flags);
    launch->callback([launch, flags, &chosen] {
        chosen = [launch, flags] {
            try {
                flags->options.file = recipe_word(*launch, *flags);
                return launch_run(*flags);
            } catch (const UserError& error) {
                if (flags->json)
                    print_problems(error);
                throw;
            }
        };
    });
}

}  // namespace trainyard::cli
