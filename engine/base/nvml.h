#pragma once
// What NVIDIA's management library tells of the GPUs of this machine. It comes with the driver and is loaded at run time; a machine
// without it simply has no GPUs here. Source: NVML API reference (nvmlDeviceGet*).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What a GPU does not tell is absent.
struct GpuReading {
    std::string name;
    std::optional<double> utilization_percent;  ///< time in which a kernel ran
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
    /// All GPUs, in the driver's order. May take milliseconds; blocks as long as a broken driver does.
    std::vector<GpuReading> read() const;

  private:
    struct Loaded;
    Loaded* loaded_ = nullptr;
};

}  // namespace trainyard
