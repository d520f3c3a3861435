// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The processor cores that a rank runs on: its share of those that this process may use, second threads of a core
// together, cores of one memory node together, and for a rank with a GPU those next to it. From sysfs; no driver is
// loaded or asked.

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

struct Core {
    int node = 0;              ///< memory node (NUMA)
    std::vector<int> threads;  ///< numbers as the kernel counts them
};

struct CpuTopology {
    std::vector<Core> cores;  ///< by node, then by number; only threads that may be used
    std::vector<std::vector<int>>
        near_gpus;  ///< threads next to each visible GPU, in the order of the driver (PCI address)

    /// From the folders /sys and /proc below `root`; `allowed`: threads that may be used.
    static CpuTopology read(const std::filesystem::path& root, const std::vector<int>& allowed);
    /// Leaves the GPUs that `visible` names, a value of CUDA_VISIBLE_DEVICES, in its order. nullptr leaves all.
    void choose_gpus(const char* visible);
};

/// Threads that this process may use.
std::vector<int> allowed_threads();

/// Threads of each of `ranks` local ranks. Ranks with a GPU share the threads next to it with the ranks whose GPU is
/// next to the same ones; otherwise ranks get whole cores as evenly as possible. Empty for a rank: no constraint (more
/// ranks than cores).
std::vector<std::vector<int>> cores_of_ranks(int ranks, const CpuTopology& topology);

/// A list of sysfs such as `0-3,8,10-11`; numbers that cannot be read are left out.
std::vector<int> parse_cpu_list(const std::string& text);

/// Sorted numbers as such a list.
std::string cpu_list(const std::vector<int>& threads);

/// A rank that set_numa_affinity() binds to cores.
struct AffinityOptions {
    int local_rank = 0;
    int local_ranks = 1;               ///< number of ranks on this machine
    bool on_gpu = true;                ///< false: the rank computes on the processor, so that no GPU is near
    std::filesystem::path root = "/";  ///< folder that has /sys and /proc
};

/// Restricts all threads of this process to the cores next to the GPU of its local rank, or to its share of the cores
/// (cores_of_ranks()), and returns them. Returns an empty list and changes nothing where no cores can be given, and
/// where the launcher has bound this process already, so that it may use less than its parent. Corresponds to
/// accelerate.utils.override_numa_affinity.
std::vector<int> override_numa_affinity(const AffinityOptions& options);

/// The same, once in a process: later calls return the cores of the first one. Corresponds to
/// accelerate.utils.set_numa_affinity.
std::vector<int> set_numa_affinity(const AffinityOptions& options);

}  // namespace trainyard
