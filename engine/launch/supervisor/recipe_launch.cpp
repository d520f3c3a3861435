// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/recipe_launch.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include <unistd.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/process.h"
#include "config/inputs/check_resume.h"
#include "launch/plan/counts.h"
#include "launch/plan/deepspeed_file.h"
#include "launch/plan/mpi.h"
#include "launch/plan/recipe_keys.h"
#include "launch/plan/recipe_limit.h"
#include "launch/supervisor/continuation.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/local_machine.h"

namespace trainyard::launch {

namespace {

std::string bare_key(std::string key) {
    key.erase(0, std::min(key.size(), key.find_first_not_of('-')));
    return key;
}

/// Adds the problems of a check, without those of keys that an earlier check has complained about.
void merge_problems(std::vector<Problem>& problems, const UserError& error) {
    std::vector<Problem> more{Problem{"", 0, 0, "", error.message()}};
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        more = invalid->problems();
    std::set<std::string> earlier;
    for (const Problem& problem : problems)
        earlier.insert(bare_key(problem.key));
    earlier.erase("");
    for (Problem& problem : more) {
        const bool known = earlier.contains(bare_key(problem.key)) ||
                           std::ranges::any_of(problems, [text = problem.text()](const Problem& other) {
                               return other.text() == text;
                           });
        if (!known)
            problems.push_back(std::move(problem));
    }
}

std::optional<int> given_number(const plan::Resolved& resolved, const char* path) {
    auto origin = resolved.origins.find(path);
    if (origin == resolved.origins.end() ||
        (origin->second != plan::Origin::flag && origin->second != plan::Origin::file))
        return std::nullopt;
    const Value* value = resolved.settings.find(path);
    if (value == nullptr || value->integer() == nullptr)
        return std::nullopt;
    return static_cast<int>(*value->integer());
}

/// `trainyard test` hands over a run.yaml that says so.
bool is_self_check(const plan::Flags& flags) {
    return run::is_spec_file(flags.program) && run::read_spec(flags.program).launch.self_check;
}

std::vector<std::string> typed_overrides(const plan::Flags& flags, const settings::Settings& settings) {
    std::vector<std::string> overrides = plan::typed_recipe_keys(flags, settings);
    if (auto found = flags.typed.find("set"); found != flags.typed.end() && found->second.list() != nullptr)
        for (const Value& assignment : *found->second.list())
            overrides.push_back(assignment.display());
    return overrides;
}

/// The options of the command line. They are checked even if the settings contradict them, so that all problems are
/// reported at once.
LaunchOptions typed_options(const plan::Flags& flags, const std::vector<std::string>& command) {
    LaunchOptions options;
    options.file = flags.program;
    options.command = command;
    options.queued = flags.is_on("queue");
    options.device = typed_device(flags);
    options.num_processes = flags.number("num_processes");
    options.main_process_port = flags.number("main_process_port");
    options.num_cpu_threads_per_process = flags.number("num_cpu_threads_per_process");
    options.max_restarts = flags.number("max_restarts");
    options.output = typed_output(flags, true);
    if (flags.has("enable_cpu_affinity"))
        options.cpu_affinity = flags.is_on("enable_cpu_affinity");
    if (flags.has("mixed_precision"))
        options.mixed_precision = flags.text("mixed_precision");
    options.run_dir = flags.text("run_dir");
    options.overrides = typed_overrides(flags, {});
    return options;
}

void add_settings(LaunchOptions& options, const plan::Flags& flags, const LaunchSettings& settings) {
    const plan::Resolved& resolved = settings.resolved;
    options.environment =
        carried_variables(settings.environment, settings.machine, resolved.settings.boolean("use_cpu"));
    options.overrides = typed_overrides(flags, resolved.settings);
    options.file_settings = plan::recipe_keys(flags, resolved);
    if (const std::string ids = resolved.settings.text("gpu_ids", "all"); ids != "all" && !ids.empty())
        options.gpu_ids = ids;
    if (resolved.file.empty())
        return;
    if (resolved.is_from_file("enable_cpu_affinity"))
        options.cpu_affinity = resolved.settings.boolean("enable_cpu_affinity");
    options.device = with_file(std::move(options.device), resolved);
    if (!options.num_processes)
        options.num_processes = given_number(resolved, "num_processes");
    if (!options.main_process_port)
        options.main_process_port = given_number(resolved, "main_process_port");
    if (resolved.is_from_file("mixed_precision"))
        options.default_mixed_precision = resolved.settings.text("mixed_precision");
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

LaunchSettings resolve_launch(const plan::Flags& flags, bool of_recipe) {
    LaunchSettings launch;
    launch.environment = this_process_environment();
    std::optional<settings::Loaded> file;
    if (std::string name = plan::settings_file(flags); !name.empty())
        file = settings::load_settings(name);
    int port = 29500;
    if (file)
        port = static_cast<int>(file->settings.integer("main_process_port", port));
    port = flags.number("main_process_port").value_or(port);
    bool over_mpi = flags.has("mpirun_hostfile") || (file && file->settings.has("mpirun_config.mpirun_hostfile"));
    launch.machine = plan::probe_machine({port}, over_mpi);
    launch.machine.fp8 = launch.machine.fp8 || of_recipe;
    launch.resolved = plan::resolve(flags, file, launch.machine, launch.environment);
    return launch;
}

RecipeLaunch check_recipe(const plan::Flags& flags, const std::vector<std::string>& command,
                          const std::optional<hub::FetchOptions>& fetch) {
    RecipeLaunch place;
    LaunchOptions options = typed_options(flags, command);
    if (!flags.is_on("dry_run"))
        options.fetch = fetch;
    std::vector<Problem> settings_problems;
    plan::Resolved given;
    try {
        LaunchSettings settings = resolve_launch(flags, true);
        given = settings.resolved;
        const plan::Resolved& resolved = settings.resolved;
        const Message sentence = plan::recipe_refusal(flags, resolved);
        const bool self_check = is_self_check(flags);
        const bool plain = sentence.empty() && resolved.asked != plan::Paradigm::deepspeed;
        place.settings = plan::settings_of_recipe(flags, resolved);
        if (!flags.is_on("slurm"))
            place.notes = resolved.launcher_notes;
        if (self_check) {
            if (!plain)
                place.notes.push_back("the ranks are checked with data parallelism, whatever the settings train with");
        } else {
            if (!sentence.empty())
                settings_problems.push_back({"", 0, 0, "", sentence});
            std::ranges::move(plan::refused_settings(place.settings), std::back_inserter(settings_problems));
            std::ranges::move(plan::notes_on_ignored(place.settings), std::back_inserter(place.notes));
        }
        if (sentence.empty() || self_check)
            add_settings(options, flags, settings);
        if (settings_problems.empty() && !flags.is_on("slurm") && is_on_several_machines(flags, resolved)) {
            std::vector<int> ranks = plan::ranks_per_machine(flags, resolved, settings.environment);
            if (ranks.empty())
                throw UserError("--num_processes: {} on {} machines leave one without any: give at least one for each",
                                text::processes(resolved.settings.integer("num_processes", 1)),
                                resolved.settings.integer("num_machines", 1));
            place.rendezvous = rendezvous_settings(flags, resolved, ranks);
            place.notes.insert(place.notes.end(), place.rendezvous->notes.begin(), place.rendezvous->notes.end());
            options.num_processes.reset();
            options.main_process_port.reset();
            add_rendezvous(options.rendezvous.emplace(), *place.rendezvous, ranks);
            if (!flags.is_on("dry_run") && !flags.is_on("check"))
                place.pool = open_rendezvous(*place.rendezvous, std::make_unique<LocalMachine>(host_name()));
            const auto mpi = plan::find_mpi_place(settings.environment);
            if (mpi && !options.num_cpu_threads_per_process)
                options.num_cpu_threads_per_process = mpi->threads();
        }
    } catch (const UserError& error) {
        merge_problems(settings_problems, error);
    }
    std::vector<Problem> problems;
    try {
        place.checked = check_launch(options);
        std::ranges::copy(place.checked.notes, std::back_inserter(place.notes));
        if (settings_problems.empty() && !place.checked.spec.program && !is_self_check(flags)) {
            const run::RunSpec& spec = place.checked.spec;
            if (const auto last = inputs::step_without_rest(spec.recipe))
                place.notes.push_back(inputs::no_rest_message(*last, spec.recipe.training.steps));
            if (Message note = resumed_schedule_note(spec.recipe); !note.empty())
                place.notes.push_back(std::move(note));
            settings_problems = plan::unknown_layers(spec.recipe, given.settings, given.asked);
            try {
                place.deepspeed =
                    plan::resolved_deepspeed(given.settings, given.asked, spec.recipe, spec.launch.num_processes);
            } catch (const UserError& error) {
                place.notes.push_back(Message("Accelerate would refuse this: {}", error.message()));
            }
        }
        if (settings_problems.empty())
            return place;
    } catch (const UserError& error) {
        merge_problems(problems, error);
    }
    merge_problems(problems, InvalidInput(std::move(settings_problems)));
    throw InvalidInput(std::move(problems));
}

run::RunSpec read_recipe(const plan::Flags& flags, const std::vector<std::string>& command,
                         std::vector<Message>& notes) {
    LaunchOptions options = typed_options(flags, command);
    bool here = flags.hosts.empty();
    LaunchSettings settings = resolve_launch(here ? flags : plan::as_one_machine(flags), true);
    const plan::Resolved& resolved = settings.resolved;
    const bool self_check = is_self_check(flags);
    if (Message sentence = plan::recipe_refusal(flags, resolved); !sentence.empty() && !self_check)
        throw UserError(sentence);
    if (!self_check) {
        const std::vector<plan::RecipeSetting> rows = plan::settings_of_recipe(flags, resolved);
        if (std::vector<Problem> refused = plan::refused_settings(rows); !refused.empty())
            throw InvalidInput(std::move(refused));
        notes = plan::notes_on_ignored(rows);
    }
    add_settings(options, flags, settings);
    if (!here) {
        options.num_processes.reset();  // the hosts say how many
    } else if (is_on_several_machines(flags, resolved)) {
        // Of machines that find each other this one's part can be looked at.
        std::vector<int> ranks = plan::ranks_per_machine(flags, resolved, settings.environment);
        auto own = static_cast<std::size_t>(std::max<std::int64_t>(0, resolved.settings.integer("machine_rank", 0)));
        if (own < ranks.size())
            options.num_processes = ranks[own];
        if (own > 0)
            options.main_process_port.reset();
    }
    run::RunSpec spec = read_launch(options);
    if (std::vector<Problem> unknown; !spec.program && !self_check) {
        unknown = plan::unknown_layers(spec.recipe, resolved.settings, resolved.asked);
        if (!unknown.empty())
            throw InvalidInput(std::move(unknown));
        if (const auto last = inputs::step_without_rest(spec.recipe))
            notes.push_back(inputs::no_rest_message(*last, spec.recipe.training.steps));
        if (Message note = resumed_schedule_note(spec.recipe); !note.empty())
            notes.push_back(std::move(note));
    }
    return spec;
}

}  // namespace trainyard::launch
