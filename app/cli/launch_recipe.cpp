// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_recipe.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/process.h"
#include "cli/fetch_report.h"
#include "cli/follow.h"
#include "cli/join_run.h"
#include "cli/launch_check.h"
#include "cli/launch_hosts.h"
#include "cli/launch_slurm.h"
#include "cli/say.h"
#include "config/accelerate/batch.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe_mesh.h"
#include "estimate/pipeline_plan.h"
#include "launch/plan/counts.h"
#include "launch/plan/mpi.h"
#include "launch/plan/recipe_limit.h"
#include "launch/supervisor/continuation.h"
#include "launch/supervisor/daemon.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/rank_orders.h"
#include "launch/supervisor/recipe_launch.h"
#include "launch/supervisor/slurm_run.h"

namespace trainyard::cli {

namespace {

/// Environment variables of a rank besides those of this process. The run folder and the control channel are added at
/// the start.
plan::EnvironmentMap rank_variables(const launch::CheckedLaunch& checked, int rank) {
    plan::EnvironmentMap before = launch::this_process_environment(), added;
    std::vector<run::MachineSpec> machines = run::machines_of(checked.spec.launch);
    for (const launch::MachineOrder& order : launch::rank_orders(run::RunPaths(checked.run_dir), checked.spec, machines,
                                                                 {.port = checked.port}, checked.worker))
        for (const launch::RankOrder& one : order.ranks) {
            if (one.rank != rank)
                continue;
            for (const auto& [name, value] : launch::rank_environment(order, one)) {
                auto old = before.find(name);
                bool at_start = name == kEnvRunDirectory || name == kEnvGeneration;
                const bool carried = checked.spec.launch.environment.contains(name);
                if (!at_start && (carried || old == before.end() || old->second != value))
                    added[name] = value;
            }
        }
    return added;
}

/// Returns the effective batch size for the given number of ranks, and settings that keep it with other numbers of
/// ranks.
std::string batch_lines(const run::RunSpec& spec) {
    if (spec.program)
        return "";
    const config::Recipe recipe = config::on_ranks(spec.recipe, spec.launch.num_processes);
    const bool staged = recipe.parallel.pp_size > 1, shares_samples = recipe.parallel.sample_ranks() > 1;
    settings::BatchSetup setup;
    setup.batch_per_rank = recipe.training.batch_size;
    setup.ranks = static_cast<int>(recipe.data_ranks(spec.launch.num_processes));
    setup.accumulation = recipe.training.gradient_accumulation_steps;
    setup.learning_rate = recipe.optimizer.lr;
    std::string text =
        fmt::format("# effective batch: {} a step ({} × {} × {})\n",
                    text::counted(settings::facts(setup).effective_batch, "sequence"), setup.batch_per_rank,
                    text::counted(setup.ranks, staged           ? "pipeline"
                                               : shares_samples ? "data rank"
                                                                : "rank"),
                    text::counted(setup.accumulation, "micro-step"));
    if (staged)
        return text + "# pipeline: " + estimate::to_text(estimate::plan_pipeline(recipe), recipe).text() + "\n";
    for (const settings::BatchChoice& choice :
         settings::choices_on(setup, 2 * setup.ranks, settings::LearningRateRule::linear))
        text +=
            fmt::format("# on {}: batch_size {}, gradient_accumulation_steps {}, lr {}: {}\n",
                        text::counted(choice.setup.ranks * recipe.parallel.sample_ranks(), "rank"),
                        choice.setup.batch_per_rank, choice.setup.accumulation, choice.setup.learning_rate, choice.why);
    return text;
}

/// The run itself reports them in its log.
std::vector<Message> notes_of_spec(const run::RunSpec& spec) {
    if (spec.program)
        return {};
    std::vector<Message> notes = inputs::notes_of_weights(spec.recipe.model);
    for (inputs::InputProblem& note : inputs::notes_on_files(spec.recipe))
        notes.push_back(std::move(note.message));
    if (const auto last = inputs::step_without_rest(spec.recipe))
        notes.push_back(inputs::no_rest_message(*last, spec.recipe.training.steps));
    if (Message note = launch::resumed_schedule_note(spec.recipe); !note.empty())
        notes.push_back(std::move(note));
    return notes;
}

/// Prints the run.yaml, which starts the same run again, with the plan as comments above it.
int print_plan(const launch::RecipeLaunch& place, bool json) {
    const launch::CheckedLaunch& checked = place.checked;
    const std::vector<plan::RecipeSetting>& settings = place.settings;
    int ranks = checked.spec.launch.num_processes;
    if (json) {
        const std::vector<Message> notes = notes_of_spec(checked.spec);
        nlohmann::json all = nlohmann::json::array();
        for (int rank = 0; rank < ranks; ++rank)
            all.push_back({{"rank", rank}, {"environment", rank_variables(checked, rank)}});
        nlohmann::json table = nlohmann::json::array();
        for (const plan::RecipeSetting& one : settings) {
            table.push_back({{"key", one.name},
                             {"value", one.value},
                             {"source", one.from},
                             {"effect", plan::outcome_name(one.outcome)}});
            table.back()[one.outcome == plan::RecipeSetting::Outcome::applied ? "sets" : "reason"] = one.words.text();
        }
        nlohmann::json out{{"run_yaml", run::to_yaml(checked.spec)},
                           {"command", {checked.worker.string()}},
                           {"world_size", ranks},
                           {"ranks", all},
                           {"settings", table}};
        if (auto words = launch::words_of_machine_variables(checked.spec.launch.machines.size()); !words.empty())
            out["machine_environment"] = words;
        if (!notes.empty())
            out["notes"] = notes;
        if (!place.deepspeed.empty())
            out["deepspeed"] = read_json(place.deepspeed);
        say_format(stdout, "%s\n", json_text(out).c_str());
        return kExitDone;
    }
    say_format(stdout, "# %s: %s\n", text::counted(ranks, "rank").c_str(), checked.worker.c_str());
    for (int rank = 0; rank < ranks; ++rank) {
        std::string line = fmt::format("# rank {}:", rank);
        for (const auto& [name, value] : rank_variables(checked, rank))
            line += fmt::format(" {}={}", name, value);
        say_format(stdout, "%s\n", line.c_str());
    }
    for (const auto& [name, words] : launch::words_of_machine_variables(checked.spec.launch.machines.size()))
        say_format(stdout, "# each machine adds %s: %s\n", name.c_str(), words.c_str());
    print_spec(checked.spec, settings);
    return kExitDone;
}

}  // namespace

void print_spec(const run::RunSpec& spec, const std::vector<plan::RecipeSetting>& settings) {
    for (const plan::RecipeSetting& one : settings)
        if (!one.usual)
            say_format(stdout, "# setting %s %s (%s): %s: %s\n", one.name.c_str(), one.value.c_str(), one.from.c_str(),
                       plan::outcome_name(one.outcome), one.words.text().c_str());
    if (!spec.program) {
        const Message words = config::zero_words(spec.recipe, spec.launch.num_processes);
        if (!words.empty())
            say_format(stdout, "# %s\n", words.text().c_str());
        for (const auto& note : notes_of_spec(spec))
            say_format(stdout, "# note: %s\n", note.text().c_str());
    }
    std::printf("%s%s", batch_lines(spec).c_str(), run::to_yaml(spec).c_str());
}

/// Runs in a SLURM job, which sends its signals to this process and stores its output.
int look_after(launch::PreparedRun prepared, launch::SupervisorOptions options,
               std::unique_ptr<launch::JoinPool> pool) {
    run::RunPaths paths = prepared.paths;
    options.happened = [](const run::Event& event) {
        say_format(stdout, "%s  %s: %s\n", iso_time(event.time).c_str(), event.kind.c_str(), event.text.text().c_str());
        std::fflush(stdout);
    };
    launch::go_on_under_guard();
    return launch::run_in_foreground(std::move(prepared), std::move(options), std::move(pool));
}

void become_mpirun(const plan::Flags& flags, const std::vector<std::string>& command) {
    std::optional<launch::LaunchSettings> settings;
    try {
        settings = launch::resolve_launch(flags, true);
    } catch (const UserError&) {
        return;  // check() says it, with all other problems
    }
    std::string hosts = settings->resolved.settings.text("mpirun_config.mpirun_hostfile");
    if (hosts.empty() || flags.is_on("dry_run") || !plan::recipe_refusal(flags, settings->resolved).empty())
        return;
    std::vector<int> ranks = plan::ranks_per_machine(flags, settings->resolved, settings->environment);
    if (ranks.empty())
        return;
    std::vector<std::string> words = plan::mpirun_words(settings->machine, hosts, *std::ranges::max_element(ranks),
                                                        settings->resolved.settings.integer("num_processes", 1));
    std::error_code error;
    words.push_back(fs::read_symlink("/proc/self/exe", error).string());
    words.insert(words.end(), command.begin() + 1, command.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::fflush(nullptr);
    ::execvp(arguments[0], arguments.data());
    throw UserError("{} cannot be started: {}", words[0], system_message(errno));
}

int launch_recipe_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command) {
    plan::Flags here = flags;
    here.typed.erase("num_processes");  // the nodes' number
    FetchReport fetching;
    return launch_on_slurm(flags, launch::check_recipe(here, command, fetching.options()).checked);
}

int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command) {
    if (flags.has("export"))
        throw UserError(
            "--export is for scripts and programs: a recipe is trained by Trainyard's own engine, and --dry-run prints "
            "the "
            "run.yaml that starts the same run elsewhere");
    const bool json = flags.is_on("json");
    const auto print_notes = [json](const std::vector<Message>& notes) {
        for (const Message& note : notes)
            if (!json)
                say_format(stderr, "trainyard: note: %s\n", note.text().c_str());
    };
    if (!flags.hosts.empty() || flags.is_on("check")) {
        std::vector<Message> notes;
        const run::RunSpec spec = launch::read_recipe(flags, command, notes);
        print_notes(notes);
        if (flags.hosts.empty()) {
            const std::optional<int> code = check_mpi_hosts(flags, launch::resolve_launch(flags, true));
            return code ? *code : check_launch(flags, spec);
        }
        std::vector<plan::RecipeSetting> settings;
        if (flags.is_on("dry_run") && !json)
            settings =
                plan::settings_of_recipe(flags, launch::resolve_launch(plan::as_one_machine(flags), true).resolved);
        return launch_on_hosts(flags, spec, settings);
    }
    become_mpirun(flags, command);
    FetchReport fetching;
    launch::RecipeLaunch place = launch::check_recipe(flags, command, fetching.options());
    fetching.finish();
    if (flags.is_on("dry_run"))
        return print_plan(place, json);
    print_notes(place.notes);
    if (place.rendezvous && !place.pool)
        return join_run(*place.rendezvous, std::nullopt, launch::typed_output(flags, true));
    launch::PreparedRun prepared = launch::create_run(std::move(place.checked));
    run::RunPaths paths = prepared.paths;
    launch::SupervisorOptions options;
    if (place.pool) {
        options.last_call_s = place.rendezvous->last_call_s;
        place.pool->tell(paths.id(), run::to_yaml(prepared.spec), !prepared.spec.program);
    }
    if (launch::slurm_job_of(paths))
        return look_after(std::move(prepared), options, std::move(place.pool));
    launch::start_detached(std::move(prepared), options, std::move(place.pool));
    if (json)
        say_format(stdout, "%s\n",
                   json_text(nlohmann::json{{"run_id", paths.id()}, {"path", paths.root().string()}}).c_str());
    else
        say_format(stdout, "%s\n%s\n", paths.id().c_str(), paths.root().c_str());
    std::fflush(stdout);
    if (flags.is_on("detach"))
        return kExitDone;
    int code = follow(paths, json);
    if (auto state = json ? run::read_state(paths) : std::nullopt)
        say_format(stdout, "%s", run::to_json(*state).c_str());
    return code;
}

}  // namespace trainyard::cli
