// SPDX-License-Identifier: GPL-3.0-or-later
// bench_launch_hosts [--json]: `trainyard launch --hosts` on 1 to 16 test hosts (tests/hosts, each with a real sshd)
// with a program that only sleeps, so that only connecting, checking, starting and joining are measured.
//   overhead.N   seconds from the command until the ranks of all N hosts are started, according to the run's state

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "run/state.h"
#include "support/hosts.h"

using namespace trainyard;
using bench::Figure;

namespace {

constexpr int kRounds = 5;
constexpr double kTarget = 2;  // seconds

/// Whether all ranks run, according to state.json of the first host.
bool all_run(const run::RunState& state) {
    if (state.started <= 0 || state.ranks.empty())
        return false;
    for (const run::RankState& rank : state.ranks)
        if (rank.process.pid == 0)
            return false;
    return true;
}

Figure measure(int count) {
    test::TestHosts hosts({.count = count, .shares = {TRAINYARD_BUILD_DIR, TRAINYARD_TORCH_FOLDER}});
    test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "config" / "trainyard");
    std::string names;
    {
        std::ofstream file(folder.path() / "config" / "trainyard" / "hosts.yaml");
        file << "hosts:\n";
        for (const test::TestHost& host : hosts.all()) {
            file << "  - name: " << host.name << "\n    engine: " TRAINYARD_BIN_DIR "/trainyard\n";
            names += (names.empty() ? "" : ",") + host.name + ":1";
        }
    }
    std::vector<std::string> variables{
        "TRAINYARD_SSH_CONFIG=" + hosts.ssh_config().string(), "XDG_CONFIG_HOME=" + (folder.path() / "config").string(),
        "XDG_CACHE_HOME=" + (folder.path() / "cache").string(), "TRAINYARD_RUNS=" + (folder.path() / "runs").string()};
    Figure figure{fmt::format("overhead.{}", count),
                  fmt::format("command until ranks run, {} host{}", count, count == 1 ? "" : "s"),
                  "s",
                  {},
                  {},
                  kTarget,
                  true};
    const std::string program = TRAINYARD_BIN_DIR "/trainyard";
    for (int round = -1; round < kRounds; ++round) {  // the first round loads files into the page cache
        double begun = monotonic_seconds();
        std::string said = bench::output_of({program, "launch", "-q", "--cpu", "--json", "--detach", "--hosts", names,
                                             "--no_python", "/bin/sleep", "60"},
                                            variables);
        nlohmann::json started = nlohmann::json::parse(said);
        run::RunPaths there(hosts.home_of(hosts[0].name) / "runs" / started.at("run_id").get<std::string>());
        while (monotonic_seconds() - begun < 60) {
            auto state = run::read_state(there);
            if (state && all_run(*state))
                break;
            ::usleep(2'000);
        }
        if (round >= 0)
            figure.values.push_back(monotonic_seconds() - begun);
        bench::output_of({program, "runs", "stop", "--now", started.at("run_id")}, variables);
    }
    return figure;
}

int measure_all(bool json) {
    std::vector<Figure> figures;
    for (int count : {1, 2, 4, 8, 16})
        figures.push_back(measure(count));
    bench::print(figures, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of(
        "bench_launch_hosts",
        [](int count, char** words) {
            if (count > 2 || (count == 2 && std::strcmp(words[1], "--json") != 0)) {
                std::fprintf(stderr, "usage: bench_launch_hosts [--json]\n");
                return 2;
            }
            return measure_all(count == 2);
        },
        argc, argv);
}
