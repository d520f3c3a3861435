// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// DeviceGraph: work of a device that is captured once and replayed, as with CUDA graphs. Libraries of devices
// (device_library.h) make them. The rules are those of CUDA:
//
// - Captured work does not run before the first replay. Values that the host passed to it are those of the capture;
//   tensors are read and written where their memory was at the capture.
// - While it is captured the host can neither read a result nor copy between its memory and that of the device, and no
//   shape may depend on values of the device.
// - Memory that captured work allocates belongs to the graph until it is destroyed.

#include <functional>
#include <memory>
#include <string>

#include <c10/core/Device.h>

namespace trainyard::parallel {

class DeviceGraph {
  public:
    virtual ~DeviceGraph() = default;
    /// Captures what `work` starts on the device, including the backward passes that it runs. Replaces an earlier
    /// capture. Throws what `work` throws, and what the device cannot capture; then nothing is captured.
    virtual void capture(const std::function<void()>& work) = 0;
    /// Starts the captured work after everything that was started before. Does not wait for it.
    virtual void replay() = 0;
};

/// The function that a device's library exports under kDeviceGraphSymbol, or not at all: then the device has no graphs.
/// The caller owns the graph.
using MakeDeviceGraph = DeviceGraph* (*)(c10::Device device);
inline constexpr const char* kDeviceGraphSymbol = "trainyard_make_device_graph";

/// Returns a graph of a device whose kind is `kind` ("cuda"), or nullptr if the device has none. Loads the library of
/// the device if needed.
std::unique_ptr<DeviceGraph> make_device_graph(const std::string& kind, c10::Device device);

}  // namespace trainyard::parallel
