#pragma once
// The kinds of devices that Accelerate knows, one row for each: what they are called in settings, in LibTorch and in the environment, and
// where they differ from CUDA. Sources: Accelerate 1.15, state.py (choice of the collective back end) and utils/launch.py (variables).

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trainyard::settings {

struct DeviceKind {
    std::string_view name;  ///< as LibTorch's: cpu, cuda, xpu, mps, npu, mlu, sdaa, musa, hpu, neuron, xla
    std::string_view distributed_type = {};  ///< of settings with several processes; empty: none
    std::string_view collectives = {};       ///< back end of LibTorch's collectives; empty: none
    std::string_view mask = {};              ///< variable that chooses among the devices of a machine; empty: none
    std::string_view folder = {};            ///< of the device files; empty: devices are found in another way
    std::string_view prefix = {};            ///< of the names of the device files, before a number
    bool pads_objects = false;  ///< collectives over objects are padded to fixed sizes (padded_object_bytes())
};

std::span<const DeviceKind> device_kinds();
/// By DeviceKind::name; nullptr: unknown.
const DeviceKind* find_device_kind(std::string_view name);
/// By DeviceKind::distributed_type; nullptr: none.
const DeviceKind* device_kind_of_type(std::string_view distributed_type);
/// Variable that chooses among the devices of a kind; that of CUDA where the kind has none.
std::string_view device_mask(std::string_view name);

/// What a process knows when it chooses the back end of its collectives.
struct BackendChoice {
    std::string_view device = "cpu";  ///< the machine's
    bool use_cpu = false;             ///< asked for
    bool local_rank_is_set = false;   ///< it was launched
    int world_size = 1;
    std::string_view asked = {};  ///< back end that was asked for; empty: none
    bool has_mpi = false;         ///< LibTorch was built with MPI
    bool sagemaker_data_parallel = false;
    bool offloads_or_gathers = false;  ///< FSDP with offloading or FULL_STATE_DICT: collectives on both memories
};

/// The back end that Accelerate takes; "cuda:nccl,cpu:gloo" where two are needed, empty where there is one process and no group.
std::string choose_backend(const BackendChoice& choice);

/// Bytes to which collectives over objects are padded on a kind that pads: the next power of two, 1 MiB at least.
std::uint64_t padded_object_bytes(std::uint64_t bytes);

}  // namespace trainyard::settings
