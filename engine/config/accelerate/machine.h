// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a machine has, as far as settings depend on it. Plain data, so that tests and remote hosts can describe one;
// launch/plan/probe.h finds it out for this machine.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/device_formats.h"

namespace trainyard::settings {

struct Machine {
    std::string device = "cpu";  ///< cuda xpu mlu sdaa musa npu hpu neuron mps, or cpu
    int device_count = 0;        ///< accelerators that are visible
    int physical_cores = 1;
    std::vector<int> ports_in_use;   ///< of those asked about
    int free_port = 0;               ///< one that can be had for `main_process_port: 0`
    std::optional<std::string> mpi;  ///< openmpi | intel | mpich | mvapich, by the version text of mpirun or mpiexec
    std::string mpi_program = "mpirun";    ///< mpirun or mpiexec
    std::optional<std::string> deepspeed;  ///< version, when the Python package is there
    bool fp8 = false;                      ///< an FP8 library is there
    bool bf16 = true;
    bool tpu = false;
    bool p2p_ok = true;  ///< false: RTX 40 with a driver below 550.40.07, NCCL must not use P2P
    std::string driver;  ///< version of NVIDIA's kernel module, e.g. 550.54.15; empty: it is not loaded
    std::vector<std::string> device_names;
    std::string host_name;  ///< empty: not known
    DeviceFacts processor;

    /// What ranks on a kind of device compute with: of several the one with the least compute capability.
    DeviceFacts device_facts(std::string_view kind) const {
        return kind == "cpu" ? processor : least_able_accelerator(kind, device_names);
    }
};

}  // namespace trainyard::settings
