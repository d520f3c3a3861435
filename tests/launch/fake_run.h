// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run of the fake worker under a real, detached supervisor, in a temporary folder. Nothing outlives it.

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <unistd.h>

#include "base/clock.h"
#include "launch/supervisor/daemon.h"
#include "run/journal.h"
#include "run/request.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

class FakeRun {
  public:
    FakeRun() {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_.path() / "home").c_str(), 1);  // not the user's default settings
        ::unsetenv("TRAINYARD_CONFIG");
        ::setenv("TRAINYARD_WORKER", TRAINYARD_BIN_DIR "/../tests/trainyard-fake-worker", 1);
        std::ofstream(folder_.path() / "text.txt") << std::string(200'000, 'x');
        std::ofstream(recipe()) << "name: fake\ndata: {path: text.txt}\n";
        options.window_s = 1.0;
    }
    ~FakeRun() {
        if (auto now = state(); now && is_alive(now->supervisor) && now->supervisor.pid != ::getpid())
            ::kill(now->supervisor.pid, SIGKILL);
    }

    /// `directives` as in fake_worker.cpp.
    void start(int ranks, const std::string& directives, int steps = 20, int step_ms = 10) {
        ::setenv("FAKE_DO", directives.c_str(), 1);
        ::setenv("FAKE_STEPS", std::to_string(steps).c_str(), 1);
        ::setenv("FAKE_STEP_MS", std::to_string(step_ms).c_str(), 1);
        launch::LaunchOptions asked;
        asked.file = recipe();
        asked.num_processes = ranks;
        asked.device.cpu = true;
        launch::CheckedLaunch checked = launch::check_launch(asked);
        if (adjust)
            adjust(checked.spec.launch);
        launch::PreparedRun prepared = launch::create_run(std::move(checked));
        paths = prepared.paths;
        launch::start_detached(std::move(prepared), options);
    }

    /// Ranks that run `sh -c script`. Detached, or in this process; then the exit code is returned.
    int start_shell(int ranks, const std::string& script, bool foreground = false) {
        run::RunSpec spec;
        spec.recipe.name = "shell";
        spec.program.emplace();
        spec.program->command = {"/bin/sh", "-c", script};
        spec.program->directory = folder_.path();
        spec.launch.num_processes = ranks;
        if (adjust)
            adjust(spec.launch);
        launch::PreparedRun prepared = launch::create_run(launch::check_spec(std::move(spec)));
        paths = prepared.paths;
        if (foreground)
            return launch::run_in_foreground(std::move(prepared), options);
        launch::start_detached(std::move(prepared), options);
        return 0;
    }

    std::filesystem::path folder() const { return folder_.path(); }

    std::filesystem::path recipe() const { return folder_.path() / "recipe.yaml"; }
    std::filesystem::path runs() const { return folder_.path() / "runs"; }
    std::optional<run::RunState> state() const { return paths ? run::read_state(*paths) : std::nullopt; }

    /// The first state for which `holds`; the last one seen when that does not come in `seconds`.
    run::RunState wait_for(const std::function<bool(const run::RunState&)>& holds, double seconds = 30) const {
        double deadline = monotonic_seconds() + seconds;
        run::RunState last = state().value();
        while (!holds(last) && monotonic_seconds() < deadline) {
            ::usleep(10'000);
            last = state().value();
        }
        return last;
    }
    run::RunState wait_until_over(double seconds = 30) const {
        return wait_for([](const run::RunState& state) { return run::is_over(state.status); }, seconds);
    }
    run::RunState wait_for_step(std::int64_t step) const {
        return wait_for([&](const run::RunState& state) {
            return run::is_over(state.status) || (state.status == run::Status::running && state.progress.step >= step);
        });
    }

    std::string ask(const std::string& kind, std::map<std::string, std::string> values = {}) const {
        run::Request request;
        request.kind = kind;
        request.values = std::move(values);
        request.from = "test";
        return run::drop_request(*paths, request);
    }
    run::Request wait_for_answer(const std::string& id, double seconds = 30) const {
        double deadline = monotonic_seconds() + seconds;
        for (;;) {
            if (auto answer = run::finished_request(*paths, id))
                return *answer;
            if (monotonic_seconds() > deadline)
                return {};
            ::usleep(10'000);
        }
    }

    std::vector<run::Event> events(const std::string& kind) const {
        std::vector<run::Event> chosen;
        for (const run::Event& event : run::JournalReader(paths->journal()).poll())
            if (event.kind == kind)
                chosen.push_back(event);
        return chosen;
    }

    launch::SupervisorOptions options;
    std::function<void(run::LaunchSpec&)> adjust;  ///< before the start
    std::optional<run::RunPaths> paths;

  private:
    TemporaryFolder folder_;
};

inline bool any_alive(const run::RunState& state) {
    for (const run::RankState& rank : state.ranks)
        if (is_alive(rank.process))
            return true;
    return false;
}

}  // namespace trainyard::test
