// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/slurm_queue.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/run_program.h"
#include "base/text.h"
#include "run/journal.h"
#include "run/state.h"

namespace trainyard::cli {

namespace {

constexpr double kPatience = 60;  // seconds for an answer of the controller, which may be busy

ProgramResult ask_controller(std::vector<std::string> words) {
    ProgramResult result = run_program(words, "", kPatience);
    if (result.status == -1 || (WIFEXITED(result.status) && WEXITSTATUS(result.status) == 127))
        throw UserError("{} was not found: this machine is not a login node of a SLURM cluster", words[0]);
    if (result.timed_out)
        throw UserError("{} did not answer: the cluster's controller cannot be reached", words[0]);
    return result;
}

bool is_end(const std::string& state) {
    constexpr std::array kEnds = {"COMPLETED", "CANCELLED",     "FAILED",   "TIMEOUT", "NODE_FAIL",
                                  "BOOT_FAIL", "OUT_OF_MEMORY", "DEADLINE", "REVOKED"};
    return std::ranges::any_of(kEnds, [&](const char* end) { return state.starts_with(end); });
}

}  // namespace

std::string submit_job(const std::filesystem::path& script) {
    ProgramResult result = ask_controller({"sbatch", "--parsable", script.string()});
    std::string job = text::first_line(result.output);
    job = job.substr(0, job.find(';'));  // drops the name of the cluster
    bool good = result.ok() && !job.empty() && std::ranges::all_of(job, [](char c) { return c >= '0' && c <= '9'; });
    if (!good)
        throw UserError("SLURM rejected the job: {}",
                        text::first_line(result.error.empty() ? result.output : result.error));
    return job;
}

JobLook look_at_job(const std::string& job) {
    JobLook look;
    ProgramResult queue =
        ask_controller({"squeue", "--noheader", "--states", "all", "--jobs", job, "--format", "%T|%r"});
    std::string line = queue.ok() ? text::first_line(queue.output) : "";
    if (line.empty()) {
        ProgramResult past =
            ask_controller({"sacct", "--noheader", "--allocations", "--parsable2", "--jobs", job, "--format", "State"});
        line = past.ok() ? text::first_line(past.output) : "";
    }
    look.known = !line.empty();
    look.state = line.substr(0, line.find('|'));
    std::string reason = line.find('|') == std::string::npos ? "" : line.substr(line.find('|') + 1);
    look.reason = reason == "None" ? "" : reason;
    look.over = !look.known || is_end(look.state);
    return look;
}

void cancel_job(const std::string& job) {
    ProgramResult result = ask_controller({"scancel", job});
    if (!result.ok())
        throw UserError("job {} cannot be cancelled: {}", job, text::first_line(result.error));
}

void give_up(const run::RunPaths& run, bool failed, const Message& message) {
    std::optional<run::RunState> state = run::read_state(run);
    if (!state)
        return;
    state->status = failed ? run::Status::failed : run::Status::stopped;
    state->message = message;
    state->ended = wall_seconds();
    if (failed) {
        run::Failure failure;
        failure.message = message;
        failure.time = wall_seconds();
        state->first_failure = failure;
    }
    run::Event event;
    event.time = wall_seconds();
    event.kind = failed ? "failure" : "phase";
    event.text = message;
    run::append_event(run, event);
    run::write_state(run, *state);
}

}  // namespace trainyard::cli
