#pragma once
// Which cores a rank runs on: its share of those this process may use, second threads of a core together, cores of one memory node
// together, and for a rank with a GPU those next to it. From sysfs; nothing is loaded or asked of a driver.

#include <filesystem>
#include <vector>

namespace trainyard::launch {

struct Core {
    int node = 0;              ///< memory node (NUMA)
    std::vector<int> threads;  ///< numbers as the kernel counts them
};

struct Topology {
    std::vector<Core> cores;  ///< by node, then by number; only threads that may be used
    std::vector<std::vector<int>>
        near_gpus;  ///< threads next to each visible GPU, in the order of the driver (PCI address)

    /// `sys` and `proc` for tests; `allowed`: threads that may be used.
    static Topology read(const std::filesystem::path& sys, const std::filesystem::path& proc,
                         const std::vector<int>& allowed);
    /// `visible`, or CUDA_VISIBLE_DEVICES where it is null, chooses and orders the GPUs by their numbers.
    static Topology of_this_machine(const char* visible = nullptr);
};

/// Threads of each of `ranks` local ranks. Ranks with a GPU share the threads next to it with the ranks whose GPU is next to the same
/// ones; otherwise ranks get whole cores as evenly as can be. Empty for a rank: no constraint (more ranks than cores).
std::vector<std::vector<int>> cores_of_ranks(int ranks, const Topology& topology);

/// `0-3,8,10-11` as sysfs writes it; what cannot be read is left out.
std::vector<int> parse_cpu_list(const std::string& text);

}  // namespace trainyard::launch
