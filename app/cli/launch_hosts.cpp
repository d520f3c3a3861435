// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/launch_hosts.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "cli/follow.h"
#include "cli/launch_check.h"
#include "cli/launch_recipe.h"
#include "cli/say.h"
#include "cli/secret_terminal.h"
#include "cli/terminal.h"
#include "launch/plan/counts.h"
#include "launch/supervisor/launch_flags.h"
#include "launch/supervisor/rank_orders.h"
#include "remote/remote_run.h"
#include "run/mirror.h"
#include "run/state.h"

namespace trainyard::cli {

namespace {

constexpr double kFirstWord = 30;  ///< seconds until the mirror has the run's first state

/// Reports the copy to a host once, with its size; on a terminal also its progress, on one line that is redrawn.
class CopyLine {
  public:
    void show(const std::string& host, const remote::CopyProgress& progress) {
        if (progress.total == 0)
            return;
        const char* what = progress.checkpoint ? "checkpoint" : "engine";
        if (reported_.emplace(host, progress.checkpoint).second) {
            end();
            say_format(stderr, "trainyard: copying the %s to %s, %s%s\n", what, host.c_str(),
                       text::file_size(progress.total).c_str(),
                       progress.checkpoint ? "" : ", once for this version of Trainyard");
        }
        if (!is_terminal(STDERR_FILENO))
            return;
        std::fprintf(stderr, "\r\033[Kcopying the %s to %s: %s of %s", what, host.c_str(),
                     text::file_size(progress.done).c_str(), text::file_size(progress.total).c_str());
        shown_ = true;
    }
    void end() {
        if (shown_)
            std::fprintf(stderr, "\r\033[K");
        shown_ = false;
    }

  private:
    bool shown_ = false;
    std::set<std::pair<std::string, bool>> reported_;  ///< host, and whether it was a checkpoint
};

/// Ctrl-C cancels the launch, as long as this lives.
class CancelOnInterrupt {
  public:
    explicit CancelOnInterrupt(remote::RemoteLauncher& launcher)
        : thread_([this, &launcher] {
              InterruptFlag interrupt;
              while (!done_) {
                  if (interrupt.taken()) {
                      launcher.cancel();
                      return;
                  }
                  ::usleep(50'000);
              }
          }) {}
    ~CancelOnInterrupt() {
        done_ = true;
        thread_.join();
    }
    CancelOnInterrupt(const CancelOnInterrupt&) = delete;
    CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;

  private:
    std::atomic<bool> done_ = false;
    std::thread thread_;
};

}  // namespace

void wait_for_first_word(const run::RunPaths& paths) {
    double until = monotonic_seconds() + kFirstWord;
    std::error_code error;
    while (!std::filesystem::exists(paths.state(), error) && monotonic_seconds() < until)
        ::usleep(20'000);
    if (!std::filesystem::exists(paths.state(), error)) {
        auto mirror = run::read_mirror(paths);
        if (mirror && !mirror->message.empty())
            throw UserError("run {} was started, but has not reported yet ({}): try `trainyard runs follow {}` later",
                            paths.id(), mirror->message, word_of_run(paths));
        throw UserError("run {} was started, but has not reported yet: try `trainyard runs follow {}` later",
                        paths.id(), word_of_run(paths));
    }
}

namespace {

remote::RemoteLaunch launch_of(const plan::Flags& flags, run::RunSpec spec) {
    remote::RemoteLaunch launch;
    if (flags.hosts.empty())
        launch.hosts = {{"localhost", spec.launch.num_processes}};
    for (const plan::HostRanks& host : plan::host_shares(flags))
        launch.hosts.push_back({host.host, host.ranks});
    launch.find_device = !flags.is_on("cpu");
    launch.spec = std::move(spec);
    launch.queued = flags.is_on("queue");
    launch.run_dir = flags.text("run_dir");
    return launch;
}

remote::ConnectOptions with_asker(remote::Asker* asker) {
    remote::ConnectOptions options;
    options.asker = asker;
    return options;
}

}  // namespace

struct HostsLaunch::Parts {
    Parts(const plan::Flags& flags, run::RunSpec spec)
        : quiet(flags.is_on("json") || flags.is_on("quiet") || flags.is_on("check")),
          asker(secret_terminal()),
          launcher(launch_of(flags, std::move(spec)), with_asker(asker.get())),
          cancel(std::in_place, launcher) {}

    bool quiet;
    CopyLine copying;
    std::unique_ptr<remote::Asker> asker;
    remote::RemoteLauncher launcher;
    std::optional<CancelOnInterrupt> cancel;
};

HostsLaunch::HostsLaunch(const plan::Flags& flags, run::RunSpec spec)
    : parts_(std::make_unique<Parts>(flags, std::move(spec))) {
    bool json = flags.is_on("json");
    parts_->launcher.on_copy = [this, json](const std::string& host, const remote::CopyProgress& progress) {
        if (!json)
            parts_->copying.show(host, progress);
    };
    parts_->launcher.on_check = [this](const remote::CheckResult& one) {
        if (one.state == remote::CheckResult::State::warning && !parts_->quiet) {
            parts_->copying.end();
            say_format(stderr, "trainyard: warning: %s: %s\n", one.host.c_str(), one.text.text().c_str());
        }
    };
}

HostsLaunch::~HostsLaunch() {
    end_line();
}

remote::RemoteLauncher& HostsLaunch::launcher() {
    return parts_->launcher;
}

void HostsLaunch::end_line() {
    parts_->copying.end();
}

remote::StartedRun HostsLaunch::start() {
    remote::StartedRun started = parts_->launcher.start();
    parts_->cancel.reset();
    return started;
}

void HostsLaunch::check() {
    bool fine = parts_->launcher.check();
    end_line();
    if (!fine)
        throw InvalidInput(parts_->launcher.problems());
}

namespace {

/// Command and environment of every rank, settings and run.yaml, as --dry-run prints them for one machine.
void print_hosts_plan(const remote::RemoteLauncher& launcher, const std::vector<plan::RecipeSetting>& settings) {
    const run::RunSpec spec = launcher.planned_spec();
    const std::vector<run::MachineSpec>& machines = spec.launch.machines;
    const int port = spec.launch.main_process_port;
    const std::vector<launch::MachineOrder> orders =
        launch::rank_orders(run::RunPaths(""), spec, machines, {.port = port}, "trainyard-worker");
    for (std::size_t i = 0; i < orders.size(); ++i) {
        std::vector<std::string> command = orders[i].command;
        if (!spec.program)
            command = {(std::filesystem::path(launcher.program_on(i)).parent_path() / "trainyard-worker").string()};
        say_format(stdout, "# %s: %d rank%s: %s\n", machines[i].host.c_str(), machines[i].ranks,
                   machines[i].ranks == 1 ? "" : "s", fmt::format("{}", fmt::join(command, " ")).c_str());
        for (const launch::RankOrder& rank : orders[i].ranks) {
            std::map<std::string, std::string> variables = orders[i].environment;
            for (const auto& [name, value] : rank.environment)
                variables[name] = value;
            for (const char* at_start : {kEnvRunDirectory, kEnvGeneration})
                variables.erase(at_start);
            if (port == 0)
                variables.erase(kEnvMasterPort);
            std::string line = fmt::format("# rank {} on {}:", rank.rank, machines[i].host);
            for (const auto& [name, value] : variables)
                line += fmt::format(" {}={}", name, value);
            say_format(stdout, "%s\n", line.c_str());
        }
    }
    if (port == 0)
        say_format(stdout, "# %s: a free port of %s, chosen at the start\n", kEnvMasterPort,
                   machines.front().host.c_str());
    for (const auto& [name, words] : launch::words_of_machine_variables(machines.size()))
        say_format(stdout, "# each machine adds %s: %s\n", name.c_str(), words.c_str());
    print_spec(spec, settings);
}

/// Without --tee and --redirects the output of a program is shown, as on one machine.
void show_output_of_program(const plan::Flags& flags, run::RunSpec& spec) {
    if (spec.program && !flags.has("tee") && !flags.has("redirects"))
        spec.launch.output.tee = "3";
}

}  // namespace

int launch_on_hosts(const plan::Flags& flags, run::RunSpec spec, const std::vector<plan::RecipeSetting>& settings) {
    bool json = flags.is_on("json");
    if (json && flags.is_on("dry_run")) {
        // Prints the plan for programs that check and start the hosts themselves (the desktop). No host is contacted.
        remote::RemoteLaunch launch = launch_of(flags, std::move(spec));
        nlohmann::json plan{{"run_yaml", run::to_yaml(launch.spec)}, {"find_device", launch.find_device}};
        say_format(stdout, "%s\n", json_text(plan).c_str());
        return kExitDone;
    }
    if (flags.is_on("check"))
        return check_launch(flags, std::move(spec));
    show_output_of_program(flags, spec);
    remote::StartedRun started{run::RunPaths(""), "", ""};
    try {
        HostsLaunch hosts(flags, std::move(spec));
        hosts.check();
        if (flags.is_on("dry_run")) {
            hosts.end_line();
            print_hosts_plan(hosts.launcher(), settings);
            return kExitDone;
        }
        started = hosts.start();
    } catch (const remote::ConnectionError& error) {
        if (error.cause() != remote::Cause::cancelled)
            throw;
        say_format(stderr, "trainyard: cancelled: nothing is left on any host\n");
        return kExitInterrupted;
    }
    if (json)
        say_format(stdout, "%s\n",
                   json_text(nlohmann::json{{"run_id", started.paths.id()},
                                            {"path", started.paths.root().string()},
                                            {"host", started.host},
                                            {"remote_path", started.remote_path}})
                       .c_str());
    else
        say_format(stdout, "%s\n%s\n", started.paths.id().c_str(), started.paths.root().c_str());
    std::fflush(stdout);
    wait_for_first_word(started.paths);  // then `trainyard runs` can ask it, too
    if (flags.is_on("detach"))
        return kExitDone;
    int code = follow(started.paths, json);
    if (auto state = json ? run::read_state(started.paths) : std::nullopt)
        say_format(stdout, "%s", run::to_json(*state).c_str());
    return code;
}

}  // namespace trainyard::cli
