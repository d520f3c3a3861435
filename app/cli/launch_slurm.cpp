// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_slurm.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "cli/follow.h"
#include "cli/say.h"
#include "cli/slurm_queue.h"
#include "cli/terminal.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/slurm_run.h"

namespace trainyard::cli {

namespace {

constexpr double kLookAtRun = 0.5;   // seconds between two looks at the run's folder
constexpr double kLookAtQueue = 10;  // and at the queue, which is asked by many
constexpr double kFirstLook = 2;     // soon after it was handed over: a job may be refused later than by sbatch

/// Returns the command that each node starts for the run in that folder. It gives the total number of ranks; SLURM
/// provides their hosts.
std::vector<std::string> command_of(const plan::Flags& flags, const launch::SlurmJob& job, const fs::path& run) {
    std::error_code error;
    std::vector<std::string> words{fs::read_symlink("/proc/self/exe", error).string(), "launch",    "--num_processes",
                                   std::to_string(job.nodes * job.tasks_per_node),     "--run_dir", run.string()};
    // The address of the rendezvous, if it is not the name of the first node.
    for (const char* name : {"main_process_ip", "main_process_port"})
        if (std::string value = flags.text(name); !value.empty()) {
            words.push_back(std::string("--") + name);
            words.push_back(value);
        }
    words.push_back((run / "run.yaml").string());
    return words;
}

/// Prints the state of the job in SLURM until a supervisor takes over the run. Returns false after Ctrl-C; the job then
/// stays queued.
bool wait_in_queue(const run::RunPaths& paths, const std::string& job, bool quiet) {
    InterruptFlag interrupt;
    std::string shown;
    double next = monotonic_seconds() + kFirstLook;
    while (launch::is_queued(paths)) {
        if (interrupt.taken()) {
            say_format(stdout, "The job stays in the queue: trainyard runs follow %s, trainyard runs stop %s\n",
                       paths.id().c_str(), paths.id().c_str());
            return false;
        }
        pause_for(kLookAtRun);
        if (monotonic_seconds() < next)
            continue;
        next = monotonic_seconds() + kLookAtQueue;
        JobLook look = look_at_job(job);
        std::string now = look.reason.empty() ? look.state : fmt::format("{} ({})", look.state, look.reason);
        if (!quiet && !now.empty() && now != shown)
            say_format(stdout, "job %s: %s\n", job.c_str(), now.c_str());
        std::fflush(stdout);
        shown = now;
        // The state may have been written after the first check.
        if (look.over && launch::is_queued(paths)) {
            bool cancelled = look.state.starts_with("CANCELLED");
            give_up(paths, !cancelled,
                    cancelled ? Message("SLURM job {} was cancelled before it started", job)
                              : Message("SLURM job {} ended ({}) before the run started; its log: {}", job,
                                        look.known ? look.state : "unknown to SLURM", paths.logs().string()));
        }
    }
    return true;
}

}  // namespace

int launch_on_slurm(const plan::Flags& flags, launch::CheckedLaunch checked) {
    if (const char* inside = std::getenv(kEnvSlurmJob); inside != nullptr)
        throw UserError("this is inside of job {} already: leave --slurm out", inside);
    launch::SlurmJob job = launch::slurm_job(flags, checked.spec.recipe.name);
    checked.spec.launch.num_processes = job.nodes * job.tasks_per_node;
    checked.spec.launch.machines.clear();
    checked.store_socket.close();
    checked.reservation.close();
    if (job.gres.find("gpu") != std::string::npos && !flags.is_on("cpu"))
        checked.spec.launch.device = "cuda";  // of the nodes: this machine may have none
    if (flags.is_on("dry_run")) {
        fs::path run = checked.run_dir.empty() ? run::runs_root() / "<run>" : checked.run_dir;
        job.log = run / "logs" / "slurm-%j.log";
        job.command = command_of(flags, job, run);
        std::fputs(launch::slurm_script(job).c_str(), stdout);
        return kExitDone;
    }
    job.command = command_of(flags, job, "/run");
    launch::slurm_script(job);  // what is wrong with it is found before there is a folder
    launch::PreparedRun prepared = launch::create_run(std::move(checked));
    const run::RunPaths& paths = prepared.paths;
    std::string number;
    try {
        job.log = paths.logs() / "slurm-%j.log";
        job.command = command_of(flags, job, paths.root());
        fs::create_directories(paths.logs());
        fs::path script = paths.root() / "slurm.sh";
        write_file_atomically(script, launch::slurm_script(job), false, 0700);
        // Queued before it is handed over: the job may start at once.
        run::RunState state = prepared.state;
        state.status = run::Status::queued;
        state.supervisor = {};
        state.message = "waiting in SLURM's queue";
        launch::write_slurm_job(paths, "");
        run::write_state(paths, state);
        number = submit_job(script);
        launch::write_slurm_job(paths, number);
    } catch (const UserError&) {
        std::error_code ignored;
        fs::remove_all(paths.root(), ignored);
        throw;
    }
    bool json = flags.is_on("json");
    if (json)
        say_format(stdout, "%s\n",
                   json_text(nlohmann::json{{"run_id", paths.id()}, {"path", paths.root().string()}, {"job", number}})
                       .c_str());
    else
        say_format(stdout, "%s\n%s\njob %s\n", paths.id().c_str(), paths.root().c_str(), number.c_str());
    std::fflush(stdout);
    if (flags.is_on("detach"))
        return kExitDone;
    if (!wait_in_queue(paths, number, json))
        return kExitInterrupted;
    return follow(paths, json);
}

}  // namespace trainyard::cli
