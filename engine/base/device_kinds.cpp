// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/device_kinds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "base/environment_names.h"

namespace trainyard {

namespace {

constexpr std::array kDeviceKinds = {
    DeviceKind{.name = "cpu", .distributed_type = "MULTI_CPU", .collectives = "gloo"},
    DeviceKind{.name = "cuda", .distributed_type = "MULTI_GPU", .collectives = "nccl", .mask = kEnvVisibleGpus},
    DeviceKind{.name = "xpu", .distributed_type = "MULTI_XPU", .collectives = "xccl", .mask = "ZE_AFFINITY_MASK"},
    DeviceKind{.name = "mps"},
    DeviceKind{.name = "npu",
               .distributed_type = "MULTI_NPU",
               .collectives = "hccl",
               .mask = "ASCEND_RT_VISIBLE_DEVICES",
               .folder = "/dev",
               .prefix = "davinci"},
    DeviceKind{.name = "mlu",
               .distributed_type = "MULTI_MLU",
               .collectives = "cncl",
               .mask = "MLU_VISIBLE_DEVICES",
               .folder = "/dev",
               .prefix = "cambricon_dev"},
    DeviceKind{.name = "sdaa", .distributed_type = "MULTI_SDAA", .collectives = "tccl", .mask = "SDAA_VISIBLE_DEVICES"},
    DeviceKind{.name = "musa",
               .distributed_type = "MULTI_MUSA",
               .collectives = "mccl",
               .mask = "MUSA_VISIBLE_DEVICES",
               .folder = "/dev",
               .prefix = "mtgpu."},
    DeviceKind{.name = "hpu",
               .distributed_type = "MULTI_HPU",
               .collectives = "hccl",
               .mask = "HABANA_VISIBLE_MODULES",
               .folder = "/dev/accel",
               .prefix = "accel"},
    DeviceKind{.name = "neuron",
               .distributed_type = "MULTI_NEURON",
               .collectives = "neuron",
               .mask = "NEURON_RT_VISIBLE_CORES",
               .folder = "/dev",
               .prefix = "neuron",
               .pads_objects = true},
    DeviceKind{.name = "xla", .distributed_type = "XLA", .collectives = "xla"},
};

}  // namespace

std::span<const DeviceKind> device_kinds() {
    return kDeviceKinds;
}

const DeviceKind* find_device_kind(std::string_view name) {
    const auto* found = std::ranges::find(kDeviceKinds, name, &DeviceKind::name);
    return found == kDeviceKinds.end() ? nullptr : found;
}

const DeviceKind* device_kind_of_type(std::string_view distributed_type) {
    const auto* found = std::ranges::find(kDeviceKinds, distributed_type, &DeviceKind::distributed_type);
    return distributed_type.empty() || found == kDeviceKinds.end() ? nullptr : found;
}

std::string_view device_mask(std::string_view name) {
    const DeviceKind* kind = find_device_kind(name);
    return kind == nullptr || kind->mask.empty() ? kEnvVisibleGpus : kind->mask;
}

std::string choose_backend(std::string_view kind_name, bool library_has_collectives) {
    const DeviceKind* kind = find_device_kind(kind_name);
    if (!library_has_collectives || (kind != nullptr && kind->collectives.empty()))
        return std::string(kHostCollectives);
    return std::string(kind == nullptr ? kind_name : kind->collectives);
}

std::filesystem::path device_library_file(std::string_view kind, const std::filesystem::path& programs) {
    if (kind == "cpu")
        return {};
    if (kind == "cuda")
        return programs / "libtrainyard_nccl.so";
    const char* named = std::getenv(kEnvDeviceLibrary);
    return named == nullptr ? "" : named;
}

std::uint64_t padded_object_bytes(std::uint64_t bytes) {
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
    return std::max(kLeast, std::bit_ceil(bytes));
}

}  // namespace trainyard
