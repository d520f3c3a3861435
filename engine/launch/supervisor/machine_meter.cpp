// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/machine_meter.h"

#include <array>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <sys/statvfs.h>

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {

constexpr double kSector = 512;  // bytes, whatever the disk's own are
constexpr double kPercent = 100;

/// Returns now - before, or 0 if the counter was reset in between.
double grown(std::uint64_t now, std::uint64_t before) {
    return now >= before ? static_cast<double>(now - before) : 0;
}

}  // namespace

MachineMeter::MachineMeter(fs::path disk, fs::path proc, fs::path sys, const char* nvml)
    : disk_(std::move(disk)), proc_(std::move(proc)), sys_(std::move(sys)), nvml_(nvml) {}

bool MachineMeter::has_device(const fs::path& of) const {
    std::error_code error;
    return fs::exists(sys_ / of / "device", error);
}

MachineMeter::Counters MachineMeter::counters(double now) const {
    Counters found;
    found.at = now;
    std::string line, word;
    if (std::ifstream file(proc_ / "stat"); std::getline(file, line) && line.starts_with("cpu ")) {
        // user nice system idle iowait irq softirq steal; guest time is in user already
        std::istringstream words(line.substr(4));
        std::array<std::uint64_t, 8> ticks{};
        for (std::uint64_t& one : ticks)
            words >> one;
        for (const std::uint64_t one : ticks)
            found.total += one;
        found.busy = found.total - ticks[3] - ticks[4];
        found.processors = found.total > 0;
    }
    std::ifstream disks(proc_ / "diskstats");
    while (std::getline(disks, line)) {
        std::istringstream words(line);
        std::uint64_t major, minor, reads, merged, sectors, ms, writes, merged_writes, sectors_written;
        if (!(words >> major >> minor >> word >> reads >> merged >> sectors >> ms >> writes >> merged_writes >>
              sectors_written) ||
            !has_device(fs::path("block") / word))
            continue;
        found.disk_read += static_cast<std::uint64_t>(kSector) * sectors;
        found.disk_written += static_cast<std::uint64_t>(kSector) * sectors_written;
        found.disks = true;
    }
    std::ifstream network(proc_ / "net" / "dev");
    std::uint64_t received_of_all = 0, sent_of_all = 0;
    bool any = false;
    while (std::getline(network, line)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos)
            continue;
        std::istringstream name(line.substr(0, colon)), numbers(line.substr(colon + 1));
        name >> word;
        std::array<std::uint64_t, 9> columns{};
        for (std::uint64_t& column : columns)
            numbers >> column;
        if (word == "lo" || !numbers)
            continue;
        any = true;
        received_of_all += columns[0];
        sent_of_all += columns[8];
        if (!has_device(fs::path("class/net") / word))
            continue;
        found.network = true;
        found.received += columns[0];
        found.sent += columns[8];
    }
    if (any && !found.network) {
        found.network = true;
        found.received = received_of_all;
        found.sent = sent_of_all;
    }
    return found;
}

void MachineMeter::read_memory(MachineReading& reading) const {
    std::ifstream file(proc_ / "meminfo");
    std::string name, unit;
    double value = 0, total = 0, available = -1;
    while (file >> name >> value) {
        std::getline(file, unit);
        if (name == "MemTotal:")
            total = value * 1024;
        else if (name == "MemAvailable:")
            available = value * 1024;
    }
    if (total <= 0 || available < 0)
        return;
    reading.emplace_back("machine/memory_bytes", total - available);
    reading.emplace_back("machine/memory_total_bytes", total);
}

void MachineMeter::read_gpus(MachineReading& reading) const {
    int number = 0;
    for (const GpuReading& gpu : nvml_.read()) {
        const std::string prefix = fmt::format("gpu{}/", number++);
        if (gpu.utilization_percent)
            reading.emplace_back(prefix + "utilization_percent", *gpu.utilization_percent);
        if (gpu.memory_bytes)
            reading.emplace_back(prefix + "memory_bytes", static_cast<double>(*gpu.memory_bytes));
        if (gpu.memory_total_bytes)
            reading.emplace_back(prefix + "memory_total_bytes", static_cast<double>(*gpu.memory_total_bytes));
        if (gpu.temperature_c)
            reading.emplace_back(prefix + "temperature_c", *gpu.temperature_c);
        if (gpu.power_w)
            reading.emplace_back(prefix + "power_w", *gpu.power_w);
    }
}

MachineReading MachineMeter::read(double now) {
    const Counters before = last_;
    last_ = counters(now);
    MachineReading reading;
    const double seconds = now - before.at;
    if (before.processors && last_.processors && last_.total > before.total)
        reading.emplace_back("machine/cpu_percent", kPercent * grown(last_.busy, before.busy) /
                                                        static_cast<double>(last_.total - before.total));
    read_memory(reading);
    if (before.disks && last_.disks && seconds > 0) {
        reading.emplace_back("machine/disk_read_bytes_per_s", grown(last_.disk_read, before.disk_read) / seconds);
        reading.emplace_back("machine/disk_write_bytes_per_s",
                             grown(last_.disk_written, before.disk_written) / seconds);
    }
    if (before.network && last_.network && seconds > 0) {
        reading.emplace_back("machine/net_in_bytes_per_s", grown(last_.received, before.received) / seconds);
        reading.emplace_back("machine/net_out_bytes_per_s", grown(last_.sent, before.sent) / seconds);
    }
    struct statvfs room {};
    if (::statvfs(disk_.c_str(), &room) == 0)
        reading.emplace_back("machine/disk_free_bytes",
                             static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize));
    read_gpus(reading);
    return reading;
}

}  // namespace trainyard::launch
