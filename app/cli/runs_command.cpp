// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard runs list | show | stop | follow | pause | resume | evaluate | checkpoint | profile | set | move | start

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/printable.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/follow.h"
#include "cli/look_after.h"
#include "cli/print_json.h"
#include "cli/run_answer.h"
#include "cli/runs_parts.h"
#include "cli/say.h"
#include "cli/slurm_queue.h"
#include "launch/supervisor/slurm_run.h"
#include "run/folder_record.h"
#include "run/journal.h"
#include "run/listing.h"
#include "run/request_body.h"
#include "run/run_health.h"

namespace trainyard::cli {

namespace {

using Json = nlohmann::json;

struct RunsFlags {
    std::string run;
    bool json = false;
    bool now = false;
    bool all = false;                      ///< of list: archived ones, too
    std::vector<std::string> assignments;  ///< of set: key=value
    int place = 1;                         ///< of move: in the queue
    int steps = 10;                        ///< of profile, as those below
    int wait = 0, warmup = 0, repeat = 1, skip_first = 0;
    bool record_shapes = false, profile_memory = false, with_flops = false;
};

constexpr std::size_t kMostOfCell = 160;      // characters of a foreign text in a line of the list
constexpr std::size_t kMostOfMessage = 1000;  // ... in the details of one run
constexpr std::size_t kMostOfLogLine = 400;
constexpr std::size_t kMostLogLines = 100;

/// Returns the current state.json of the run. If the run is lost, status, message and ranks say so, and
/// `recorded_status` has the status of the file.
Json run_json(const run::ListedRun& run) {
    Json object{{"run_id", run.paths.id()}, {"status", "unreadable"}, {"shown_status", "unreadable"}};
    if (run.state) {
        const run::RunHealth health = run::run_health(run.paths, *run.state, wall_seconds());
        object = parse_json(run::to_json(run::state_to_show(*run.state, health)));
        object["recorded_status"] = object["status"];
        object["status"] = object["shown_status"] = health.status;
        object["age_s"] = run::is_over(run.state->status) ? Json(nullptr) : Json(health.age_s);
        object["way_out"] = health.way_out.empty() ? Json(nullptr) : Json(health.way_out);
    }
    object["path"] = run.paths.root().string();
    object["labels"] = {{"name", run.labels.name},   {"tags", run.labels.tags},
                        {"note", run.labels.note},   {"archived", run.labels.archived},
                        {"color", run.labels.color}, {"baseline", run.labels.baseline}};
    if (!run.problem.empty())
        object["problem"] = run.problem.text();
    return object;
}

int print_runs(const RunsFlags& flags) {
    run::check_runs_folder(run::runs_root());
    std::vector<run::ListedRun> runs = run::list_runs(run::runs_root());
    const std::size_t hidden =
        flags.all ? 0 : std::erase_if(runs, [](const run::ListedRun& run) { return run.labels.archived; });
    look_after_lost_runs(runs);
    if (flags.json) {
        Json all = Json::array();
        for (const run::ListedRun& run : runs)
            all.push_back(run_json(run));
        print_json(all);
        return kExitDone;
    }
    auto tell_hidden = [hidden] {
        if (hidden > 0)
            std::printf("%zu archived: `trainyard runs list --all` shows them\n", hidden);
    };
    if (runs.empty()) {
        if (hidden == 0)
            say("No runs in " + run::runs_root().string() + " yet.");
        tell_hidden();
        return kExitDone;
    }
    std::size_t width = 3;
    for (const run::ListedRun& run : runs)
        width = std::max(width, text::printable(run.paths.id()).size());
    std::printf("%s\n",
                fmt::format("{:{}}  {:9}  {:>15}  {:>8}  {}", "run", width, "status", "step", "loss", "").c_str());
    for (const run::ListedRun& run : runs) {
        if (!run.state) {
            say(fmt::format("{:{}}  unreadable: {}", text::printable(run.paths.id()), width,
                            text::printable(run.problem.text(), kMostOfMessage)));
            continue;
        }
        const run::Progress& progress = run.state->progress;
        const run::RunHealth health = run::run_health(run.paths, *run.state, wall_seconds());
        bool in_words = !health.current || run::is_over(run.state->status) || run.state->status == run::Status::queued;
        std::string rest = in_words         ? text::printable(health.message.text(), kMostOfCell)
                           : progress.eta_s ? text::duration(*progress.eta_s) + " left"
                                            : "";
        // The user's labels come first: they are there to find the run again.
        std::string labels = run.labels.name.empty() ? "" : run.labels.name;
        for (const std::string& tag : run.labels.tags)
            labels += (labels.empty() ? "#" : " #") + tag;
        labels = text::printable(labels, kMostOfCell);
        if (!labels.empty())
            rest = labels + (rest.empty() ? "" : "  " + rest);
        say(fmt::format("{:{}}  {:9}  {:>15}  {:>8}  {}", text::printable(run.paths.id()), width, health.status,
                        fmt::format("{}/{}", progress.step, progress.of),
                        progress.loss ? loss_words(*progress.loss) : "", rest));
        if (!health.way_out.empty() && !run::is_over(run.state->status))
            say(fmt::format("{:{}}  `{}` {}", "", width, health.way_out, health.why_type));
    }
    tell_hidden();
    return kExitDone;
}

/// The restarts of a run, each with the failure before it.
void print_restarts(const run::RunPaths& paths,
                    const std::function<void(const std::string&, const std::string&)>& print) {
    std::string cause;
    for (const run::Event& event : run::JournalReader(paths.journal()).poll()) {
        if (event.kind == "failure")
            cause = event.text.text();
        if (event.kind != "restart")
            continue;
        print("restart", fmt::format("{} {}", iso_time(event.time), event.text));
        if (!cause.empty())
            print("", "after: " + cause);
        cause.clear();
    }
}

void print_details(const run::RunPaths& paths, const run::RunState& given) {
    auto line = [](const std::string& name, const std::string& value, std::size_t most = kMostOfMessage) {
        say(fmt::format("{:<12} {}", text::printable(name), text::printable(value, most)));
    };
    const double now = wall_seconds();
    const run::RunHealth health = run::run_health(paths, given, now);
    const run::RunState state = run::state_to_show(given, health);
    line("run", paths.id());
    line("folder", paths.root().string());
    if (state.mirror) {
        line("copy of", state.mirror->host + ":" + state.mirror->path);
        if (!state.mirror->connected && !state.mirror->complete)
            line("no contact", state.mirror->contact > 0
                                   ? fmt::format("since {}: {}", iso_time(state.mirror->contact), state.mirror->message)
                                   : state.mirror->message);
    }
    line("status", health.status);
    line("message", health.message);
    if (!health.way_out.empty())
        line("to do", fmt::format("`{}` {}", health.way_out, health.why_type));
    if (!run::is_over(state.status))
        line("last word", text::duration(health.age_s) + " ago");
    if (state.queue_place > 0)
        line("queue", fmt::format("number {} on {}", state.queue_place, state.supervisor_host));
    line("created", iso_time(state.created));
    if (state.ended)
        line("ended", iso_time(*state.ended));
    const double seen = health.current ? now : state.heartbeat;
    if (const std::optional<double> active = run::active_seconds(state, seen)) {
        const double idle = run::idle_seconds(state, state.ended.value_or(seen));
        line("duration",
             idle < 1 ? text::duration(*active)
                      : fmt::format("{}, and {} paused or restarting", text::duration(*active), text::duration(idle)));
    }
    line("progress", progress_line(state.progress, 200, {.unit = throughput_unit(paths)}));
    if (state.progress.validation_loss)
        line("validation", "loss " + loss_words(*state.progress.validation_loss));
    const bool gone = !run::is_over(state.status) && !run::is_waiting(state) && !state.mirror &&
                      state.supervisor_host == host_name() && !is_alive(state.supervisor);
    if (state.restarts > 0)
        print_restarts(paths, [&](const std::string& name, const std::string& value) { line(name, value); });
    line("supervisor",
         fmt::format("pid {} on {}{}", state.supervisor.pid, state.supervisor_host, gone ? ", gone" : ""));
    for (const run::RankState& rank : state.ranks) {
        std::string end = rank.signal      ? fmt::format(", signal {}", *rank.signal)
                          : rank.exit_code ? fmt::format(", exit code {}", *rank.exit_code)
                          : health.status == "lost"
                              ? ""
                              : fmt::format(" in {}", rank.phase.empty() ? "start-up" : rank.phase);
        if (!health.current && !rank.signal && !rank.exit_code)
            end += fmt::format(" {} ago", text::duration(health.age_s));
        line(fmt::format("rank {}", rank.rank),
             fmt::format("{}{} on {} ({}), {}, step {}, {}{}", rank.place.empty() ? "" : rank.place + ", ", rank.state,
                         rank.host, rank.device,
                         rank.process.pid > 0 ? fmt::format("pid {}", rank.process.pid) : "no process", rank.step,
                         text::memory_size(rank.resident_bytes), end));
    }
    if (!state.first_failure)
        return;
    line("failure", state.first_failure->message);
    const std::vector<std::string>& log = state.first_failure->log;
    const std::size_t left_out = log.size() > kMostLogLines ? log.size() - kMostLogLines : 0;
    if (left_out > 0)
        line("", fmt::format("({} lines are left out)", left_out));
    for (std::size_t i = left_out; i < log.size(); ++i)
        line("", log[i], kMostOfLogLine);
}

int print_run(const RunsFlags& flags) {
    run::RunPaths paths = find_and_follow(flags.run);
    auto state = run::read_state(paths);
    if (!state)
        throw UserError("run {} has no state.json: it was never started", paths.id());
    look_after_lost_run(paths, *state);
    if (flags.json)
        print_json(run_json({paths, state, "", run::labels_or_none(paths)}));
    else
        print_details(paths, *state);
    return kExitDone;
}

int stop_run(const RunsFlags& flags) {
    run::RunPaths paths = find_and_follow(flags.run);
    if (launch::is_queued(paths)) {
        std::string job = launch::slurm_job_of(paths).value_or("");
        // A foreign slurm.json may name any job of this account.
        if (run::origin_of(paths) != run::RunOrigin::own)
            throw UserError(
                "run {} claims to be SLURM job {}, but this account did not queue it here: if the job belongs to this "
                "run, `scancel {}` removes it from the queue",
                paths.id(), job, job);
        cancel_job(job);
        give_up(paths, false, Message("SLURM job {} was removed from the queue", job));
    }
    std::optional<run::RunState> state = state_to_ask(paths);
    if (!run::is_over(state->status)) {
        run::drop_request(paths, flags.now ? run::make_request(run::KillRequest(), "terminal")
                                           : run::make_request(run::StopRequest(), "terminal"));
        state = wait_until_over(paths);
        if (!state) {
            say(stderr, "The stop of " + paths.id() + " remains pending.");
            return kExitInterrupted;
        }
    }
    if (flags.json)
        print_json(run_json({paths, state, "", run::labels_or_none(paths)}));
    else
        say(run::to_string(state->status) + ": " + text::printable(state->message.text(), kMostOfMessage));
    return state->status == run::Status::failed ? kExitFailed : kExitDone;
}

/// Sends a request to an active run and prints the text of its answer.
int ask_run(const RunsFlags& flags, run::Request request) {
    run::RunPaths paths = find_and_follow(flags.run);
    run::RunState state = state_to_ask(paths);
    if (run::is_over(state.status))
        throw UserError("run {} is over: {}", paths.id(), text::printable(state.message.text(), kMostOfMessage));
    request.from = "terminal";
    std::optional<run::Request> answer = ask_and_wait(paths, std::move(request));
    if (!answer)
        return kExitInterrupted;
    if (flags.json)
        print_json(parse_json(run::to_json(*answer)));
    bool done = answer->outcome == "done";
    if (!flags.json || !done)
        say(done ? stdout : stderr, text::printable(answer->outcome, kMostOfCell) + ": " +
                                        text::printable(answer->text.text(), kMostOfMessage));
    return done ? kExitDone : kExitFailed;
}

template <typename Body>
int ask_for(const RunsFlags& flags) {
    return ask_run(flags, run::make_request(Body(), "terminal"));
}

/// The run itself checks the numbers, because only it knows their valid ranges.
int set_rate(const RunsFlags& flags) {
    run::Request request;
    request.kind = run::RateRequest::kKind;
    for (const std::string& assignment : flags.assignments) {
        std::size_t equals = assignment.find('=');
        std::string key = assignment.substr(0, equals);
        if (equals == std::string::npos || equals + 1 == assignment.size())
            throw UserError("'{}' is not of the form key=value: write lr=0.0003", assignment);
        if (key != "lr")
            throw UserError("a running run cannot change '{}': it takes lr", key);
        if (!request.values.try_emplace(key, assignment.substr(equals + 1)).second)
            throw UserError("'{}' is given twice: keep one", key);
    }
    return ask_run(flags, std::move(request));
}

int profile_steps(const RunsFlags& flags) {
    const run::ProfileRequest profile{.steps = flags.steps,
                                      .wait = flags.wait,
                                      .warmup = flags.warmup,
                                      .repeat = flags.repeat,
                                      .skip_first = flags.skip_first,
                                      .record_shapes = flags.record_shapes,
                                      .profile_memory = flags.profile_memory,
                                      .with_flops = flags.with_flops};
    return ask_run(flags, run::make_request(profile, "terminal"));
}

int move_in_queue(const RunsFlags& flags) {
    return ask_run(flags, run::make_request(run::MoveRequest{flags.place}, "terminal"));
}

void add_runs_command(CLI::App& runs, Action& chosen, const std::shared_ptr<RunsFlags>& flags, const char* name,
                      const char* help, int (*action)(const RunsFlags&)) {
    CLI::App* command = runs.add_subcommand(name, help);
    if (action != print_runs)
        command->add_option("run", flags->run, "Id, unique beginning or end of it, name, or folder")->required();
    command->add_flag("--json", flags->json, "For programs");
    if (action == print_runs)
        command->add_flag("--all", flags->all, "Include archived runs");
    if (action == stop_run)
        command->add_flag("--now", flags->now, "Kill the ranks, without a checkpoint");
    if (action == move_in_queue)
        command->add_option("place", flags->place, "Place in the queue; 1 is the next to start")
            ->required()
            ->check(CLI::PositiveNumber);
    if (action == profile_steps) {
        command->add_option("--steps,--active", flags->steps, "Number of steps to record, from the next one on")
            ->capture_default_str();
        command->add_option("--wait", flags->wait, "Steps to wait before recording")->capture_default_str();
        command->add_option("--warmup", flags->warmup, "Warm-up steps of the profiler before recording")
            ->capture_default_str();
        command->add_option("--repeat", flags->repeat, "Number of cycles of waiting, warm-up and recording")
            ->capture_default_str();
        command->add_option("--skip_first", flags->skip_first, "Steps to skip before the first cycle")
            ->capture_default_str();
        command->add_flag("--record_shapes", flags->record_shapes,
                          "Record shapes and dtypes of the inputs of operators");
        command->add_flag("--profile_memory", flags->profile_memory, "Record every memory allocation");
        command->add_flag("--with_flops", flags->with_flops, "FLOPs of matrix products and convolutions, by formula");
    }
    if (action == set_rate)
        command->add_option("assignment", flags->assignments, "lr=VALUE: the highest learning rate of the schedule")
            ->required();
    command->callback([flags, action, &chosen] { chosen = [flags, action] { return action(*flags); }; });
}

int follow_run(const RunsFlags& flags) {
    run::RunPaths paths = find_and_follow(flags.run);
    int code = follow(paths, flags.json);
    if (auto state = flags.json ? run::read_state(paths) : std::nullopt)
        print_json(run_json({paths, state, "", run::labels_or_none(paths)}));
    return code;
}

}  // namespace

void add_runs(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<RunsFlags>();
    CLI::App* runs = app.add_subcommand("runs", "List, show, follow and stop runs; send requests to active runs");
    runs->require_subcommand(1);
    add_runs_command(*runs, chosen, flags, "list", "All runs, newest first", print_runs);
    add_runs_command(*runs, chosen, flags, "show", "One run in detail", print_run);
    add_runs_command(*runs, chosen, flags, "stop", "Stop a run after a checkpoint and wait for its end", stop_run);
    add_runs_command(*runs, chosen, flags, "follow", "Replay a run's events and follow it", follow_run);
    add_runs_command(*runs, chosen, flags, "pause", "Pause a run after its current step until it is resumed or stopped",
                     [](const RunsFlags& given) { return ask_for<run::PauseRequest>(given); });
    add_runs_command(*runs, chosen, flags, "resume", "Continue a paused run",
                     [](const RunsFlags& given) { return ask_for<run::ResumeRequest>(given); });
    add_runs_command(*runs, chosen, flags, "evaluate", "Evaluate a run on its held-out data after its current step",
                     [](const RunsFlags& given) { return ask_for<run::EvaluateRequest>(given); });
    add_runs_command(*runs, chosen, flags, "checkpoint", "Save a checkpoint of a run after its current step",
                     [](const RunsFlags& given) { return ask_for<run::CheckpointRequest>(given); });
    add_runs_command(*runs, chosen, flags, "profile",
                     "Record where the next steps spend their time; `trainyard trace summary` shows it", profile_steps);
    add_runs_command(*runs, chosen, flags, "move", "Give a queued run another place in the queue of its machine",
                     move_in_queue);
    add_runs_command(*runs, chosen, flags, "start",
                     "Start a queued run now, ahead of the queue and even if devices are busy",
                     [](const RunsFlags& given) { return ask_for<run::StartRequest>(given); });
    add_remote_runs(*runs, chosen);
    add_run_labels(*runs, chosen);
    add_runs_continue(*runs, chosen);
    add_run_exports(*runs, chosen);
    add_runs_sync(*runs, chosen);
    add_runs_command(*runs, chosen, flags, "set", "Change the learning rate of a run from its next step on", set_rate);
}

}  // namespace trainyard::cli
