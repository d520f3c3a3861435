// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/load_device.h"

#include <cstdlib>
#include <filesystem>
#include <limits>
#include <map>
#include <mutex>
#include <string_view>

#include <ATen/Context.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <c10/util/Exception.h>
#include <torch/headeronly/version.h>

#include <dlfcn.h>
#include <malloc.h>

#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "distributed/parallel/device_graph.h"
#include "distributed/parallel/device_library.h"

namespace trainyard::parallel {

namespace {

struct DeviceExports {
    const DeviceLibrary* library = nullptr;  ///< null: it exports none
    MakeDeviceGraph make_graph = nullptr;    ///< null: the device has no graphs
};

struct LoadedDevices {
    std::mutex mutex;
    std::map<std::string, DeviceExports> exports;  ///< by kind, of the libraries that are open
};

LoadedDevices& loaded_devices() {
    static LoadedDevices devices;
    return devices;
}

std::string library_file(const std::string& kind, const std::string& library) {
    if (!library.empty())
        return library;
    const std::filesystem::path file =
        device_library_file(kind, std::filesystem::read_symlink("/proc/self/exe").parent_path());
    if (file.empty())
        throw UserError(
            "training on '{}' needs the library that brings this device to LibTorch: name it with "
            "--device_library or in {}, or train with --cpu",
            kind, kEnvDeviceLibrary);
    return file;
}

const DeviceExports& open_library(const std::string& kind, const std::string& library) {
    LoadedDevices& devices = loaded_devices();
    std::lock_guard lock(devices.mutex);
    if (const auto found = devices.exports.find(kind); found != devices.exports.end())
        return found->second;
    const std::string file = library_file(kind, library);
    void* opened = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (opened == nullptr) {
        const char* reason = ::dlerror();
        throw UserError(
            "training on '{}' needs {}, which cannot be opened ({}): {}", kind, file,
            reason != nullptr ? Message::verbatim(reason) : Message("unknown reason"),
            kind == "cuda" ? Message("build it where CUDA's headers are, or train with --cpu")
                           : Message("give the path of a library for LibTorch {}, or train with --cpu", TORCH_VERSION));
    }
    return devices.exports[kind] = {static_cast<const DeviceLibrary*>(::dlsym(opened, kDeviceLibrarySymbol)),
                                    reinterpret_cast<MakeDeviceGraph>(::dlsym(opened, kDeviceGraphSymbol))};
}

/// "it brings 'musa'"; nothing that anybody could say of a library that registers no device.
Message what_it_brings() {
    return c10::is_privateuse1_backend_registered() ? Message("it brings '{}'", c10::get_privateuse1_backend())
                                                    : "it brings no device";
}

bool user_chose_memory() {
    const char* tunables = std::getenv("GLIBC_TUNABLES");
    return std::getenv("MALLOC_MMAP_THRESHOLD_") != nullptr || std::getenv("MALLOC_TRIM_THRESHOLD_") != nullptr ||
           (tunables != nullptr && std::string_view(tunables).find("glibc.malloc.") != std::string_view::npos);
}

/// Every step asks for the same memory again: what one gives back stays for the next, instead of being fetched from the
/// system page by page. Measured with 0.83 M parameters, a rank of one thread: 400 to 1100 page faults a step without
/// it, 10 with it.
void keep_freed_memory() {
    if (user_chose_memory())
        return;
    ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that glibc takes
    ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
}

}  // namespace

void return_freed_memory() {
    if (!user_chose_memory())
        ::mallopt(M_MMAP_THRESHOLD, 1 << 20);
}

const DeviceLibrary* device_library(const std::string& kind) {
    return kind == "cpu" ? nullptr : open_library(kind, "").library;
}

std::unique_ptr<DeviceGraph> make_device_graph(const std::string& kind, c10::Device device) {
    const MakeDeviceGraph make = kind == "cpu" ? nullptr : open_library(kind, "").make_graph;
    return std::unique_ptr<DeviceGraph>(make == nullptr ? nullptr : make(device));
}

c10::Device load_device(const std::string& kind, int index, const std::string& library) {
    keep_freed_memory();
    if (kind == "cpu")
        return c10::Device(c10::kCPU);
    // A program that is linked with LibTorch's CUDA half has it; only its collectives need our library.
    if (kind != "cuda" || !at::globalContext().hasCUDA())
        open_library(kind, library);
    const std::string name = kind + ":" + std::to_string(index);
    std::optional<c10::Device> device;
    try {
        device.emplace(name);
    } catch (const c10::Error&) {
        throw UserError("the library of the device '{}' is another device's: {}", kind, what_it_brings());
    }
    const int count = c10::impl::hasDeviceGuardImpl(device->type())
                          ? c10::impl::getDeviceGuardImpl(device->type())->deviceCount()
                          : 0;
    if (index >= count)
        throw UserError(
            "rank {} of this machine has no device {}: {}: start as many ranks as there are devices, or train with "
            "--cpu",
            index, name, count == 1 ? Message("there is 1") : Message("there are {}", count));
    c10::impl::getDeviceGuardImpl(device->type())->setDevice(*device);
    return *device;
}

}  // namespace trainyard::parallel
