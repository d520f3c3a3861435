// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a host has and how it is doing. Gathered by one fixed script for POSIX sh (host_script.h), on this machine as on any other, so
// that a host with nothing but sshd can be asked; parsed here. Sizes are bytes, times seconds. What a host does not tell is absent
// (empty, 0 or nullopt), never guessed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/device_formats.h"
#include "base/message.h"

namespace trainyard::remote {

/// What the engine's GPU part is built for: CUDA 13.0 (packaging/libtorch-cuda.lock), which wants a driver of series 580.
inline constexpr const char* kCudaVersion = "13.0";
inline constexpr int kOldestDriver = 580;

struct GpuProcess {
    int pid = 0;
    std::string user;
    std::string name;
    std::uint64_t memory_bytes = 0;
    std::optional<double> age_s;

    void fields(auto& field) const {
        field("pid", pid)("user", user)("name", name)("memory_bytes", memory_bytes)("age_s", age_s);
    }
};

struct GpuFacts {
    int index = 0;
    std::string vendor = "nvidia";  ///< nvidia | amd | intel
    std::string name;
    std::string uuid;
    std::string pci;
    std::uint64_t memory_bytes = 0;
    std::uint64_t memory_used_bytes = 0;
    std::optional<double> temperature_c;
    std::optional<double> power_w;
    std::optional<double> busy_percent;
    std::string compute_capability;  ///< "9.0"
    std::vector<GpuProcess> processes;

    void fields(auto& field) const {
        field("index", index)("vendor", vendor)("name", name)("uuid", uuid)("pci", pci)("memory_bytes", memory_bytes);
        field("memory_used_bytes", memory_used_bytes)("temperature_c", temperature_c)("power_w", power_w);
        field("busy_percent", busy_percent)("compute_capability", compute_capability)("processes", processes);
    }
};

struct InterfaceFacts {
    std::string name;
    std::string address;  ///< IPv4 or IPv6 without a scope
    int prefix = 0;       ///< 24 of /24
    std::optional<std::uint64_t> bits_per_s;
    bool is_loopback() const { return name == "lo"; }

    void fields(auto& field) const {
        field("name", name)("address", address)("prefix", prefix)("bits_per_s", bits_per_s);
    }
};

struct InfinibandFacts {
    std::string device;  ///< mlx5_0
    int port = 1;
    std::string state;  ///< ACTIVE
    std::string rate;   ///< "400 Gb/sec (4X NDR)"
    std::string link;   ///< InfiniBand | Ethernet

    void fields(auto& field) const {
        field("device", device)("port", port)("state", state)("rate", rate)("link", link);
    }
};

struct HostFacts {
    std::string host_name;
    std::string system;     ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel;     ///< "6.1.0-18-amd64"
    std::string machine;    ///< x86_64
    std::string c_library;  ///< "glibc 2.36", "musl"; empty: unknown
    std::string cpu;
    int cores = 0;           ///< that this account may use
    int physical_cores = 0;  ///< without their second threads; 0: unknown
    /// The flags of /proc/cpuinfo that number formats depend on; empty: unknown.
    std::string cpu_formats;
    std::uint64_t memory_bytes = 0;
    std::uint64_t memory_available_bytes = 0;
    std::optional<double> load_1m;
    std::optional<double> uptime_s;

    std::string user;
    std::string home;
    std::string runs_folder;            ///< where its runs are kept
    std::uint64_t disk_free_bytes = 0;  ///< of the file system of runs_folder, for this account
    std::uint64_t disk_total_bytes = 0;
    std::uint64_t cache_free_bytes = 0;  ///< where the bundle goes

    std::string driver;   ///< "580.95.05"; empty: none
    std::string cuda;     ///< the driver's highest CUDA, "13.0"
    Message gpu_problem;  ///< nvidia-smi is there and says what is wrong, first line
    std::string nccl;     ///< of the system, "2.27.5"; empty: none
    std::vector<GpuFacts> gpus;
    /// `nvidia-smi topo -m`: between GPUs i and j, "NV18", "PIX", "SYS", "X"; empty: unknown or one GPU.
    std::vector<std::vector<std::string>> gpu_links;
    std::vector<InfinibandFacts> infiniband;
    std::vector<InterfaceFacts> interfaces;

    std::string python;                ///< "3.11.2"; empty: there is none
    std::string python_torch;          ///< version of torch in it, by its metadata; empty: none
    std::string engine;                ///< version of a `trainyard` in its PATH; empty: none
    std::vector<std::string> bundles;  ///< hashes of the bundles that are there

    /// The host's wall clock minus ours, and half of the width of what is possible. Absent on the host itself.
    std::optional<double> clock_offset_s;
    double clock_error_s = 0;

    void fields(auto& field) const {
        field("host_name", host_name)("system", system)("kernel", kernel)("machine", machine)("c_library", c_library);
        field("cpu", cpu)("cores", cores)("physical_cores", physical_cores)("memory_bytes", memory_bytes);
        field("cpu_formats", cpu_formats);
        field("memory_available_bytes", memory_available_bytes)("load_1m", load_1m)("uptime_s", uptime_s)("user", user);
        field("home", home)("runs_folder", runs_folder)("disk_free_bytes", disk_free_bytes);
        field("disk_total_bytes", disk_total_bytes)("cache_free_bytes", cache_free_bytes)("driver", driver);
        field("cuda", cuda)("gpu_problem", gpu_problem)("nccl", nccl)("gpus", gpus)("gpu_links", gpu_links);
        field("infiniband", infiniband)("interfaces", interfaces)("python", python)("python_torch", python_torch);
        field("engine", engine)("bundles", bundles)("clock_offset_s", clock_offset_s)("clock_error_s", clock_error_s);
    }
};

std::string to_json(const HostFacts& facts);
/// Throws UserError naming `origin`. Unknown keys are ignored.
HostFacts parse_host_facts(const std::string& json, const std::string& origin);

/// What the script printed. `sent` and `received`: our wall seconds before it was started and after its last line came, for the clock
/// (0: no offset is computed). Throws UserError naming `host` when it was cut short.
HostFacts parse_host_script(const std::string& output, const std::string& host, double sent = 0, double received = 0);

/// The device that ranks of a kind (cpu, cuda) have there, of several the least able one.
DeviceFacts device_facts(const HostFacts& facts, std::string_view kind);

/// Asks this machine; runs the script (at most about 5 s). `runs_folder` empty: run::runs_root(); `interpreter` empty: python3.
HostFacts local_facts(const std::string& runs_folder = {}, const std::string& interpreter = {});

/// `8 x NVIDIA H100 80GB HBM3 · 2 x AMD ...`; "no GPU".
std::string gpu_line(const HostFacts& facts);

}  // namespace trainyard::remote
