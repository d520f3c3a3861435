// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Number formats that a device can use in this version, one table for every check and every page: computed by the
// device itself, emulated, or not available.
//
// Sources: NVIDIA, CUDA C++ Programming Guide, compute capabilities; Intel, Architecture Instruction Set Extensions.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/choice.h"
#include "base/instruction_set.h"
#include "base/message.h"

namespace trainyard {

/// float8_weights: of layer-wise casting; optimizer_8bit: moments of optimizers.
enum class DeviceFormat : unsigned char {
    fp32,
    tf32,
    bf16,
    fp16,
    fp8_e4m3,
    fp8_e5m2,
    mxfp8,
    float8_weights,
    int8,
    nf4,
    fp4,
    optimizer_8bit
};
constexpr auto choice_names(DeviceFormat) {
    return std::array{"fp32",  "tf32",           "bf16", "fp16", "fp8_e4m3", "fp8_e5m2",
                      "mxfp8", "float8_weights", "int8", "nf4",  "fp4",      "optimizer_8bit"};
}

/// A device, as far as its number formats depend on it. Plain data: tests and remote hosts describe others.
struct DeviceFacts {
    std::string kind = "cpu";                    ///< as DeviceKind::name
    std::string name;                            ///< as its driver reports it; empty: not known
    int compute_capability = 0;                  ///< of NVIDIA GPUs, 89 for 8.9; 0: not known
    std::optional<InstructionSet> instructions;  ///< of processors; nothing: not known
    bool multiplies_fp16 = false;                ///< processors: with AVX-512 FP16

    /// Its name, or its kind.
    Message words() const;
};

/// unknown: the facts do not say.
enum class Ability : unsigned char { native, emulated, unknown, missing };
constexpr auto choice_names(Ability) {
    return std::array{"native", "emulated", "unknown", "missing"};
}

struct Availability {
    Ability ability = Ability::native;
    Message reason;  ///< empty if native or unknown
};

Availability availability(DeviceFormat format, const DeviceFacts& device);
/// "native", "emulated: ...", "not on this device: ...", "not known".
Message describe(const Availability& availability);

/// The processor of this machine.
DeviceFacts processor_facts();
/// A processor by the words after `flags` in /proc/cpuinfo; empty: nothing is known of it.
DeviceFacts processor_of_flags(std::string_view flags);
/// An accelerator by the name that its driver reports, such as "NVIDIA H100 80GB HBM3".
DeviceFacts accelerator_of_name(std::string_view kind, std::string name);
/// Of several the one with the least compute capability; without a name the kind alone is known.
DeviceFacts least_able_accelerator(std::string_view kind, std::vector<DeviceFacts> devices);
DeviceFacts least_able_accelerator(std::string_view kind, const std::vector<std::string>& names);
/// "8.9" -> 89; 0: not a compute capability.
int read_compute_capability(std::string_view text);

}  // namespace trainyard
