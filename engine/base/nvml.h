// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Readings of NVIDIA's management library (NVML). The driver installs it and it is loaded at run time; without it the
// machine has no GPUs as far as this class knows. Source: NVML API reference (nvmlDeviceGet*).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Values that a GPU does not report are absent.
struct GpuReading {
    std::string name;
    std::optional<double> utilization_percent;  ///< of the sampling interval, time in which a kernel ran
    std::optional<std::uint64_t> memory_bytes, memory_total_bytes;
    std::optional<double> temperature_c;
    std::optional<double> power_w;
};

class Nvml {
  public:
    explicit Nvml(const char* library = "libnvidia-ml.so.1");
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    bool available() const { return loaded_ != nullptr; }
    /// All GPUs in the driver's order. Can take milliseconds, and hangs if the driver does.
    std::vector<GpuReading> read() const;

  private:
    struct Loaded;
    Loaded* loaded_ = nullptr;
};

}  // namespace trainyard
