// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/cpu_affinity.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <sched.h>
#include <unistd.h>

#include "base/cores.h"
#include "base/environment_names.h"

namespace trainyard {

namespace fs = std::filesystem;

namespace {

std::vector<int> threads_of_process(pid_t process) {
    std::vector<int> threads;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(process, sizeof set, &set) == 0)
        for (std::size_t thread = 0; thread < CPU_SETSIZE; ++thread)
            if (CPU_ISSET(thread, &set))
                threads.push_back(static_cast<int>(thread));
    return threads;
}

/// Threads of the processor that all ranks of this machine may use: those of this process before it restricted itself,
/// or none where its launcher has given it less than the launcher itself has.
const std::vector<int>& shared_threads() {
    static const std::vector<int> threads = [] {
        const std::vector<int> own = threads_of_process(0), launcher = threads_of_process(::getppid());
        return launcher.empty() || own == launcher ? own : std::vector<int>();
    }();
    return threads;
}

/// True if the kernel took the set for one thread of this process at least.
bool restrict_process(const std::vector<int>& threads) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int thread : threads)
        CPU_SET(static_cast<std::size_t>(thread), &set);
    bool taken = false;
    std::error_code error;
    for (fs::directory_iterator entry("/proc/self/task", error), end; !error && entry != end; entry.increment(error))
        taken = ::sched_setaffinity(std::atoi(entry->path().filename().c_str()), sizeof set, &set) == 0 || taken;
    return taken;
}

std::vector<int> only(const std::vector<int>& threads, const std::set<int>& allowed) {
    std::vector<int> kept;
    std::copy_if(threads.begin(), threads.end(), std::back_inserter(kept), [&](int t) { return allowed.contains(t); });
    return kept;
}

std::map<int, int> nodes_of_threads(const fs::path& sys) {
    std::map<int, int> nodes;
    std::error_code error;
    for (fs::directory_iterator entry(sys / "devices/system/node", error), end; !error && entry != end;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        if (!name.starts_with("node") || name.size() == 4)
            continue;
        for (int thread : parse_cpu_list(sysfs_line(entry->path() / "cpulist")))
            nodes[thread] = std::atoi(name.c_str() + 4);
    }
    return nodes;
}

/// Equal parts, each a run of neighbours; the first ones take one more.
std::vector<std::vector<int>> split(const std::vector<Core>& cores, int parts) {
    std::vector<std::vector<int>> result(static_cast<std::size_t>(parts));
    std::size_t count = cores.size(), each = count / result.size(), more = count % result.size(), next = 0;
    if (each == 0)
        return result;
    for (std::size_t part = 0; part < result.size(); ++part)
        for (std::size_t i = 0; i < each + (part < more ? 1 : 0); ++i, ++next)
            result[part].insert(result[part].end(), cores[next].threads.begin(), cores[next].threads.end());
    return result;
}

}  // namespace

std::vector<int> parse_cpu_list(const std::string& text) {
    std::vector<int> numbers;
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        char* end = nullptr;
        long first = std::strtol(part.c_str(), &end, 10);
        if (end == part.c_str())
            continue;
        long last = *end == '-' ? std::strtol(end + 1, nullptr, 10) : first;
        for (long number = first; number <= last && number - first < 65536; ++number)
            numbers.push_back(static_cast<int>(number));
    }
    return numbers;
}

std::string cpu_list(const std::vector<int>& threads) {
    std::string list;
    for (std::size_t i = 0, end = 0; i < threads.size(); i = end) {
        for (end = i + 1; end < threads.size() && threads[end] == threads[end - 1] + 1;)
            ++end;
        list += (list.empty() ? "" : ",") + std::to_string(threads[i]);
        if (end > i + 1)
            list += "-" + std::to_string(threads[end - 1]);
    }
    return list;
}

CpuTopology CpuTopology::read(const fs::path& root, const std::vector<int>& allowed_numbers) {
    const fs::path sys = root / "sys", proc = root / "proc";
    std::set<int> allowed(allowed_numbers.begin(), allowed_numbers.end()), seen;
    std::map<int, int> nodes = nodes_of_threads(sys);
    CpuTopology topology;
    for (int thread : allowed) {
        if (seen.contains(thread))
            continue;
        Core core;
        auto node = nodes.find(thread);
        core.node = node == nodes.end() ? 0 : node->second;
        core.threads = only(parse_cpu_list(sysfs_line(sys / "devices/system/cpu" / ("cpu" + std::to_string(thread)) /
                                                      "topology/thread_siblings_list")),
                            allowed);
        if (core.threads.empty())
            core.threads = {thread};
        seen.insert(core.threads.begin(), core.threads.end());
        topology.cores.push_back(std::move(core));
    }
    std::stable_sort(topology.cores.begin(), topology.cores.end(),
                     [](const Core& a, const Core& b) { return a.node < b.node; });
    std::set<std::string> addresses;  // in the driver's order
    std::error_code error;
    for (fs::directory_iterator entry(proc / "driver/nvidia/gpus", error), end; !error && entry != end;
         entry.increment(error))
        addresses.insert(entry->path().filename().string());
    for (const std::string& address : addresses)
        topology.near_gpus.push_back(
            only(parse_cpu_list(sysfs_line(sys / "bus/pci/devices" / address / "local_cpulist")), allowed));
    return topology;
}

void CpuTopology::choose_gpus(const char* visible) {
    if (visible == nullptr)
        return;
    std::vector<std::vector<int>> chosen;
    for (int gpu : parse_cpu_list(visible))
        if (gpu >= 0 && static_cast<std::size_t>(gpu) < near_gpus.size())
            chosen.push_back(near_gpus[static_cast<std::size_t>(gpu)]);
    near_gpus = std::move(chosen);
}

std::vector<int> allowed_threads() {
    return threads_of_process(0);
}

std::vector<std::vector<int>> cores_of_ranks(int ranks, const CpuTopology& topology) {
    auto count = static_cast<std::size_t>(std::max(0, ranks));
    if (count == 0)
        return {};
    if (topology.near_gpus.size() < count)
        return split(topology.cores, ranks);
    // Ranks whose GPUs hang on the same cores share these cores.
    std::map<std::vector<int>, std::vector<std::size_t>> neighbours;
    for (std::size_t rank = 0; rank < count; ++rank)
        neighbours[topology.near_gpus[rank]].push_back(rank);
    std::vector<std::vector<int>> result(count);
    for (const auto& [threads, sharing] : neighbours) {
        std::vector<Core> near;
        for (const Core& core : topology.cores)
            if (std::find(threads.begin(), threads.end(), core.threads.front()) != threads.end())
                near.push_back(core);
        std::vector<std::vector<int>> parts = split(near, static_cast<int>(sharing.size()));
        for (std::size_t i = 0; i < sharing.size(); ++i)
            result[sharing[i]] = parts[i];
    }
    return result;
}

std::vector<int> override_numa_affinity(const AffinityOptions& options) {
    CpuTopology topology = CpuTopology::read(options.root, shared_threads());
    if (options.on_gpu)
        topology.choose_gpus(std::getenv(kEnvVisibleGpus));
    else
        topology.near_gpus.clear();
    const std::vector<std::vector<int>> shares = cores_of_ranks(options.local_ranks, topology);
    const auto own = static_cast<std::size_t>(options.local_rank);
    if (own >= shares.size() || shares[own].empty() || !restrict_process(shares[own]))
        return {};
    return shares[own];
}

std::vector<int> set_numa_affinity(const AffinityOptions& options) {
    static const std::vector<int> threads = override_numa_affinity(options);
    return threads;
}

}  // namespace trainyard
