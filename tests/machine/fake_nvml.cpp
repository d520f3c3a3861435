// SPDX-License-Identifier: GPL-3.0-or-later
// NVML as far as base/nvml.h asks it: two GPUs, of which the second does not tell its power.

#include <cstring>

extern "C" {

int nvmlInit_v2() {
    return 0;
}
int nvmlShutdown() {
    return 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
    *count = 2;
    return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
    *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
    return 0;
}
int nvmlDeviceGetName(void*, char* name, unsigned length) {
    std::strncpy(name, "NVIDIA H100 80GB HBM3", length - 1);
    return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) {
    rates[0] = device == reinterpret_cast<void*>(1) ? 97 : 12;
    rates[1] = 40;
    return 0;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
    memory[0] = 80ull << 30;
    memory[1] = 19ull << 30;
    memory[2] = 61ull << 30;
    return 0;
}
int nvmlDeviceGetTemperature(void*, unsigned, unsigned* degrees) {
    *degrees = 71;
    return 0;
}
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatts) {
    *milliwatts = 656'500;
    return device == reinterpret_cast<void*>(1) ? 0 : 3;  // not supported
}
}
