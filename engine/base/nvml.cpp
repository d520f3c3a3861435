// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/nvml.h"

#include <array>

#include <dlfcn.h>

namespace trainyard {

namespace {

// Types of nvml.h; its ABI fixes their layout.
using Device = void*;
struct Utilization {
    unsigned gpu, memory;
};
struct Memory {
    unsigned long long total, free, used;
};
constexpr int kSuccess = 0;
constexpr unsigned kTemperatureOfGpu = 0;
constexpr unsigned kLongestName = 96;

}  // namespace

struct Nvml::Loaded {
    void* library = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*handle)(unsigned, Device*) = nullptr;
    int (*name)(Device, char*, unsigned) = nullptr;
    int (*utilization)(Device, Utilization*) = nullptr;
    int (*memory)(Device, Memory*) = nullptr;
    int (*temperature)(Device, unsigned, unsigned*) = nullptr;
    int (*power)(Device, unsigned*) = nullptr;

    template <class Function>
    void find(Function& function, const char* symbol) {
        function = reinterpret_cast<Function>(::dlsym(library, symbol));
    }
};

Nvml::Nvml(const char* library) {
    void* opened = ::dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (opened == nullptr)
        return;
    auto* loaded = new Loaded{};
    loaded->library = opened;
    loaded->find(loaded->init, "nvmlInit_v2");
    loaded->find(loaded->shutdown, "nvmlShutdown");
    loaded->find(loaded->count, "nvmlDeviceGetCount_v2");
    loaded->find(loaded->handle, "nvmlDeviceGetHandleByIndex_v2");
    loaded->find(loaded->name, "nvmlDeviceGetName");
    loaded->find(loaded->utilization, "nvmlDeviceGetUtilizationRates");
    loaded->find(loaded->memory, "nvmlDeviceGetMemoryInfo");
    loaded->find(loaded->temperature, "nvmlDeviceGetTemperature");
    loaded->find(loaded->power, "nvmlDeviceGetPowerUsage");
    if (loaded->init != nullptr && loaded->count != nullptr && loaded->handle != nullptr &&
        loaded->init() == kSuccess) {
        loaded_ = loaded;
        return;
    }
    ::dlclose(opened);
    delete loaded;
}

Nvml::~Nvml() {
    if (loaded_ == nullptr)
        return;
    if (loaded_->shutdown != nullptr)
        loaded_->shutdown();
    ::dlclose(loaded_->library);
    delete loaded_;
}

std::vector<GpuReading> Nvml::read() const {
    std::vector<GpuReading> readings;
    unsigned count = 0;
    if (loaded_ == nullptr || loaded_->count(&count) != kSuccess)
        return readings;
    for (unsigned i = 0; i < count; ++i) {
        GpuReading& reading = readings.emplace_back();
        Device device = nullptr;
        if (loaded_->handle(i, &device) != kSuccess)
            continue;
        std::array<char, kLongestName> name{};
        if (loaded_->name != nullptr && loaded_->name(device, name.data(), kLongestName) == kSuccess)
            reading.name = name.data();
        Utilization utilization{};
        if (loaded_->utilization != nullptr && loaded_->utilization(device, &utilization) == kSuccess)
            reading.utilization_percent = utilization.gpu;
        Memory memory{};
        if (loaded_->memory != nullptr && loaded_->memory(device, &memory) == kSuccess) {
            reading.memory_bytes = memory.used;
            reading.memory_total_bytes = memory.total;
        }
        unsigned value = 0;
        if (loaded_->temperature != nullptr && loaded_->temperature(device, kTemperatureOfGpu, &value) == kSuccess)
            reading.temperature_c = value;
        if (loaded_->power != nullptr && loaded_->power(device, &value) == kSuccess)
            reading.power_w = value / 1000.0;
    }
    return readings;
}

}  // namespace trainyard
