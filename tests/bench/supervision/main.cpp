// SPDX-License-Identifier: GPL-3.0-or-later
// bench_supervision [--seconds N] [--json]: cost of supervision while a run trains (for N seconds, 60, not counting the
// start), and the time to detect the death of a rank. Hosts are network namespaces (tests/hosts, as root) that simulate
// a cluster.
//   supervisor.cpu      share of one core: a recipe with steps of a few milliseconds on two ranks of one machine
//   supervisor.memory   its peak memory
//   head.cpu            the same for the head of a run on two hosts
//   agent.cpu           and for the agent of the second host
//   agent.memory
//   death.local         seconds from SIGKILL of a rank until state.json reports it
//   death.remote        the same for a rank on the other host

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "agents/cluster.h"
#include "bench/engine/figure.h"

using namespace trainyard;
using bench::Figure;
using test::Cluster;

namespace {

constexpr int kDeaths = 5;
constexpr double kMostCpu = 0.5;      // per cent of a core
constexpr double kMostMemory = 30e6;  // bytes
constexpr double kMostSeconds = 1;    // until a death is reported
constexpr double kSettleSeconds = 3;  // after the first step

struct Use {
    double cpu_s = 0;
    double most_bytes = 0;
};

Use use_of(int pid) {
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string text{std::istreambuf_iterator<char>(stat), {}};
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string skipped;
    for (int i = 0; i < 11; ++i)
        fields >> skipped;
    double user = 0, system = 0;
    fields >> user >> system;
    Use use;
    use.cpu_s = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
    std::ifstream status(fmt::format("/proc/{}/status", pid));
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            use.most_bytes = 1000 * std::atof(line.c_str() + 6) * 1.024;
    return use;
}

/// The pid in this namespace of a process on a host, which has its own pid namespace (tests/hosts).
int seen_from_here(const Cluster& cluster, std::size_t host, int inside) {
    if (!cluster.hosts.namespaces())
        return inside;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        int pid = std::atoi(entry.path().filename().c_str());
        std::ifstream status(entry.path() / "status");
        for (std::string line; pid > 0 && std::getline(status, line);) {
            if (!line.starts_with("NSpid:"))
                continue;
            std::istringstream numbers(line.substr(6));
            int last = 0, count = 0;
            for (int number = 0; numbers >> number; ++count)
                last = number;
            std::error_code error;
            auto own = std::filesystem::read_symlink(entry.path() / "ns/pid", error);
            auto hosts = std::filesystem::read_symlink(fmt::format("/proc/{}/ns/pid", cluster.hosts[host].init), error);
            if (count > 1 && last == inside && own == hosts)
                return pid;
        }
    }
    throw std::runtime_error(fmt::format("process {} of {} is not seen from here", inside, cluster.hosts[host].name));
}

void must_run(const Cluster& cluster, std::int64_t step) {
    run::RunState state = cluster.wait_for_step(step);
    if (state.progress.step < step || run::is_over(state.status))
        throw std::runtime_error("the run does not train: " + state.message.text());
}

void end(Cluster& cluster) {
    cluster.kill(0, static_cast<int>(cluster.state().supervisor.pid), SIGTERM);
    cluster.wait_until_over();
    cluster.leftovers();
}

void measure_cost(Cluster& cluster, std::vector<int> ranks, double seconds, const std::string& name,
                  std::vector<Figure>& figures) {
    cluster.start({.ranks = ranks, .steps = 100'000'000, .save_every = 0});
    must_run(cluster, 20);
    ::usleep(static_cast<useconds_t>(kSettleSeconds * 1e6));
    std::vector<std::pair<std::string, int>> watched{
        {name, seen_from_here(cluster, 0, static_cast<int>(cluster.state().supervisor.pid))}};
    if (ranks.size() > 1)
        watched.emplace_back("agent", seen_from_here(cluster, 1, cluster.agent_state(1).at("pid").get<int>()));
    std::vector<Use> before;
    for (const auto& [who, pid] : watched)
        before.push_back(use_of(pid));
    std::int64_t step = cluster.state().progress.step;
    double began = monotonic_seconds();
    ::usleep(static_cast<useconds_t>(seconds * 1e6));
    double passed = monotonic_seconds() - began;
    double rate = static_cast<double>(cluster.state().progress.step - step) / passed;
    for (std::size_t i = 0; i < watched.size(); ++i) {
        Use now = use_of(watched[i].second);
        figures.push_back({watched[i].first + ".cpu",
                           fmt::format("share of a core while {} ranks train, {:.0f} steps/s",
                                       ranks.size() > 1 ? "two hosts'" : "two", rate),
                           "%",
                           {100 * (now.cpu_s - before[i].cpu_s) / passed},
                           {},
                           kMostCpu,
                           true});
        figures.push_back(
            {watched[i].first + ".memory", "the most it held", "B", {now.most_bytes}, {}, kMostMemory, true});
    }
    end(cluster);
}

Figure measure_death(Cluster& cluster, bool remote) {
    Figure figure{remote ? "death.remote" : "death.local",
                  remote ? "SIGKILL of a rank of another host until state.json names it"
                         : "SIGKILL of a rank until state.json names it",
                  "s",
                  {},
                  {},
                  kMostSeconds,
                  true};
    for (int i = 0; i < kDeaths; ++i) {
        cluster.start(
            {.ranks = remote ? std::vector<int>{1, 1} : std::vector<int>{2}, .steps = 100'000'000, .save_every = 0});
        must_run(cluster, 5);
        std::size_t host = remote ? 1 : 0;
        int pid = remote ? cluster.agent_state(1).at("ranks").at(0).at("pid").get<int>()
                         : static_cast<int>(cluster.state().ranks.at(1).process.pid);
        int here = seen_from_here(cluster, host, pid);
        double killed = monotonic_seconds();
        ::kill(here, SIGKILL);
        cluster.wait_for([](const run::RunState& now) { return now.first_failure.has_value(); });
        figure.values.push_back(monotonic_seconds() - killed);
        cluster.wait_until_over();
        cluster.leftovers();
    }
    return figure;
}

int measure(double seconds, bool json) {
    std::vector<Figure> figures;
    Cluster cluster(2);
    measure_cost(cluster, {2}, seconds, "supervisor", figures);
    measure_cost(cluster, {1, 1}, seconds, "head", figures);
    figures.push_back(measure_death(cluster, false));
    figures.push_back(measure_death(cluster, true));
    bench::print(figures, json);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::main_of(
        "bench_supervision",
        [](int count, char** words) {
            double seconds = 60;
            bool json = false;
            for (int i = 1; i < count; ++i) {
                if (std::strcmp(words[i], "--json") == 0) {
                    json = true;
                } else if (std::strcmp(words[i], "--seconds") == 0 && i + 1 < count) {
                    seconds = std::atof(words[++i]);
                } else {
                    std::fputs("usage: bench_supervision [--seconds N] [--json]\n", stderr);
                    return 2;
                }
            }
            return measure(seconds, json);
        },
        argc, argv);
}
