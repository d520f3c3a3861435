// SPDX-License-Identifier: GPL-3.0-or-later
// bench_sharing [--background N] [--rounds N] [--peer-python PATH] [--json]: interference of several runs on one
// machine. A run of two ranks with 0.83 M parameters is measured alone and together with N (3) runs of 10.8 M
// parameters that use all cores; with a peer, alternating with Accelerate's two ranks.
//   alone    tokens/s of the only run
//   beside   tokens/s together with the other runs
//   kept     the remaining speed in per cent; a fair share is that of its threads among all threads

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <memory>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "bench/engine/contestant.h"
#include "bench/engine/figure.h"
#include "config/inputs/byte_corpus.h"
#include "run/state.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

constexpr double kStartSeconds = 120;  // limit for the first steps of a background run
const Shape kMeasured{"small", "0.83 M parameters", 4, 4, 128, 64, 12, 120, 20};
const Shape kBackground{"large", "10.8 M parameters", 6, 6, 384, 256, 4, 1'000'000, 0};
const Mode kTwoRanks{2, "no", false};

/// A run that trains until the object is destroyed.
class BackgroundRun {
  public:
    BackgroundRun(Setting setting, int number) : folder_(setting.work / fmt::format("background-{}", number)) {
        fs::path recipe = setting.work / fmt::format("background-{}.yaml", number);
        write_file_atomically(recipe, recipe_text(setting, kBackground, {}), false);
        std::string program = (setting.programs / "trainyard").string();
        launcher_ = ::fork();
        if (launcher_ == 0) {
            std::freopen("/dev/null", "w", stdout);
            ::execl(program.c_str(), program.c_str(), "launch", "--json", "--cpu", "--num_processes", "1",
                    "--num_cpu_threads_per_process", std::to_string(setting.cores).c_str(), "--run_dir",
                    folder_.c_str(), recipe.c_str(), nullptr);
            ::_exit(127);
        }
        double begin = monotonic_seconds();
        while (!state() || state()->progress.step < 2) {
            if (monotonic_seconds() - begin > kStartSeconds)
                throw std::runtime_error("a run in the background does not train");
            ::usleep(100'000);
        }
    }
    BackgroundRun(const BackgroundRun&) = delete;
    BackgroundRun& operator=(const BackgroundRun&) = delete;
    ~BackgroundRun() {
        if (auto last = state(); last && last->supervisor.pid > 0)
            ::kill(last->supervisor.pid, SIGTERM);
        else
            ::kill(launcher_, SIGTERM);
        int status = 0;
        ::waitpid(launcher_, &status, 0);
    }

  private:
    std::optional<run::RunState> state() const {
        try {
            return run::read_state(run::RunPaths(folder_));
        } catch (const UserError&) {
            return std::nullopt;  // not written yet
        }
    }
    fs::path folder_;
    pid_t launcher_ = -1;
};

int run(int argc, char** argv) {
    Setting setting;
    setting.cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    setting.peer_script = TRAINYARD_TESTS_DIR "/bench/peer/train_gpt.py";
    std::string programs = TRAINYARD_BIN_DIR;
    int background = 3, rounds = 3;
    bool json = false;
    CLI::App app("What several runs on one machine do to each other");
    app.add_option("--background", background, "Runs beside the measured one")->check(CLI::Range(1, 64));
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 1000));
    app.add_option("--programs", programs, "Folder of trainyard and trainyard-worker");
    app.add_option(
        "--peer-python", setting.peer_python,
        "Interpreter of an environment with tests/bench/peer/requirements.txt; without it only ours is measured");
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    const test::TemporaryFolder folder;
    setting.work = folder.path();
    setting.programs = programs;
    setting.text = one_file("/usr/share/perl", "*.pod", setting.work);
    Figure alone{"alone", "tokens/s of 2 ranks, nothing else runs", "tokens/s", {}, {}, {}};
    Figure beside{"beside", fmt::format("the same beside {} runs of 10.8 M parameters", background), "tokens/s", {}, {},
                  {}};
    auto measure = [&](Figure& figure) {
        figure.values.push_back(run_ours(setting, kMeasured, kTwoRanks).tokens_per_s);
        if (!setting.peer_python.empty())
            figure.peer.push_back(run_peer(setting, kMeasured, kTwoRanks).tokens_per_s);
    };
    for (int round = 0; round < rounds; ++round)
        measure(alone);
    {
        std::vector<std::unique_ptr<BackgroundRun>> others;
        for (int number = 0; number < background; ++number)
            others.push_back(std::make_unique<BackgroundRun>(setting, number));
        for (int round = 0; round < rounds; ++round)
            measure(beside);
    }
    Figure kept{"kept", "speed beside the others, of that alone", "%", {}, {}, {}};
    for (double speed : beside.values)
        kept.values.push_back(100 * speed / median(alone.values));
    for (double speed : beside.peer)
        kept.peer.push_back(100 * speed / median(alone.peer));
    if (!setting.peer_python.empty())
        beside.target = 1.0;
    print({alone, beside, kept}, json);
    return kExitDone;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_sharing", trainyard::bench::run, argc, argv);
}
