#pragma once
// What a host has and how it is doing. Gathered by one fixed script for POSIX sh (host_script.h), on this machine as on any other, so
// that a host with nothing but sshd can be asked; parsed here. Sizes are bytes, times seconds. What a host does not tell is absent
// (empty, 0 or nullopt), never guessed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

    template <typename Describe>
    static void fields(Describe& field) {
        field("pid", &GpuProcess::pid);
        field("user", &GpuProcess::user);
        field("name", &GpuProcess::name);
        field("memory_bytes", &GpuProcess::memory_bytes);
        field("age_s", &GpuProcess::age_s);
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

    template <typename Describe>
    static void fields(Describe& field) {
        field("index", &GpuFacts::index);
        field("vendor", &GpuFacts::vendor);
        field("name", &GpuFacts::name);
        field("uuid", &GpuFacts::uuid);
        field("pci", &GpuFacts::pci);
        field("memory_bytes", &GpuFacts::memory_bytes);
        field("memory_used_bytes", &GpuFacts::memory_used_bytes);
        field("temperature_c", &GpuFacts::temperature_c);
        field("power_w", &GpuFacts::power_w);
        field("busy_percent", &GpuFacts::busy_percent);
        field("compute_capability", &GpuFacts::compute_capability);
        field("processes", &GpuFacts::processes);
    }
};

struct InterfaceFacts {
    std::string name;
    std::string address;  ///< IPv4 or IPv6 without a scope
    int prefix = 0;       ///< 24 of /24
    std::optional<std::uint64_t> bits_per_s;
    bool is_loopback() const { return name == "lo"; }

    template <typename Describe>
    static void fields(Describe& field) {
        field("name", &InterfaceFacts::name);
        field("address", &InterfaceFacts::address);
        field("prefix", &InterfaceFacts::prefix);
        field("bits_per_s", &InterfaceFacts::bits_per_s);
    }
};

struct InfinibandFacts {
    std::string device;  ///< mlx5_0
    int port = 1;
    std::string state;  ///< ACTIVE
    std::string rate;   ///< "400 Gb/sec (4X NDR)"
    std::string link;   ///< InfiniBand | Ethernet

    template <typename Describe>
    static void fields(Describe& field) {
        field("device", &InfinibandFacts::device);
        field("port", &InfinibandFacts::port);
        field("state", &InfinibandFacts::state);
        field("rate", &InfinibandFacts::rate);
        field("link", &InfinibandFacts::link);
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

    std::string driver;       ///< "580.95.05"; empty: none
    std::string cuda;         ///< the driver's highest CUDA, "13.0"
    std::string gpu_problem;  ///< nvidia-smi is there and says what is wrong, first line
    std::string nccl;         ///< of the system, "2.27.5"; empty: none
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

    template <typename Describe>
    static void fields(Describe& field) {
        field("host_name", &HostFacts::host_name);
        field("system", &HostFacts::system);
        field("kernel", &HostFacts::kernel);
        field("machine", &HostFacts::machine);
        field("c_library", &HostFacts::c_library);
        field("cpu", &HostFacts::cpu);
        field("cores", &HostFacts::cores);
        field("physical_cores", &HostFacts::physical_cores);
        field("memory_bytes", &HostFacts::memory_bytes);
        field("memory_available_bytes", &HostFacts::memory_available_bytes);
        field("load_1m", &HostFacts::load_1m);
        field("uptime_s", &HostFacts::uptime_s);
        field("user", &HostFacts::user);
        field("home", &HostFacts::home);
        field("runs_folder", &HostFacts::runs_folder);
        field("disk_free_bytes", &HostFacts::disk_free_bytes);
        field("disk_total_bytes", &HostFacts::disk_total_bytes);
        field("cache_free_bytes", &HostFacts::cache_free_bytes);
        field("driver", &HostFacts::driver);
        field("cuda", &HostFacts::cuda);
        field("gpu_problem", &HostFacts::gpu_problem);
        field("nccl", &HostFacts::nccl);
        field("gpus", &HostFacts::gpus);
        field("gpu_links", &HostFacts::gpu_links);
        field("infiniband", &HostFacts::infiniband);
        field("interfaces", &HostFacts::interfaces);
        field("python", &HostFacts::python);
        field("python_torch", &HostFacts::python_torch);
        field("engine", &HostFacts::engine);
        field("bundles", &HostFacts::bundles);
        field("clock_offset_s", &HostFacts::clock_offset_s);
        field("clock_error_s", &HostFacts::clock_error_s);
    }
};

std::string to_json(const HostFacts& facts);
/// Throws UserError naming `origin`. Unknown keys are ignored.
HostFacts parse_host_facts(const std::string& json, const std::string& origin);

/// What the script printed. `sent` and `received`: our wall seconds before it was started and after its last line came, for the clock
/// (0: no offset is computed). Throws UserError naming `host` when it was cut short.
HostFacts parse_host_script(const std::string& output, const std::string& host, double sent = 0, double received = 0);

/// Asks this machine; runs the script (at most about 5 s). `runs_folder` empty: run::runs_root(); `interpreter` empty: python3.
HostFacts local_facts(const std::string& runs_folder = {}, const std::string& interpreter = {});

/// `8 x NVIDIA H100 80GB HBM3 · 2 x AMD ...`; "no GPU".
std::string gpu_line(const HostFacts& facts);

}  // namespace trainyard::remote
