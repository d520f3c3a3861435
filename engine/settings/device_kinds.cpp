#include "settings/device_kinds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace trainyard::settings {

namespace {

constexpr std::array kDeviceKinds = {
    DeviceKind{.name = "cpu", .distributed_type = "MULTI_CPU", .collectives = "gloo"},
    DeviceKind{.name = "cuda", .distributed_type = "MULTI_GPU", .collectives = "nccl", .mask = "CUDA_VISIBLE_DEVICES"},
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
    return kind == nullptr || kind->mask.empty() ? "CUDA_VISIBLE_DEVICES" : kind->mask;
}

std::string choose_backend(const BackendChoice& choice) {
    if (choice.sagemaker_data_parallel && !choice.use_cpu)
        return "smddp";
    const DeviceKind* kind = find_device_kind(choice.use_cpu ? "cpu" : choice.device);
    if (kind == nullptr)
        return "";
    if (kind->name == "xla")
        return "xla";
    if (kind->name == "cpu") {
        if (!choice.local_rank_is_set && choice.world_size <= 1)
            return "";
        return choice.has_mpi && (choice.asked.empty() || choice.asked == "mpi") ? "mpi" : "gloo";
    }
    if (!choice.local_rank_is_set || kind->collectives.empty())
        return "";
    const std::string backend(choice.asked.empty() ? kind->collectives : choice.asked);
    if (choice.offloads_or_gathers && (kind->name == "cuda" || kind->name == "xpu"))
        return std::string(kind->name) + ":" + backend + ",cpu:gloo";
    return backend;
}

std::uint64_t padded_object_bytes(std::uint64_t bytes) {
    constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
    return std::max(kLeast, std::bit_ceil(bytes));
}

}  // namespace trainyard::settings
