// trainyard runs list | show | stop | follow

#include <algorithm>
#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/follow.h"
#include "run/listing.h"
#include "run/request.h"

namespace trainyard::cli {

namespace {

using Json = nlohmann::json;

struct RunsFlags {
    std::string run;
    bool json = false;
    bool now = false;
};

/// state.json with the folder and the status to show (which may be `lost`).
Json run_json(const run::ListedRun& run) {
    Json object = run.state ? Json::parse(run::to_json(*run.state)) : Json{{"run_id", run.paths.id()}};
    object["path"] = run.paths.root().string();
    object["shown_status"] = run.state ? run::shown_status(*run.state, wall_seconds()) : "unreadable";
    if (!run.problem.empty())
        object["problem"] = run.problem;
    return object;
}

void print_json(const Json& value) {
    std::printf("%s\n", value.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

int list(const RunsFlags& flags) {
    std::vector<run::ListedRun> runs = run::list_runs(run::runs_root());
    if (flags.json) {
        Json all = Json::array();
        for (const run::ListedRun& run : runs)
            all.push_back(run_json(run));
        print_json(all);
        return kExitDone;
    }
    if (runs.empty()) {
        std::printf("No runs in %s yet.\n", run::runs_root().c_str());
        return kExitDone;
    }
    std::size_t width = 3;
    for (const run::ListedRun& run : runs)
        width = std::max(width, run.paths.id().size());
    std::printf("%s\n",
                fmt::format("{:{}}  {:9}  {:>15}  {:>8}  {}", "run", width, "status", "step", "loss", "").c_str());
    for (const run::ListedRun& run : runs) {
        if (!run.state) {
            std::printf("%s\n", fmt::format("{:{}}  unreadable: {}", run.paths.id(), width, run.problem).c_str());
            continue;
        }
        const run::Progress& progress = run.state->progress;
        std::string status = run::shown_status(*run.state, wall_seconds());
        std::string rest = run::is_over(run.state->status) ? run.state->message
                           : progress.eta_s                ? text::duration(*progress.eta_s) + " left"
                                                           : "";
        std::printf("%s\n", fmt::format("{:{}}  {:9}  {:>15}  {:>8}  {}", run.paths.id(), width, status,
                                        fmt::format("{}/{}", progress.step, progress.of),
                                        progress.loss ? fmt::format("{:.4f}", *progress.loss) : "", rest)
                                .c_str());
    }
    return kExitDone;
}

void print_details(const run::RunPaths& paths, const run::RunState& state) {
    auto line = [](const char* name, const std::string& value) { std::printf("%-12s %s\n", name, value.c_str()); };
    line("run", paths.id());
    line("folder", paths.root().string());
    line("status", run::shown_status(state, wall_seconds()));
    line("message", state.message);
    line("created", iso_time(state.created));
    if (state.ended)
        line("ended", fmt::format("{} after {}", iso_time(*state.ended), text::duration(*state.ended - state.started)));
    line("progress", progress_line(state.progress, 200));
    if (state.progress.validation_loss)
        line("validation", fmt::format("loss {:.4f}", *state.progress.validation_loss));
    line("supervisor", fmt::format("pid {} on {}", state.supervisor.pid, state.supervisor_host));
    for (const run::RankState& rank : state.ranks) {
        std::string end = rank.signal      ? fmt::format(", signal {}", *rank.signal)
                          : rank.exit_code ? fmt::format(", exit code {}", *rank.exit_code)
                                           : fmt::format(" in {}", rank.phase.empty() ? "start-up" : rank.phase);
        line(fmt::format("rank {}", rank.rank).c_str(),
             fmt::format("{} on {} ({}), pid {}, step {}, {}{}", rank.state, rank.host, rank.device, rank.process.pid,
                         rank.step, text::memory_size(rank.resident_bytes), end));
    }
    if (!state.first_failure)
        return;
    line("failure", state.first_failure->message);
    for (const std::string& text : state.first_failure->log)
        line("", text);
}

int show(const RunsFlags& flags) {
    run::RunPaths paths = run::find_run(run::runs_root(), flags.run);
    auto state = run::read_state(paths);
    if (!state)
        throw UserError("run " + paths.id() + " has no state.json: it was never started");
    if (flags.json)
        print_json(run_json({paths, state, ""}));
    else
        print_details(paths, *state);
    return kExitDone;
}

int stop(const RunsFlags& flags) {
    run::RunPaths paths = run::find_run(run::runs_root(), flags.run);
    auto state = run::read_state(paths);
    if (!state)
        throw UserError("run " + paths.id() + " has no state.json: it was never started");
    if (!run::is_over(state->status)) {
        if (run::is_lost(*state, wall_seconds()))
            throw UserError("run " + paths.id() + " is lost: its supervisor is gone and its ranks with it");
        run::Request request;
        request.kind = flags.now ? "kill" : "stop";
        request.from = "terminal";
        if (!flags.now)
            request.values["checkpoint"] = "true";
        std::string id = run::drop_request(paths, request);
        state = wait_until_over(paths);
        if (!state) {
            std::fprintf(stderr, "The stop of %s stays asked.\n", paths.id().c_str());
            return kExitInterrupted;
        }
    }
    if (flags.json)
        print_json(run_json({paths, state, ""}));
    else
        std::printf("%s: %s\n", run::to_string(state->status).c_str(), state->message.c_str());
    return state->status == run::Status::failed ? kExitFailed : kExitDone;
}

void add(CLI::App& runs, Action& chosen, const std::shared_ptr<RunsFlags>& flags, const char* name, const char* help,
         int (*action)(const RunsFlags&)) {
    CLI::App* command = runs.add_subcommand(name, help);
    if (action != list)
        command->add_option("run", flags->run, "Id, unique beginning or end of it, name, or folder")->required();
    command->add_flag("--json", flags->json, "For programs");
    if (action == stop)
        command->add_flag("--now", flags->now, "Kill the ranks, without a checkpoint");
    command->callback([flags, action, &chosen] { chosen = [flags, action] { return action(*flags); }; });
}

int follow_run(const RunsFlags& flags) {
    run::RunPaths paths = run::find_run(run::runs_root(), flags.run);
    int code = follow(paths, flags.json);
    if (auto state = flags.json ? run::read_state(paths) : std::nullopt)
        print_json(run_json({paths, state, ""}));
    return code;
}

}  // namespace

void add_runs(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<RunsFlags>();
    CLI::App* runs = app.add_subcommand("runs", "List, show, stop and follow runs");
    runs->require_subcommand(1);
    add(*runs, chosen, flags, "list", "All runs, newest first", list);
    add(*runs, chosen, flags, "show", "One run in detail", show);
    add(*runs, chosen, flags, "stop", "Stop a run after a checkpoint and wait for its end", stop);
    add(*runs, chosen, flags, "follow", "Replay a run's events and follow it", follow_run);
}

}  // namespace trainyard::cli
