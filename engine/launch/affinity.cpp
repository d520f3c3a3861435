#include "launch/affinity.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <sched.h>

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

std::string first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
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
        for (int thread : parse_cpu_list(first_line(entry->path() / "cpulist")))
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

Topology Topology::read(const fs::path& sys, const fs::path& proc, const std::vector<int>& allowed_threads) {
    std::set<int> allowed(allowed_threads.begin(), allowed_threads.end()), seen;
    std::map<int, int> nodes = nodes_of_threads(sys);
    Topology topology;
    for (int thread : allowed) {
        if (seen.contains(thread))
            continue;
        Core core;
        auto node = nodes.find(thread);
        core.node = node == nodes.end() ? 0 : node->second;
        core.threads = only(parse_cpu_list(first_line(sys / "devices/system/cpu" / ("cpu" + std::to_string(thread)) /
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
            only(parse_cpu_list(first_line(sys / "bus/pci/devices" / address / "local_cpulist")), allowed));
    return topology;
}

Topology Topology::of_this_machine(const char* visible) {
    std::vector<int> allowed;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0)
        for (std::size_t thread = 0; thread < CPU_SETSIZE; ++thread)
            if (CPU_ISSET(thread, &set))
                allowed.push_back(static_cast<int>(thread));
    Topology topology = read("/sys", "/proc", allowed);
    if (visible == nullptr)
        visible = std::getenv("CUDA_VISIBLE_DEVICES");
    if (visible == nullptr)
        return topology;
    std::vector<std::vector<int>> chosen;
    for (int gpu : parse_cpu_list(visible))
        if (gpu >= 0 && static_cast<std::size_t>(gpu) < topology.near_gpus.size())
            chosen.push_back(topology.near_gpus[static_cast<std::size_t>(gpu)]);
    topology.near_gpus = std::move(chosen);
    return topology;
}

std::vector<std::vector<int>> cores_of_ranks(int ranks, const Topology& topology) {
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

}  // namespace trainyard::launch
