// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard test: the ranks check themselves and each other (worker/selfcheck.h) on this machine, on hosts over SSH, or
// on machines that join by rendezvous. Prints one line per check, then the performance of the links. No files remain if
// all checks pass.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/temporary_folder.h"
#include "base/random_hex.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/join_run.h"
#include "cli/launch_hosts.h"
#include "cli/launch_recipe.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "cli/test_report.h"
#include "launch/supervisor/daemon.h"
#include "launch/supervisor/recipe_launch.h"
#include "run/request_body.h"

namespace trainyard::cli {

namespace {

constexpr double kTestLook = 0.05;  // seconds between two looks at the run's files

constexpr const char* kHelp =
    "Let the ranks check themselves and each other: processes and their order, collectives, triggers,\n"
    "splits, loaders, samplers, random numbers, training, checkpoints, and how fast every two of them\n"
    "exchange messages.\n"
    "\n"
    "trainyard test [flags]\n"
    "\n"
    "  Where the ranks are is said as for `trainyard launch`, whose flags and settings file count here:\n"
    "  --num_processes N            ranks on this machine [1]\n"
    "  --hosts gpu-a:4,gpu-b:2      on hosts over SSH; --hostfile FILE\n"
    "  --num_machines 2 --machine_rank 0 --main_process_ip ADDRESS --main_process_port PORT\n"
    "                               the same command on each machine, as with torchrun; also under SLURM and mpirun\n"
    "  --config_file FILE           settings [the default file, if there is one]\n"
    "  --cpu                        check the CPU even where a GPU is\n"
    "  --json                       for programs: every check, every pair of ranks with its figures\n"
    "  --help                       this text\n";

/// A run.yaml of a tiny model whose data the ranks make themselves.
fs::path write_task(const fs::path& folder) {
    run::RunSpec spec;
    spec.launch.self_check = true;
    spec.launch.device = launch::default_device();
    config::Recipe& recipe = spec.recipe;
    recipe.name = "self-check";
    recipe.model.n_layer = 2;
    recipe.model.n_head = 2;
    recipe.model.n_embd = 32;
    recipe.model.n_positions = 16;
    recipe.model.vocab_size = 256;
    recipe.model.resid_pdrop = 0.1;
    recipe.data.paths = {(folder / "made-by-the-ranks.txt").string()};
    recipe.data.sequence_length = 16;
    recipe.data.validation_fraction = 0;
    recipe.optimizer.lr = 1e-3;
    recipe.optimizer.eps = 1e-3;  // keeps AdamW from magnifying the last bits of gradients that are nearly zero
    recipe.training.steps = 6;
    recipe.training.batch_size = 2;
    recipe.training.gradient_accumulation_steps = 2;
    recipe.training.evaluate_batches = 0;
    write_file_atomically(folder / "run.yaml", run::to_yaml(spec), false);
    return folder / "run.yaml";
}

/// How the check ended, and whether that was by Ctrl-C.
struct Ended {
    run::RunState state;
    bool interrupted = false;
};

/// Prints the checks as they pass, until the run is over.
Ended watch(const run::RunPaths& paths, bool quiet, InterruptFlag& interrupt, SelfCheckReport& report) {
    bool interrupted = false;
    run::JournalReader journal(paths.journal());
    while (true) {
        // Read the state first: all events are written before the final state.
        std::optional<run::RunState> state = run::read_state(paths);
        bool lost = state && run::is_lost(*state, wall_seconds());
        for (const run::Event& event : journal.poll())
            if (report.take(event) && !quiet) {
                std::fputs(line_of(report.passed().back()).c_str(), stdout);
                std::fflush(stdout);
            }
        if (lost)
            throw UserError("the supervisor of the check ended without a result; its log: {}",
                            paths.supervisor_log().string());
        if (state && run::is_over(state->status)) {
            report.name_hosts(state->ranks);
            return {*state, interrupted};
        }
        if (interrupt.taken()) {
            interrupted = true;
            run::drop_request(paths, run::make_request(run::KillRequest(), "terminal"));
        }
        pause_for(kTestLook);
    }
}

/// Prints the final report. Returns the exit code.
int conclude(const run::RunPaths& paths, bool json, const Ended& ended, const SelfCheckReport& report, double begun) {
    const run::RunState& state = ended.state;
    bool good = state.status == run::Status::finished;
    if (ended.interrupted && !good) {
        say_format(stderr, "interrupted\n");
        return kExitInterrupted;
    }
    double seconds = monotonic_seconds() - begun;
    std::size_t ranks = state.ranks.size(), machines = state.machines.size();
    if (json)
        say_format(stdout, "%s\n", report.json(state, static_cast<int>(ranks), seconds).c_str());
    else
        std::fputs(report.text().c_str(), stdout);
    if (!json && good)
        say_format(stdout, "\nAll %zu checks passed on %zu %s%s in %s: %s.\n", report.passed().size(), ranks,
                   ranks == 1 ? "rank" : "ranks", machines > 1 ? fmt::format(" of {} machines", machines).c_str() : "",
                   text::duration(seconds).c_str(),
                   machines > 1 ? "these machines are ready" : "this machine is ready");
    if (good)
        return kExitDone;
    if (!json && state.first_failure)
        say_format(stdout, "failed  %-12s\n", state.first_failure->phase.c_str());
    std::fflush(stdout);
    say_format(stderr, "%s\nlogs: %s\n", state.message.text().c_str(), paths.logs().c_str());
    return kExitFailed;
}

int test_on_hosts(const plan::Flags& flags, const std::vector<std::string>& command) {
    double begun = monotonic_seconds();
    std::vector<Message> notes;  // of a check that trains with data parallelism, whatever the settings say
    HostsLaunch hosts(flags, launch::read_recipe(flags, command, notes));
    remote::StartedRun started{run::RunPaths(""), "", ""};
    try {
        hosts.check();
        started = hosts.start();
    } catch (const remote::ConnectionError& error) {
        if (error.cause() != remote::Cause::cancelled)
            throw;
        say_format(stderr, "interrupted\n");
        return kExitInterrupted;
    }
    InterruptFlag interrupt;  // until nothing of the check is left on the hosts
    wait_for_first_word(started.paths);
    SelfCheckReport report;
    Ended ended = watch(started.paths, flags.is_on("json"), interrupt, report);
    int code = conclude(started.paths, flags.is_on("json"), ended, report, begun);
    if (code != kExitFailed)  // else its logs are still wanted
        hosts.launcher().take_back();
    return code;
}

int test_here(const plan::Flags& flags, const std::vector<std::string>& command, files::TemporaryFolder& workplace) {
    double begun = monotonic_seconds();
    // If this machine joins a run of another one, its local files are below the temporary folder and removed with it.
    ::setenv(kEnvRuns, workplace.path().c_str(), 1);
    bool json = flags.is_on("json");
    launch::RecipeLaunch place = launch::check_recipe(flags, command);
    if (!json)
        for (const Message& note : place.notes)
            say_format(stderr, "trainyard: note: %s\n", note.text().c_str());
    if (place.rendezvous && !place.pool)
        return join_run(*place.rendezvous, std::nullopt, std::nullopt);
    // The other machines know the run by this name, too.
    place.checked.run_dir = workplace.path() / ("self-check-" + random_hex(8));
    launch::PreparedRun prepared = launch::create_run(std::move(place.checked));
    run::RunPaths paths = prepared.paths;
    launch::SupervisorOptions options;
    if (place.pool) {
        options.last_call_s = place.rendezvous->last_call_s;
        place.pool->tell(paths.id(), run::to_yaml(prepared.spec), true);
    }
    launch::start_detached(std::move(prepared), options, std::move(place.pool));
    InterruptFlag interrupt;
    SelfCheckReport report;
    Ended ended = watch(paths, json, interrupt, report);
    int code = conclude(paths, json, ended, report, begun);
    if (code == kExitFailed)
        workplace.keep();
    return code;
}

/// The flags of `launch`, without those that do not apply to a check.
plan::Flags flags_of(std::vector<std::string> words) {
    constexpr std::string_view kBehind = "'{}' comes after the recipe: a recipe takes no arguments";
    words.insert(words.begin(), "self-check.yaml");
    plan::Flags flags;
    try {
        flags = plan::parse_flags(words);
    } catch (const InvalidInput& error) {
        std::vector<Problem> problems = error.problems();
        for (Problem& problem : problems)  // there is no recipe in these words
            if (problem.message.form() == kBehind)
                problem.message = Message("'{}' is not valid here: trainyard test takes only flags",
                                          problem.message.values().front());
        throw InvalidInput(std::move(problems));
    }
    std::vector<Problem> problems;
    for (const char* name :
         {"set", "slurm", "detach", "no_run_dir", "run_dir", "dry_run", "check", "module", "no_python"})
        if (flags.has(name))
            problems.push_back({"", 0, 0, "", Message("--{} is not a flag of trainyard test: leave it out", name)});
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return flags;
}

int test(const std::vector<std::string>& words, const std::vector<std::string>& command) {
    if (std::ranges::any_of(words, [](std::string_view word) { return word == "--help" || word == "-h"; })) {
        std::fputs(kHelp, stdout);
        return kExitDone;
    }
    plan::Flags flags = flags_of(words);
    if (flags.hosts.empty())
        become_mpirun(flags, command);
    files::TemporaryFolder workplace("trainyard-test");  // kept if a check fails: its logs are needed
    flags.program = write_task(workplace.path()).string();
    return flags.hosts.empty() ? test_here(flags, command, workplace) : test_on_hosts(flags, command);
}

}  // namespace

void add_test(CLI::App& app, Action& chosen, const std::vector<std::string>& command) {
    CLI::App* test_command = app.add_subcommand(
        "test", "Let the ranks check themselves and each other, here or on hosts; trainyard test --help");
    // The flags are those of `launch`.
    test_command->set_help_flag();
    test_command->prefix_command(true);
    test_command->callback([command, &chosen] {
        chosen = [command] {
            auto at = std::ranges::find(command, "test");
            return test({at == command.end() ? at : at + 1, command.end()}, command);
        };
    });
}

}  // namespace trainyard::cli
