// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the estimator knows of devices by name, and of the machines of a cluster. Speeds are those of data sheets,
// dense products; memory is what the driver reports.

#include <cstdint>
#include <string>
#include <vector>

#include "base/device_formats.h"

namespace trainyard::estimate {

struct Device {
    std::string name;           ///< "H100 80 GB"
    double memory = 0;          ///< bytes
    double flops16 = 0;         ///< operations per second in bf16 or fp16 products
    double flops32 = 0;         ///< in fp32 products
    double flops8 = 0;          ///< in fp8 products; 0: none
    double bandwidth = 0;       ///< of its memory, bytes per second
    double link = 0;            ///< to the others of the host, bytes per second and direction
    bool cpu = false;           ///< a rank is a process on the host's processors
    double price_per_hour = 0;  ///< of one device; 0: not known
    /// Share of the peak that training reaches; the range is a factor below and above it.
    double utilisation = 0.45;
    std::string source;  ///< of the figures
    /// What runs on it used of memory / what was estimated for them (calibration.h), and how many runs that is; 0: it
    /// is not applied.
    double calibration = 1;
    std::size_t calibration_runs = 0;
    /// Bytes that a worker on the CPU takes before it creates parameters: program, LibTorch and its libraries, stacks
    /// of threads. It differs between processors, because the libraries of products load other code; calibrate() sets
    /// what runs measured. On a GPU the context counts instead, which is off usable_memory().
    double program = 0;
    std::size_t program_runs = 0;  ///< that measured it; 0: it was measured on other machines
    /// Ranks of a host on the CPU, which have the pages of the program's files once between them.
    std::int64_t sharing_ranks = 1;
};

/// Device::program of a processor on which nothing has run yet. Measured (packaging/bench estimate).
inline constexpr double kCpuProgram = 130 * 1024.0 * 1024;
/// Of it the pages of files, measured likewise; each rank of a host counts its share (base/process_memory.h).
inline constexpr double kCpuProgramFiles = 74 * 1024.0 * 1024;

/// GPUs by their data sheets.
const std::vector<Device>& known_devices();
/// By a part of the name, as nvidia-smi gives it ("NVIDIA H100 80GB HBM3"); nullptr: not known. `memory` decides
/// between variants of one name; 0: any.
const Device* find_device(const std::string& name, double memory = 0);
/// This machine's processors, shared by `ranks`; peaks from known_peaks.h where they were measured.
Device cpu_device(double memory_bytes, int ranks);

/// Of which its number formats are known; `device.cpu` is the processor of this machine.
DeviceFacts format_facts(const Device& device);

/// Between hosts with such devices, bytes per second and host: an adapter for each of eight GPUs where they have fast
/// links, else 100 Gbit/s.
double usual_network(const Device& device);
/// Bytes of this machine's memory; 0: not known.
double machine_memory();

/// Machines that are all alike.
struct Hardware {
    Device device;
    std::int64_t hosts = 1;
    std::int64_t devices_per_host = 1;
    double network = 12.5e9;  ///< between hosts, bytes per second and direction of each host; 100 Gbit/s
    double host_memory = 0;   ///< bytes of one host; 0: not known
    double host_link = 25e9;  ///< between device and host memory, bytes per second; PCIe 4 with 16 lanes
    double disk = 2e9;        ///< bytes per second of a host's disk
    std::int64_t ranks() const { return hosts * devices_per_host; }
};

/// Estimated memory that a program can use of a device: its own, divided by the calibration, without the CUDA
/// context, or without what the system keeps on the CPU.
double usable_memory(const Device& device);

}  // namespace trainyard::estimate
