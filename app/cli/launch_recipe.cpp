#include "cli/launch_recipe.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/process.h"
#include "cli/deepspeed_file.h"
#include "cli/follow.h"
#include "cli/launch_check.h"
#include "cli/launch_device.h"
#include "cli/launch_hosts.h"
#include "cli/launch_machines.h"
#include "cli/launch_ranks.h"
#include "cli/launch_slurm.h"
#include "cli/say.h"
#include "config/accelerate/batch.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/zero_words.h"
#include "estimate/pipeline_plan.h"
#include "launch/plan/counts.h"
#include "launch/plan/mpi.h"
#include "launch/plan/recipe_limit.h"
#include "launch/supervisor/daemon.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/join.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rank_orders.h"
#include "launch/supervisor/slurm_run.h"

namespace trainyard::cli {

using plan::Origin;
using plan::Paradigm;

namespace {

std::string plain(std::string key) {
    key.erase(0, std::min(key.size(), key.find_first_not_of('-')));
    return key;
}

void take(std::vector<Problem>& problems, const UserError& error) {
    std::vector<Problem> more{Problem{"", 0, 0, "", error.message()}};
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        more = invalid->problems();
    for (Problem& problem : more) {
        bool known = std::ranges::any_of(problems, [&](const Problem& other) {
            return problem.key.empty() ? other.text() == problem.text() : plain(other.key) == plain(problem.key);
        });
        if (!known)
            problems.push_back(std::move(problem));
    }
}

/// One sentence on what the engine that comes with Trainyard does not do; empty when it can.
std::string cannot(const plan::Flags& flags, const plan::Resolved& resolved) {
    const bool hosts_named = !flags.hosts.empty() || flags.is_on("slurm");
    plan::RecipeMesh mesh;
    if (plan::unused_mesh(flags, resolved).empty())
        mesh = plan::recipe_mesh(resolved.settings);
    mesh.tp = mesh.cp = mesh.sp = 1;  // the table of settings refuses these, by key
    const auto limit = plan::recipe_limit(resolved.settings, resolved.asked, hosts_named, mesh);
    if (!limit)
        return "";
    const std::string from = resolved.file.empty() ? "" : fmt::format(" (from {})", resolved.file);
    if (!limit->whole_way)
        return fmt::format("this recipe cannot train with these settings{}: {}", from, limit->sentence);
    return fmt::format(
        "{}{}: leave it out, name another file with --config_file, or start a script, for which it works",
        limit->sentence, from);
}

std::optional<int> said(const plan::Resolved& resolved, const char* path) {
    auto origin = resolved.origins.find(path);
    if (origin == resolved.origins.end() || (origin->second != Origin::flag && origin->second != Origin::file))
        return std::nullopt;
    const settings::Value* value = resolved.settings.find(path);
    if (value == nullptr || value->integer() == nullptr)
        return std::nullopt;
    return static_cast<int>(*value->integer());
}

/// `trainyard test` hands over a run.yaml that says so.
bool is_self_check(const plan::Flags& flags) {
    return run::is_spec_file(flags.program) && run::read_spec(flags.program).launch.self_check;
}

std::optional<int> typed_number(const plan::Flags& flags, std::string_view name) {
    auto found = flags.typed.find(name);
    if (found == flags.typed.end() || found->second.integer() == nullptr)
        return std::nullopt;
    return static_cast<int>(*found->second.integer());
}

/// Flags of DeepSpeed that recipes have keys for.
constexpr std::pair<const char*, const char*> kFlagsOfRecipe[] = {
    {"zero_stage", "parallel.zero_stage"},
    {"gradient_accumulation_steps", "training.gradient_accumulation_steps"},
    {"gradient_clipping", "training.max_grad_norm"},
    {"offload_optimizer_device", "parallel.offload_optimizer_device"},
    {"offload_optimizer_nvme_path", "parallel.offload_optimizer_nvme_path"}};

/// "auto" is the recipe's own value; "cpu" is where a processor has its state anyway, and refused for other devices; no folder is none.
bool says_nothing(std::string_view flag, const std::string& value) {
    return value == "auto" || (flag == "offload_optimizer_device" && value == "cpu") ||
           (flag == "offload_optimizer_nvme_path" && value == "none");
}

void refuse_settings(const std::vector<RecipeSetting>& settings, std::vector<Problem>& problems) {
    for (const RecipeSetting& one : settings)
        if (one.outcome == RecipeSetting::Outcome::refused)
            problems.push_back({"", 0, 0, one.name,
                                Message("{}{} cannot be applied to a recipe: {}", one.value,
                                        one.from == "flag" ? "" : " of " + one.from, one.words)});
}

/// Of settings that somebody chose and that have nothing to act on.
void note_ignored(const std::vector<RecipeSetting>& settings, std::vector<std::string>& notes) {
    for (const RecipeSetting& one : settings)
        if (one.outcome == RecipeSetting::Outcome::ignored && !one.usual)
            notes.push_back(fmt::format("{} {}{} has no effect: {}", one.name, one.value,
                                        one.from == "flag" ? "" : " of " + one.from, one.words));
}

/// What was typed; kept also where the settings contradict, so that all problems come at once.
launch::LaunchOptions typed_options(const plan::Flags& flags, const std::vector<std::string>& command) {
    launch::LaunchOptions options;
    options.file = flags.program;
    options.command = command;
    options.queued = flags.is_on("queue");
    options.device = typed_device(flags);
    options.num_processes = typed_number(flags, "num_processes");
    options.main_process_port = typed_number(flags, "main_process_port");
    options.num_cpu_threads_per_process = typed_number(flags, "num_cpu_threads_per_process");
    options.max_restarts = typed_number(flags, "max_restarts");
    options.output = typed_output(flags, true);
    if (flags.has("enable_cpu_affinity"))
        options.cpu_affinity = flags.is_on("enable_cpu_affinity");
    if (auto found = flags.typed.find("mixed_precision"); found != flags.typed.end())
        options.mixed_precision = found->second.display();
    for (const auto& [flag, key] : kFlagsOfRecipe)
        if (auto found = flags.typed.find(flag);
            found != flags.typed.end() && !says_nothing(flag, found->second.display()))
            options.overrides.push_back(std::string(key) + "=" + found->second.display());
    if (flags.is_on("debug"))
        options.overrides.push_back("parallel.debug=true");
    if (auto found = flags.typed.find("run_dir"); found != flags.typed.end())
        options.run_dir = found->second.display();
    if (auto found = flags.typed.find("set"); found != flags.typed.end() && found->second.list() != nullptr)
        for (const settings::Value& assignment : *found->second.list())
            options.overrides.push_back(assignment.display());
    return options;
}

/// What DeepSpeed's part of the settings says of the recipe, where no flag does.
void add_deepspeed_settings(launch::LaunchOptions& options, const plan::Resolved& resolved) {
    if (resolved.asked != Paradigm::deepspeed)
        return;
    if (std::optional<DeepspeedFile> file = deepspeed_file_of(resolved)) {
        std::ranges::move(file->of_recipe, std::back_inserter(options.file_settings));
        return;
    }
    for (const auto& [name, key] : kFlagsOfRecipe) {
        const std::string path = std::string("deepspeed_config.") + name;
        if (auto origin = resolved.origins.find(path);
            origin != resolved.origins.end() && origin->second == Origin::flag)
            continue;
        const settings::Value* value = resolved.settings.find(path);
        std::string text = value == nullptr ? "auto" : value->display();
        // DeepSpeed's own defaults.
        if (value == nullptr && std::string_view(name) == "zero_stage")
            text = "2";
        if (std::string_view(name) == "offload_optimizer_nvme_path") {
            if (resolved.settings.text("deepspeed_config.offload_optimizer_device") != "nvme")
                continue;
            if (value == nullptr || text == "none")
                text = "/nvme";
        }
        if (!says_nothing(name, text))
            options.file_settings.push_back({key, text, resolved.file.empty() ? path : path + " of " + resolved.file});
    }
}

/// The sizes of parallelism_config; those that the engine does not have are refused already.
void add_mesh(launch::LaunchOptions& options, const plan::Flags& flags, const plan::Resolved& resolved) {
    if (!plan::unused_mesh(flags, resolved).empty())
        return;
    const plan::RecipeMesh mesh = plan::recipe_mesh(resolved.settings);
    for (const auto& [name, size] :
         {std::pair("dp_replicate_size", mesh.dp_replicate), {"dp_shard_size", mesh.dp_shard}}) {
        const std::string path = std::string("parallelism_config.parallelism_config_") + name;
        const auto origin = resolved.origins.find(path);
        const bool typed = origin != resolved.origins.end() && origin->second == Origin::flag;
        if (size > 1)
            options.file_settings.push_back({std::string("parallel.") + name, std::to_string(size),
                                             typed || resolved.file.empty() ? path : path + " of " + resolved.file});
    }
}

void add_settings(launch::LaunchOptions& options, const plan::Flags& flags, const LaunchSettings& settings) {
    const plan::Resolved& resolved = settings.resolved;
    add_mesh(options, flags, resolved);
    options.environment =
        carried_variables(settings.environment, settings.machine, resolved.settings.boolean("use_cpu"));
    add_deepspeed_settings(options, resolved);
    if (resolved.paradigm == Paradigm::fsdp && resolved.settings.boolean("fsdp_config.fsdp_activation_checkpointing"))
        options.file_settings.push_back(
            {"training.activation_checkpointing", "true",
             "fsdp_config.fsdp_activation_checkpointing" + (resolved.file.empty() ? "" : " of " + resolved.file)});
    if (const std::string ids = resolved.settings.text("gpu_ids", "all"); ids != "all" && !ids.empty())
        options.gpu_ids = ids;
    if (resolved.file.empty())
        return;
    if (resolved.is_from_file("enable_cpu_affinity"))
        options.cpu_affinity = resolved.settings.boolean("enable_cpu_affinity");
    if (resolved.is_from_file("debug") && resolved.settings.boolean("debug"))
        options.file_settings.push_back({"parallel.debug", "true", "debug of " + resolved.file});
    options.device = with_file(std::move(options.device), resolved);
    if (!options.num_processes)
        options.num_processes = said(resolved, "num_processes");
    if (!options.main_process_port)
        options.main_process_port = said(resolved, "main_process_port");
    if (resolved.is_from_file("mixed_precision"))
        options.default_mixed_precision = resolved.settings.text("mixed_precision");
}

}  // namespace

RecipeLaunch check_recipe(const plan::Flags& flags, const std::vector<std::string>& command) {
    RecipeLaunch place;
    launch::LaunchOptions options = typed_options(flags, command);
    std::vector<Problem> settings_problems;
    try {
        LaunchSettings settings = resolve_launch(flags);
        const plan::Resolved& resolved = settings.resolved;
        const std::string sentence = cannot(flags, resolved);
        const bool plain = sentence.empty() && resolved.asked != Paradigm::deepspeed;
        place.settings = settings_of_recipe(flags, resolved);
        if (!flags.is_on("slurm"))
            place.notes.assign(resolved.launcher_notes.begin(), resolved.launcher_notes.end());
        if (is_self_check(flags)) {
            if (!plain)
                place.notes.push_back("the ranks are checked with data parallelism, whatever the settings train with");
        } else {
            if (!sentence.empty())
                settings_problems.push_back({"", 0, 0, "", Message::verbatim(sentence)});
            refuse_settings(place.settings, settings_problems);
            note_ignored(place.settings, place.notes);
        }
        if (sentence.empty() || is_self_check(flags))
            add_settings(options, flags, settings);
        if (settings_problems.empty() && !flags.is_on("slurm") && is_on_several_machines(flags, resolved)) {
            std::vector<int> ranks = plan::ranks_per_machine(flags, resolved, settings.environment);
            if (ranks.empty())
                throw UserError(fmt::format(
                    "--num_processes: {} processes on {} machines leave one without any: give "
                    "at least one for each",
                    resolved.settings.integer("num_processes", 1), resolved.settings.integer("num_machines", 1)));
            place.rendezvous = rendezvous_settings(flags, resolved, ranks);
            place.notes.insert(place.notes.end(), place.rendezvous->notes.begin(), place.rendezvous->notes.end());
            options.num_processes.reset();
            options.main_process_port.reset();
            add_rendezvous(options.rendezvous.emplace(), *place.rendezvous, ranks);
            if (!flags.is_on("dry_run") && !flags.is_on("check"))
                place.pool =
                    launch::open_rendezvous(*place.rendezvous, std::make_unique<launch::LocalMachine>(host_name()));
            bool inside = plan::find_mpi_place(settings.environment).has_value();
            if (inside && !options.num_cpu_threads_per_process)
                options.num_cpu_threads_per_process = plan::find_mpi_place(settings.environment)->threads();
        }
    } catch (const UserError& error) {
        take(settings_problems, error);
    }
    std::vector<Problem> problems;
    try {
        place.checked = launch::check_launch(options);
        if (settings_problems.empty())
            return place;
    } catch (const UserError& error) {
        take(problems, error);
    }
    take(problems, InvalidInput(std::move(settings_problems)));
    throw InvalidInput(std::move(problems));
}

run::RunSpec read_recipe(const plan::Flags& flags, const std::vector<std::string>& command) {
    launch::LaunchOptions options = typed_options(flags, command);
    bool here = flags.hosts.empty();
    LaunchSettings settings = resolve_launch(here ? flags : as_one_machine(flags));
    const plan::Resolved& resolved = settings.resolved;
    if (std::string sentence = cannot(flags, resolved); !sentence.empty() && !is_self_check(flags))
        throw UserError(sentence);
    std::vector<Problem> refused;
    if (!is_self_check(flags))
        refuse_settings(settings_of_recipe(flags, resolved), refused);
    if (!refused.empty())
        throw InvalidInput(std::move(refused));
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
    return launch::read_launch(options);
}

namespace {

/// What a rank's process is given beside the environment of this one. Its run folder and control channel come with the start.
plan::EnvironmentMap rank_variables(const launch::CheckedLaunch& checked, int rank) {
    plan::EnvironmentMap before = this_process_environment(), added;
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

/// What the number of ranks makes of the batch, and how another number would come to the same.
std::string batch_lines(const run::RunSpec& spec) {
    if (spec.program)
        return "";
    const config::Recipe recipe = config::on_ranks(spec.recipe, spec.launch.num_processes);
    const bool staged = recipe.parallel.pp_size > 1;
    settings::BatchSetup setup;
    setup.batch_per_rank = recipe.training.batch_size;
    setup.ranks = static_cast<int>(recipe.data_ranks(spec.launch.num_processes));
    setup.accumulation = recipe.training.gradient_accumulation_steps;
    setup.learning_rate = recipe.optimizer.lr;
    std::string text = fmt::format("# effective batch: {} sequences a step ({} x {} {} x {} micro-steps)\n",
                                   settings::facts(setup).effective_batch, setup.batch_per_rank, setup.ranks,
                                   staged ? "pipelines" : "ranks", setup.accumulation);
    if (staged)
        return text + "# pipeline: " + estimate::to_text(estimate::plan_pipeline(recipe), recipe).text() + "\n";
    for (const settings::BatchChoice& choice :
         settings::choices_on(setup, 2 * setup.ranks, settings::LearningRateRule::linear))
        text +=
            fmt::format("# on {} ranks: batch_size {}, gradient_accumulation_steps {}, lr {}: {}\n", choice.setup.ranks,
                        choice.setup.batch_per_rank, choice.setup.accumulation, choice.setup.learning_rate, choice.why);
    return text;
}

/// The plan as comments over the run.yaml, which starts the same run again.
int print_plan(const launch::CheckedLaunch& checked, const std::vector<RecipeSetting>& settings, bool json) {
    std::string yaml = run::to_yaml(checked.spec);
    int ranks = checked.spec.launch.num_processes;
    // The run itself reports them in its log.
    const std::vector<Message> notes =
        checked.spec.program ? std::vector<Message>() : inputs::notes_of_weights(checked.spec.recipe.model);
    if (json) {
        nlohmann::json all = nlohmann::json::array();
        for (int rank = 0; rank < ranks; ++rank)
            all.push_back({{"rank", rank}, {"environment", rank_variables(checked, rank)}});
        nlohmann::json table = nlohmann::json::array();
        for (const RecipeSetting& one : settings) {
            table.push_back(
                {{"key", one.name}, {"value", one.value}, {"source", one.from}, {"effect", outcome_name(one.outcome)}});
            table.back()[one.outcome == RecipeSetting::Outcome::applied ? "sets" : "reason"] = one.words;
        }
        nlohmann::json out{{"run_yaml", yaml},
                           {"command", {checked.worker.string()}},
                           {"world_size", ranks},
                           {"ranks", all},
                           {"settings", table}};
        if (auto words = words_of_machine_variables(checked.spec.launch.machines.size()); !words.empty())
            out["machine_environment"] = words;
        if (!notes.empty())
            out["notes"] = notes;
        say_format(stdout, "%s\n", json_text(out).c_str());
        return kExitDone;
    }
    say_format(stdout, "# %d rank%s: %s\n", ranks, ranks == 1 ? "" : "s", checked.worker.c_str());
    for (int rank = 0; rank < ranks; ++rank) {
        std::string line = fmt::format("# rank {}:", rank);
        for (const auto& [name, value] : rank_variables(checked, rank))
            line += fmt::format(" {}={}", name, value);
        say_format(stdout, "%s\n", line.c_str());
    }
    for (const auto& [name, words] : words_of_machine_variables(checked.spec.launch.machines.size()))
        say_format(stdout, "# each machine adds %s: %s\n", name.c_str(), words.c_str());
    for (const RecipeSetting& one : settings)
        if (!one.usual)
            say_format(stdout, "# setting %s %s (%s): %s: %s\n", one.name.c_str(), one.value.c_str(), one.from.c_str(),
                       outcome_name(one.outcome), one.words.c_str());
    if (!checked.spec.program)
        if (std::string words = config::zero_words(checked.spec.recipe.parallel.zero_stage, ranks); !words.empty())
            say_format(stdout, "# %s\n", words.c_str());
    for (const auto& note : notes)
        say_format(stdout, "# note: %s\n", note.text().c_str());
    std::printf("%s%s", batch_lines(checked.spec).c_str(), yaml.c_str());
    return kExitDone;
}

}  // namespace

/// In a job of SLURM, which sends its signals to this process and keeps what it prints.
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
    std::optional<LaunchSettings> settings;
    try {
        settings = resolve_launch(flags);
    } catch (const UserError&) {
        return;  // check() says it, with all other problems
    }
    std::string hosts = settings->resolved.settings.text("mpirun_config.mpirun_hostfile");
    if (hosts.empty() || flags.is_on("dry_run") || !cannot(flags, settings->resolved).empty())
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
    throw UserError(fmt::format("{} cannot be started: {}", words[0], std::strerror(errno)));
}

int launch_recipe_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command) {
    plan::Flags here = flags;
    here.typed.erase("num_processes");  // the nodes' number
    return launch_on_slurm(flags, check_recipe(here, command).checked);
}

int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command) {
    if (flags.has("export"))
        throw UserError(
            "--export is for scripts and programs: a recipe is trained by Trainyard's own engine, and --dry-run prints "
            "the "
            "run.yaml that starts the same run elsewhere");
    if (!flags.hosts.empty())
        return launch_on_hosts(flags, read_recipe(flags, command));
    if (flags.is_on("check"))
        return check_launch(flags, read_recipe(flags, command));
    become_mpirun(flags, command);
    RecipeLaunch place = check_recipe(flags, command);
    bool json = flags.is_on("json");
    if (flags.is_on("dry_run"))
        return print_plan(place.checked, place.settings, json);
    if (!json)
        for (const auto& note : place.notes)
            say_format(stderr, "trainyard: note: %s\n", note.c_str());
    if (place.rendezvous && !place.pool)
        return join_run(*place.rendezvous, std::nullopt, typed_output(flags, true));
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
