// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/devices.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "estimate/known_peaks.h"

namespace trainyard::estimate {

namespace {

constexpr double kMiB = 1024.0 * 1024;
constexpr double kT = 1e12;
/// Context, kernels and libraries (cuBLAS, NCCL) of a process on an NVIDIA GPU. Assumed: sizes differ by device and
/// driver.
constexpr double kContext = 500 * kMiB;
/// Machines with such links between GPUs have an adapter of 400 Gbit/s for each; of half of that, one of 200 Gbit/s
/// (DGX H100 and DGX A100).
constexpr double kFastLink = 400e9;
/// Of a processor whose peak no run has measured: two 8-wide multiply-adds per cycle of 2.5 GHz.
constexpr double kCoreFlops = 80e9;

std::string folded(const std::string& text) {
    std::string small;
    for (char c : text)
        if (std::isalnum(static_cast<unsigned char>(c)))
            small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
}

Device gpu(const char* name, double mib, double tera16, double tera32, double tera8, double gb_per_s, double link) {
    Device device;
    device.name = name;
    device.memory = mib * kMiB;
    device.flops16 = tera16 * kT;
    device.flops32 = tera32 * kT;
    device.flops8 = tera8 * kT;
    device.bandwidth = gb_per_s * 1e9;
    device.link = link * 1e9;
    device.source = "data sheet, dense products";
    return device;
}

}  // namespace

const std::vector<Device>& known_devices() {
    // Memory as nvidia-smi or rocm-smi reports it; TFLOP/s of 16-bit, fp32 (without TF32) and 8-bit products; GB/s of
    // the memory, and of the link in one direction.
    static const std::vector<Device> all{gpu("B200 180 GB", 183359, 2250, 75, 4500, 8000, 900),
                                         gpu("H200 141 GB", 143771, 989, 67, 1979, 4800, 450),
                                         gpu("H100 80 GB", 81559, 989, 67, 1979, 3350, 450),
                                         gpu("H100 PCIe 80 GB", 81559, 756, 51, 1513, 2000, 64),
                                         gpu("A100 80 GB", 81920, 312, 19.5, 0, 2039, 300),
                                         gpu("A100 40 GB", 40960, 312, 19.5, 0, 1555, 300),
                                         gpu("MI300X 192 GB", 196592, 1307, 163, 2614, 5300, 448),
                                         gpu("L40S 48 GB", 46068, 362, 91.6, 733, 864, 32),
                                         gpu("A40 48 GB", 46068, 150, 37.4, 0, 696, 56),
                                         gpu("L4 24 GB", 23034, 121, 30.3, 242, 300, 32),
                                         gpu("A10G 24 GB", 23028, 70, 31.5, 0, 600, 32),
                                         gpu("RTX 5090 32 GB", 32607, 210, 105, 419, 1792, 64),
                                         gpu("RTX 4090 24 GB", 24564, 165, 82.6, 330, 1008, 32),
                                         gpu("RTX 3090 24 GB", 24576, 71, 35.6, 0, 936, 32),
                                         gpu("V100 32 GB", 32768, 125, 15.7, 0, 900, 150),
                                         gpu("V100 16 GB", 16384, 125, 15.7, 0, 900, 150),
                                         gpu("T4 16 GB", 15360, 65, 8.1, 0, 320, 16)};
    return all;
}

const Device* find_device(const std::string& name, double memory) {
    const std::string wanted = folded(name);
    const Device* best = nullptr;
    double best_distance = 0;
    std::size_t best_length = 0;
    for (const Device& device : known_devices()) {
        const std::string full = folded(device.name);
        const std::string model =
            folded(device.name.substr(0, device.name.find(' ', device.name.find_first_of("0123456789"))));
        // A driver's name contains the model and perhaps the variant; a user gives the beginning.
        const bool within = wanted.find(model) != std::string::npos;
        if (wanted.empty() || (!within && !full.starts_with(wanted)))
            continue;
        const bool variant =
            within && full.find("pcie") != std::string::npos && wanted.find("pcie") != std::string::npos;
        const std::size_t length = (within ? model.size() : 0) + (variant ? 4 : 0) + (full.starts_with(wanted) ? 1 : 0);
        const double distance = memory > 0 ? std::fabs(device.memory - memory) : 0;
        if (best == nullptr || length > best_length || (length == best_length && distance < best_distance)) {
            best = &device;
            best_distance = distance;
            best_length = length;
        }
    }
    return best;
}

Device cpu_device(double memory_bytes, int ranks) {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const int threads = std::max(1, cores / std::max(1, ranks));
    Device device;
    device.name = processor_name();
    device.cpu = true;
    device.program = kCpuProgram;
    device.sharing_ranks = std::max(1, ranks);
    device.memory = memory_bytes / std::max(1, ranks);
    const auto known = known_peaks();
    const auto peak = [&](const char* format) {
        const auto found = known.find(peak_key(threads, format, ranks));
        return found == known.end() ? 0.0 : found->second.flops_per_s;
    };
    device.flops32 = peak("fp32");
    device.flops16 = peak("bf16");
    const bool measured = device.flops32 > 0 || device.flops16 > 0;
    if (device.flops32 == 0)
        device.flops32 = kCoreFlops * threads;
    if (device.flops16 == 0)
        device.flops16 = device.flops32;
    device.bandwidth = 10e9;
    device.link = 1.1e9;  // Gloo over the loopback interface
    device.utilisation = 0.8;
    device.source = measured ? "peak that runs measured on this machine" : "80 GFLOP/s a core, not measured yet";
    return device;
}

DeviceFacts format_facts(const Device& device) {
    return device.cpu ? processor_facts() : accelerator_of_name("cuda", device.name);
}

double usual_network(const Device& device) {
    return device.link >= kFastLink ? 8 * 50e9 : device.link >= kFastLink / 2 ? 8 * 25e9 : 12.5e9;
}

double machine_memory() {
    const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? static_cast<double>(pages) * static_cast<double>(size) : 0;
}

double usable_memory(const Device& device) {
    const double memory = device.cpu ? device.memory : std::max(0.0, device.memory - kContext);
    return device.calibration_runs > 0 ? memory / device.calibration : memory;
}

}  // namespace trainyard::estimate
