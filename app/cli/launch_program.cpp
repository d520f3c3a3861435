// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/files/temporary_folder.h"
#include "base/json_writer.h"
#include "base/process.h"
#include "base/truth.h"
#include "cli/join_run.h"
#include "cli/launch_check.h"
#include "cli/launch_cloud.h"
#include "cli/launch_hosts.h"
#include "cli/launch_slurm.h"
#include "cli/pseudo_terminal.h"
#include "cli/say.h"
#include "cli/terminal.h"
#include "launch/cloud/sagemaker_job.h"
#include "launch/plan/counts.h"
#include "launch/plan/plan.h"
#include "launch/plan/state_text.h"
#include "launch/supervisor/daemon.h"
#include "launch/supervisor/guard.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/local_machine.h"
#include "launch/supervisor/machine_pool.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/program_launch.h"
#include "launch/supervisor/rank_output.h"

namespace trainyard::cli {

std::string interpreter() {
    const char* named = std::getenv(kEnvPython);
    return named == nullptr || *named == '\0' ? "python3" : named;
}

namespace {

/// Appends environment settings to the file that the deepspeed program reads and exports on the other machines.
void append_deepspeed_file(const std::vector<std::string>& lines) {
    if (lines.empty())
        return;
    const char* name = ".deepspeed_env";
    FileDescriptor file(::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw UserError("{} cannot be written in this folder: {}: start from another one", name, std::strerror(errno));
}

/// Writes the file atomically and makes it executable for its owner.
void write_script(const fs::path& file, const std::string& text) {
    write_file_atomically(file, text, false);
    std::error_code error;
    fs::permissions(file, fs::perms::owner_all, error);
    if (error)
        throw UserError("{} was written, but cannot be made executable: {}", file.string(), error.message());
}

/// In this process, with the terminal: until the ranks have ended.
int run_here(launch::PreparedRun prepared, const plan::Plan& made, const plan::Flags& flags,
             std::unique_ptr<launch::MachinePool> pool, double last_call_s) {
    launch::go_on_under_guard();
    // A reader of the output that has ended, such as `head` or a notebook, does not end the run: it has logs.
    ::signal(SIGPIPE, SIG_IGN);
    launch::RankOutput shown(prepared.spec.launch.output, {.role = prepared.spec.program->role});
    launch::SupervisorOptions options;
    options.output = [&](int rank, int local_rank, std::string_view bytes, bool standard_error) {
        shown.write(rank, local_rank, bytes, standard_error);
    };
    options.happened = [quiet = flags.is_on("quiet"), queued = flags.is_on("queue")](const run::Event& event) {
        bool wanted = event.kind == "warning" ||
                      (event.kind == "phase" && (queued || event.text.text().starts_with("waiting for")));
        if (event.kind == "restart" || (wanted && !quiet))
            say_format(stderr, "trainyard: %s\n", event.text.text().c_str());
    };
    run::RunPaths paths = prepared.paths;
    options.last_call_s = last_call_s;
    std::optional<PseudoTerminal> terminal;
    if (!pool) {
        auto machine = std::make_unique<launch::LocalMachine>(host_name());
        if (prepared.spec.launch.num_processes == 1) {
            bool any = is_terminal(STDIN_FILENO) || is_terminal(STDOUT_FILENO) || is_terminal(STDERR_FILENO);
            if (any)
                machine->attach(terminal.emplace().streams());
            else
                machine->attach({.keep_input = true});
        }
        auto fixed = std::make_unique<launch::FixedPool>();
        fixed->add(std::move(machine), prepared.spec.launch.num_processes);
        pool = std::move(fixed);
    }
    int code = 0;
    try {
        code = launch::run_in_foreground(std::move(prepared), std::move(options), std::move(pool));
    } catch (...) {
        shown.finish();
        throw;
    }
    terminal.reset();
    shown.finish();
    auto state = run::read_state(paths);
    // One process speaks for itself.
    if (state && state->first_failure && made.starter == plan::Starter::ranks)
        say_format(stderr, "trainyard: %s\n", state->first_failure->message.text().c_str());
    return code;
}

/// The state that the first rank of this machine will print.
std::string state_of(const plan::Plan& made, const launch::LaunchSettings& settings) {
    if (made.starter != plan::Starter::ranks && !(made.starter == plan::Starter::process && made.world_size == 1))
        return {};
    const plan::EnvironmentMap own = made.ranks.empty() ? plan::EnvironmentMap() : made.ranks.front().environment;
    const plan::LaunchVariable variable = [&](const char* name) -> std::optional<std::string> {
        for (const plan::EnvironmentMap* values :
             {&own, static_cast<const plan::EnvironmentMap*>(&made.environment), &settings.environment})
            if (const auto found = values->find(name); found != values->end() && !found->second.empty())
                return found->second;
        return std::nullopt;
    };
    plan::ProcessFacts first{.ranks = made.world_size};
    if (!made.ranks.empty()) {
        first.rank = made.ranks.front().rank;
        first.local_rank = made.ranks.front().local_rank;
    }
    const std::string& device = settings.machine.device;
    if (device != "cpu" && truth_of(variable(kEnvUseCpu).value_or("false")) != Truth::yes)
        first.device = device == "mps" ? device : fmt::format("{}:{}", device, first.local_rank);
    first.mixed_precision = variable(kEnvMixedPrecision).value_or("no");
    try {
        return plan::state_text(first, variable);
    } catch (const UserError& error) {
        return message_of(error).text() + "\n";
    }
}

}  // namespace

int launch_program(const plan::Flags& flags, const std::vector<std::string>& command) {
    if (flags.has("set"))
        throw UserError("--set is for recipes: leave it out for {}", flags.program);
    if (flags.is_on("no_run_dir") && (flags.has("run_dir") || flags.is_on("detach")))
        throw UserError("--no_run_dir contradicts --run_dir and --detach: leave one of them out");
    plan::Flags here = flags.hosts.empty() ? flags : plan::as_one_machine(flags);
    launch::LaunchSettings settings = launch::resolve_launch(here);
    plan::Plan made = plan::make_plan(here, settings.resolved, settings.machine, settings.environment, interpreter());
    if (!flags.hosts.empty())
        return launch_on_hosts(flags, launch::program_spec(made, here, settings, command));
    if (std::string file = flags.text("export"); !file.empty()) {
        write_script(file, plan::plan_script(made, command));
        return kExitDone;
    }
    if (flags.is_on("check")) {
        const std::optional<int> code = check_mpi_hosts(flags, settings);
        return code ? *code : check_launch(flags, launch::program_spec(made, flags, settings, command));
    }
    if (flags.is_on("dry_run")) {
        if (made.sagemaker)
            try {
                cloud::check_job(*made.sagemaker);
            } catch (const InvalidInput& refused) {
                for (const Problem& problem : refused.problems())
                    made.warnings.push_back(Message("{}: {}", problem.key, problem.message));
            }
        launch::complete_environment(made, launch::program_spec(made, flags, settings, command));
        made.state = state_of(made, settings);
        std::string text =
            flags.is_on("json") ? plan::plan_json(made, settings.resolved) : plan::plan_text(made, settings.resolved);
        std::fputs(text.c_str(), stdout);
        return kExitDone;
    }
    bool quiet = flags.is_on("quiet");
    if (made.starter == plan::Starter::sagemaker)
        start_in_cloud(made, settings, quiet);
    if (!quiet)
        for (const auto& warning : made.warnings)
            say_format(stderr, "trainyard: note: %s\n", warning.text().c_str());
    if (!quiet && flags.has("monitor_interval"))
        say_format(
            stderr,
            "trainyard: note: --monitor_interval has no effect: the end of a process is seen at once, not at the "
            "next look\n");
    std::optional<files::TemporaryFolder> passing;
    if (flags.is_on("no_run_dir"))
        passing.emplace("trainyard-launch");
    fs::path place = passing ? passing->path() / "run" : fs::path(flags.text("run_dir"));
    run::RunSpec spec = launch::program_spec(made, flags, settings, without_secrets(command));
    std::unique_ptr<launch::JoinPool> pool;
    double last_call_s = 0;
    if (made.starter == plan::Starter::ranks && launch::is_on_several_machines(flags, settings.resolved)) {
        launch::RendezvousSettings rendezvous =
            launch::rendezvous_settings(flags, settings.resolved, made.ranks_per_machine);
        if (!quiet)
            for (const auto& note : rendezvous.notes)
                say_format(stderr, "trainyard: note: %s\n", note.text().c_str());
        pool = launch::open_rendezvous(rendezvous, std::make_unique<launch::LocalMachine>(host_name()));
        if (!pool) {
            return join_run(rendezvous, std::move(spec.program), launch::typed_output(flags, false));
        }
        launch::add_rendezvous(spec.launch, rendezvous, made.ranks_per_machine);
        last_call_s = rendezvous.last_call_s;
    }
    launch::CheckedLaunch checked = launch::check_spec(std::move(spec), place, !pool, flags.is_on("queue"));
    append_deepspeed_file(made.deepspeed_env_file);
    launch::PreparedRun prepared = launch::create_run(std::move(checked));
    run::RunPaths paths = prepared.paths;
    if (pool)
        pool->tell(paths.id(), run::to_yaml(prepared.spec), false);
    if (flags.is_on("detach")) {
        launch::SupervisorOptions detached;
        detached.last_call_s = last_call_s;
        launch::start_detached(std::move(prepared), detached, std::move(pool));
        if (flags.is_on("json"))
            say_format(stdout, "%s\n",
                       json_text(nlohmann::json{{"run_id", paths.id()}, {"path", paths.root().string()}}).c_str());
        else
            say_format(stdout, "%s\n%s\n", paths.id().c_str(), paths.root().c_str());
        return kExitDone;
    }
    if (!quiet && !passing)
        say_format(stderr, "trainyard: run folder: %s\n", paths.root().c_str());
    return run_here(std::move(prepared), made, flags, std::move(pool), last_call_s);
}

int launch_program_on_slurm(const plan::Flags& flags, const std::vector<std::string>& command) {
    // The environment of a rank depends on whether the run has several ranks.
    plan::Flags there = flags;
    std::int64_t ranks = 1;
    for (const char* name : {"nodes", "ntasks_per_node"})
        ranks *= flags.number(name).value_or(1);
    if (!flags.has("num_processes") && ranks > 1)
        there.typed.insert_or_assign("num_processes", Value(ranks));
    launch::LaunchSettings settings = launch::resolve_launch(there);
    plan::Plan made = plan::make_plan(there, settings.resolved, settings.machine, settings.environment, interpreter());
    if (made.starter != plan::Starter::ranks && made.starter != plan::Starter::process)
        throw UserError("a job of SLURM starts the ranks itself: leave DeepSpeed's launcher, TPU and SageMaker out");
    run::RunSpec spec = launch::program_spec(made, there, settings, command);
    spec.program->rendezvous = true;
    spec.launch.num_processes = 1;
    spec.launch.main_process_ip = "127.0.0.1";
    spec.launch.main_process_port = 0;
    return launch_on_slurm(flags, launch::check_spec(std::move(spec), flags.text("run_dir")));
}

}  // namespace trainyard::cli
