#include "cli/launch_recipe.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/follow.h"
#include "launch/daemon.h"
#include "launch/prepare.h"
#include "launch/protocol.h"
#include "launch/rank_orders.h"

namespace trainyard::cli {

using plan::Origin;
using plan::Paradigm;

namespace {

std::string plain(std::string key) {
    key.erase(0, std::min(key.size(), key.find_first_not_of('-')));
    return key;
}

void take(std::vector<Problem>& problems, const UserError& error) {
    std::vector<Problem> more{{"", 0, 0, "", error.what()}};
    if (const auto* invalid = dynamic_cast<const InvalidInput*>(&error))
        more = invalid->problems();
    for (Problem& problem : more) {
        bool known = std::ranges::any_of(problems, [&](const Problem& other) {
            return !problem.key.empty() && plain(other.key) == plain(problem.key);
        });
        if (!known)
            problems.push_back(std::move(problem));
    }
}

/// One sentence on what the engine that comes with Trainyard does not do; empty when it can.
std::string cannot(const plan::Resolved& resolved) {
    const settings::Settings& settings = resolved.settings;
    std::string what;
    switch (resolved.paradigm) {
        case Paradigm::fsdp:
            what = "FSDP";
            break;
        case Paradigm::deepspeed:
            what = "DeepSpeed";
            break;
        case Paradigm::megatron:
            what = "Megatron-LM";
            break;
        case Paradigm::tpu:
            what = "TPU";
            break;
        case Paradigm::sagemaker:
            what = "Amazon SageMaker";
            break;
        default:
            break;
    }
    if (what.empty() && settings.integer("num_machines", 1) > 1)
        what = "several machines";
    if (what.empty() && !settings.text("mpirun_config.mpirun_hostfile").empty())
        what = "mpirun";
    if (what.empty())
        return "";
    std::string from = resolved.file.empty() ? "" : fmt::format(" (from {})", resolved.file);
    return fmt::format(
        "this version trains recipes with data parallelism on one machine, not with {}{}: leave it out, name another "
        "file with --config_file, or start a script, for which it works",
        what, from);
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

std::optional<int> typed_number(const plan::Flags& flags, std::string_view name) {
    auto found = flags.typed.find(name);
    if (found == flags.typed.end() || found->second.integer() == nullptr)
        return std::nullopt;
    return static_cast<int>(*found->second.integer());
}

/// What was typed; kept also where the settings contradict, so that all problems come at once.
launch::LaunchOptions typed_options(const plan::Flags& flags, const std::vector<std::string>& command) {
    launch::LaunchOptions options;
    options.file = flags.program;
    options.command = command;
    options.cpu = flags.is_on("cpu");
    options.num_processes = typed_number(flags, "num_processes");
    options.main_process_port = typed_number(flags, "main_process_port");
    options.num_cpu_threads_per_process = typed_number(flags, "num_cpu_threads_per_process");
    if (auto found = flags.typed.find("mixed_precision"); found != flags.typed.end())
        options.mixed_precision = found->second.display();
    if (auto found = flags.typed.find("run_dir"); found != flags.typed.end())
        options.run_dir = found->second.display();
    if (auto found = flags.typed.find("set"); found != flags.typed.end() && found->second.list() != nullptr)
        for (const settings::Value& assignment : *found->second.list())
            options.overrides.push_back(assignment.display());
    return options;
}

void add_file_settings(launch::LaunchOptions& options, const plan::Resolved& resolved) {
    if (resolved.file.empty())
        return;
    options.cpu = options.cpu || resolved.settings.boolean("use_cpu");
    if (!options.num_processes)
        options.num_processes = said(resolved, "num_processes");
    if (!options.main_process_port)
        options.main_process_port = said(resolved, "main_process_port");
    auto origin = resolved.origins.find("mixed_precision");
    if (origin != resolved.origins.end() && origin->second == Origin::file)
        options.default_mixed_precision = resolved.settings.text("mixed_precision");
}

launch::CheckedLaunch check(const plan::Flags& flags, const std::vector<std::string>& command) {
    launch::LaunchOptions options = typed_options(flags, command);
    std::vector<Problem> settings_problems;
    try {
        plan::Resolved resolved = resolve_launch(flags).resolved;
        if (std::string sentence = cannot(resolved); !sentence.empty())
            settings_problems.push_back({"", 0, 0, "", sentence});
        else
            add_file_settings(options, resolved);
    } catch (const UserError& error) {
        take(settings_problems, error);
    }
    std::vector<Problem> problems;
    try {
        launch::CheckedLaunch checked = launch::check_launch(options);
        if (settings_problems.empty())
            return checked;
    } catch (const UserError& error) {
        take(problems, error);
    }
    take(problems, InvalidInput(std::move(settings_problems)));
    throw InvalidInput(std::move(problems));
}

/// What a rank's process is given beside the environment of this one. Its run folder and control channel come with the start.
plan::EnvironmentMap rank_variables(const launch::CheckedLaunch& checked, int rank) {
    plan::EnvironmentMap before = this_process_environment(), added;
    auto add = [&](const std::map<std::string, std::string>& variables) {
        for (const auto& [name, value] : variables) {
            auto old = before.find(name);
            bool at_start = name == launch::kEnvRunDirectory || name == launch::kEnvGeneration;
            if (!at_start && (old == before.end() || old->second != value))
                added[name] = value;
        }
    };
    std::vector<run::MachineSpec> machines = run::machines_of(checked.spec.launch);
    for (const launch::MachineOrder& order : launch::rank_orders(run::RunPaths(checked.run_dir), checked.spec, machines,
                                                                 {.port = checked.port}, checked.worker))
        for (const launch::RankOrder& one : order.ranks)
            if (one.rank == rank) {
                add({{"OMP_NUM_THREADS", std::to_string(launch::threads_per_rank(
                                             checked.spec.launch, static_cast<int>(order.ranks.size())))}});
                add(order.environment);
                add(one.environment);
            }
    return added;
}

/// The plan as comments over the run.yaml, which starts the same run again.
int print_plan(const launch::CheckedLaunch& checked, bool json) {
    std::string yaml = run::to_yaml(checked.spec);
    int ranks = checked.spec.launch.num_processes;
    if (json) {
        nlohmann::json all = nlohmann::json::array();
        for (int rank = 0; rank < ranks; ++rank)
            all.push_back({{"rank", rank}, {"environment", rank_variables(checked, rank)}});
        nlohmann::json out{
            {"run_yaml", yaml}, {"command", {checked.worker.string()}}, {"world_size", ranks}, {"ranks", all}};
        std::printf("%s\n", out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).c_str());
        return kExitDone;
    }
    std::printf("# %d rank%s: %s\n", ranks, ranks == 1 ? "" : "s", checked.worker.c_str());
    for (int rank = 0; rank < ranks; ++rank) {
        std::string line = fmt::format("# rank {}:", rank);
        for (const auto& [name, value] : rank_variables(checked, rank))
            line += fmt::format(" {}={}", name, value);
        std::printf("%s\n", line.c_str());
    }
    std::printf("%s", yaml.c_str());
    return kExitDone;
}

}  // namespace

int launch_recipe(const plan::Flags& flags, const std::vector<std::string>& command) {
    launch::CheckedLaunch checked = check(flags, command);
    bool json = flags.is_on("json");
    if (flags.is_on("dry_run"))
        return print_plan(checked, json);
    launch::PreparedRun prepared = launch::create_run(std::move(checked));
    run::RunPaths paths = prepared.paths;
    launch::start_detached(std::move(prepared));
    if (json)
        std::printf("%s\n", nlohmann::json{{"run_id", paths.id()}, {"path", paths.root().string()}}.dump().c_str());
    else
        std::printf("%s\n%s\n", paths.id().c_str(), paths.root().c_str());
    std::fflush(stdout);
    if (flags.is_on("detach"))
        return kExitDone;
    int code = follow(paths, json);
    if (auto state = json ? run::read_state(paths) : std::nullopt)
        std::printf("%s", run::to_json(*state).c_str());
    return code;
}

}  // namespace trainyard::cli
