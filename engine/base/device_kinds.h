// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The kinds of devices that Accelerate knows, one row for each: their names in settings, in LibTorch and in the
// environment, and where they differ from CUDA. Sources: Accelerate 1.15, state.py (back ends of collectives) and
// utils/launch.py (variables).

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace trainyard {

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

/// Collectives of LibTorch over the memory of the host; those of every device without its own.
inline constexpr std::string_view kHostCollectives = "gloo";

/// Back end of the collectives between ranks on devices of a kind: that of the kind where the library of the device
/// brings collectives over the memory of the device, otherwise kHostCollectives, with copies to the host and back. A
/// kind that is not in the table has a back end of its own name.
std::string choose_backend(std::string_view kind, bool library_has_collectives);

/// Symbol of a device's library that has its collectives (distributed/parallel/device_library.h).
inline constexpr const char* kDeviceLibrarySymbol = "trainyard_device_library";
/// Library that brings a device to LibTorch: for CUDA in the folder of the programs, for other devices
/// $TRAINYARD_DEVICE_LIBRARY; empty for the processor and where none is named.
std::filesystem::path device_library_file(std::string_view kind, const std::filesystem::path& programs);

/// Bytes to which collectives over objects are padded on a kind that pads: the next power of two, 1 MiB at least.
std::uint64_t padded_object_bytes(std::uint64_t bytes);

}  // namespace trainyard
