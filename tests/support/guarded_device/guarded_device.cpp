// SPDX-License-Identifier: GPL-3.0-or-later
// The device `guarded`: a PrivateUse1 backend of LibTorch whose memory only this library can access. Tests use it as an
// accelerator: code that accesses device memory on the host, which would work by accident on a CPU, crashes with
// SIGSEGV.
//
// Device memory is an in-memory file that is mapped twice: at the addresses of tensors without access rights, and with
// access at addresses that only this file knows. Operators use ATen's CPU fallback, which copies arguments to the host
// and results back. New memory is filled with bytes 0xff, which are NaN in all floating-point formats, so that reading
// uninitialised memory does not give zeros by accident.

#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include <ATen/EmptyTensor.h>
#include <ATen/autocast_mode.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/native/CPUFallback.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/set_cpu_dispatch.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_native.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <torch/library.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trainyard::test {

namespace {

constexpr c10::DeviceType kGuarded = c10::DeviceType::PrivateUse1;
constexpr std::size_t kGuardedSpace = std::size_t{1} << 35;  // address space; pages are allocated on first use
constexpr std::size_t kGuardedAlignment = 256;
constexpr c10::DeviceIndex kGuardedDevices = 4;  // they share the memory; one for each local rank

thread_local c10::DeviceIndex current_device = 0;

/// The device's memory. Free blocks are ordered by address and merged with their neighbours.
class GuardedMemory {
  public:
    static GuardedMemory& get() {
        static GuardedMemory memory;
        return memory;
    }

    void* take(std::size_t bytes) {
        bytes = (bytes + kGuardedAlignment - 1) / kGuardedAlignment * kGuardedAlignment;
        std::lock_guard lock(mutex_);
        for (auto& [begin, size] : free_) {
            if (size < bytes)
                continue;
            const std::size_t at = begin, rest = size - bytes;
            free_.erase(at);
            if (rest > 0)
                free_[at + bytes] = rest;
            taken_[at] = bytes;
            std::memset(host_ + at, 0xff, bytes);
            return device_ + at;
        }
        TORCH_CHECK(false, "the device guarded is out of memory: ", bytes, " bytes were asked for");
    }

    void give(void* pointer) {
        std::lock_guard lock(mutex_);
        const auto taken = taken_.find(static_cast<std::size_t>(static_cast<char*>(pointer) - device_));
        if (taken == taken_.end())
            return;
        auto place = free_.emplace(*taken).first;
        const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        const std::size_t first = (place->first + page - 1) / page * page;
        // The other pages contain bytes of adjacent blocks.
        const std::size_t last = (place->first + place->second) / page * page;
        if (first < last)
            ::madvise(host_ + first, last - first, MADV_REMOVE);
        taken_.erase(taken);
        if (auto next = std::next(place); next != free_.end() && place->first + place->second == next->first) {
            place->second += next->second;
            free_.erase(next);
        }
        if (place != free_.begin())
            if (auto before = std::prev(place); before->first + before->second == place->first) {
                before->second += place->second;
                free_.erase(place);
            }
    }

    /// The address at which this library can access `pointer`.
    char* host(const void* pointer) const { return host_ + (static_cast<const char*>(pointer) - device_); }

  private:
    GuardedMemory() {
        const int file = ::memfd_create("guarded device", MFD_CLOEXEC);
        TORCH_CHECK(file >= 0 && ::ftruncate(file, kGuardedSpace) == 0, "the device guarded has no memory");
        void* device = ::mmap(nullptr, kGuardedSpace, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
        void* host = ::mmap(nullptr, kGuardedSpace, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
        TORCH_CHECK(device != MAP_FAILED && host != MAP_FAILED, "the device guarded has no addresses");
        ::close(file);
        device_ = static_cast<char*>(device);
        host_ = static_cast<char*>(host);
        free_[0] = kGuardedSpace;
    }

    std::mutex mutex_;
    char* device_ = nullptr;
    char* host_ = nullptr;
    std::map<std::size_t, std::size_t> free_, taken_;  ///< offset to size in bytes
};

class GuardedAllocator final : public c10::Allocator {
  public:
    c10::DataPtr allocate(std::size_t bytes) override {
        void* pointer = bytes == 0 ? nullptr : GuardedMemory::get().take(bytes);
        return {pointer, pointer, &give_back, c10::Device(kGuarded, current_device)};
    }
    c10::DeleterFnPtr raw_deleter() const override { return &give_back; }
    void copy_data(void* target, const void* source, std::size_t bytes) const override {
        std::memcpy(GuardedMemory::get().host(target), GuardedMemory::get().host(source), bytes);
    }

  private:
    static void give_back(void* pointer) {
        if (pointer != nullptr)
            GuardedMemory::get().give(pointer);
    }
};

GuardedAllocator guarded_allocator;
REGISTER_ALLOCATOR(kGuarded, &guarded_allocator)

/// One stream per device: calls are synchronous.
class GuardedGuard final : public c10::impl::DeviceGuardImplInterface {
  public:
    GuardedGuard() = default;
    explicit GuardedGuard(c10::DeviceType) {}
    c10::DeviceType type() const override { return kGuarded; }
    c10::Device exchangeDevice(c10::Device device) const override {
        const c10::Device before = here();
        uncheckedSetDevice(device);
        return before;
    }
    c10::Device getDevice() const override { return here(); }
    void setDevice(c10::Device device) const override { uncheckedSetDevice(device); }
    void uncheckedSetDevice(c10::Device device) const noexcept override {
        if (device.has_index())
            current_device = device.index();
    }
    c10::Stream getStream(c10::Device device) const override {
        return c10::Stream(c10::Stream::DEFAULT, device.has_index() ? device : here());
    }
    c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
    c10::Stream exchangeStream(c10::Stream stream) const override { return getStream(stream.device()); }
    c10::DeviceIndex deviceCount() const noexcept override { return kGuardedDevices; }
    void record(void**, const c10::Stream&, c10::DeviceIndex, c10::EventFlag) const override {}
    void block(void*, const c10::Stream&) const override {}
    bool queryEvent(void*) const override { return true; }
    void destroyEvent(void*, c10::DeviceIndex) const noexcept override {}
    bool queryStream(const c10::Stream&) const override { return true; }
    void synchronizeStream(const c10::Stream&) const override {}
    void synchronizeDevice(c10::DeviceIndex) const override {}

  private:
    static c10::Device here() { return {kGuarded, current_device}; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, GuardedGuard)

struct GuardedHooks final : at::PrivateUse1HooksInterface {
    bool isBuilt() const override { return true; }
    bool isAvailable() const override { return true; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
    c10::DeviceIndex deviceCount() const override { return kGuardedDevices; }
    c10::DeviceIndex getCurrentDevice() const override { return current_device; }
    void setCurrentDevice(c10::DeviceIndex index) const override { current_device = index; }
    at::Device getDeviceFromPtr(void*) const override { return {kGuarded, current_device}; }
    bool isPinnedPtr(const void*) const override { return false; }
    at::Allocator* getPinnedMemoryAllocator() const override { return c10::GetCPUAllocator(); }
    void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t bytes) const override {
        c10::DataPtr fresh = guarded_allocator.allocate(bytes);
        if (const std::size_t kept = std::min(bytes, storage.nbytes()); kept > 0)
            guarded_allocator.copy_data(fresh.mutable_get(), storage.data(), kept);
        storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(fresh));
        storage.unsafeGetStorageImpl()->set_nbytes(bytes);
    }
};

// --- operators
// ---------------------------------------------------------------------------------------------------------------------

at::Tensor empty(at::IntArrayRef size, std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                 std::optional<at::Device> device, std::optional<bool>, std::optional<at::MemoryFormat> format) {
    const c10::OptionalDeviceGuard guard(device);
    return at::detail::empty_generic(size, &guarded_allocator, c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                     c10::dtype_or_default(dtype), format);
}

at::Tensor empty_strided(at::IntArrayRef size, at::IntArrayRef stride, std::optional<at::ScalarType> dtype,
                         std::optional<at::Layout>, std::optional<at::Device> device, std::optional<bool>) {
    const c10::OptionalDeviceGuard guard(device);
    return at::detail::empty_strided_generic(size, stride, &guarded_allocator,
                                             c10::DispatchKeySet(c10::DispatchKey::PrivateUse1),
                                             c10::dtype_or_default(dtype));
}

/// A host tensor that uses the same memory.
at::Tensor seen_by_host(const at::Tensor& tensor) {
    if (tensor.is_cpu())
        return tensor;
    const c10::Storage& storage = tensor.storage();
    void* data = storage.nbytes() == 0 ? nullptr : GuardedMemory::get().host(storage.data());
    at::Tensor flat = at::from_blob(data, {static_cast<std::int64_t>(storage.nbytes())}, at::kByte);
    at::Tensor seen = at::empty({0}, tensor.options().device(at::kCPU));
    return seen.set_(flat.storage(), tensor.storage_offset(), tensor.sizes(), tensor.strides());
}

/// Refuses what an accelerator would do later: the host would read memory that is not written yet.
at::Tensor copy_from(const at::Tensor& source, const at::Tensor& target, bool non_blocking) {
    TORCH_CHECK(!non_blocking || !target.is_cpu(), "a copy to the processor's memory that nobody waits for");
    seen_by_host(target).copy_(seen_by_host(source));
    return target;
}

at::Tensor copy_from_and_resize(const at::Tensor& source, const at::Tensor& target) {
    if (target.sizes() != source.sizes())
        target.resize_(source.sizes());
    return copy_from(source, target, false);
}

const at::Tensor& resize(const at::Tensor& self, at::IntArrayRef size, std::optional<at::MemoryFormat>) {
    at::TensorImpl* tensor = self.unsafeGetTensorImpl();
    tensor->set_sizes_contiguous(size);
    const std::size_t bytes =
        at::detail::computeStorageNbytesContiguous(size, self.element_size(), self.storage_offset());
    if (bytes > self.storage().nbytes())
        GuardedHooks().resizePrivateUse1Bytes(self.storage(), bytes);
    return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage source, std::int64_t offset, at::IntArrayRef size,
                        at::IntArrayRef stride) {
    return at::cpu::set_(self, std::move(source), offset, size, stride);
}

/// Has no fallback of its own: LibTorch asks every backend for it.
at::Tensor convolution(const at::Tensor& input, const at::Tensor& weight, const std::optional<at::Tensor>& bias,
                       at::IntArrayRef stride, at::IntArrayRef padding, at::IntArrayRef dilation, bool transposed,
                       at::IntArrayRef output_padding, std::int64_t groups) {
    const std::optional<at::Tensor> shift = bias && bias->defined() ? std::optional(seen_by_host(*bias)) : std::nullopt;
    return at::convolution(seen_by_host(input), seen_by_host(weight), shift, stride, padding, dilation, transposed,
                           output_padding, groups)
        .to(input.device());
}

void on_the_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    at::native::cpu_fallback(op, stack, /*error_on_views=*/true);
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, m) {
    m.fallback(torch::CppFunction::makeFromBoxedFunction<&on_the_host>());
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {
    m.impl("empty.memory_format", &empty);
    m.impl("empty_strided", &empty_strided);
    m.impl("_copy_from", &copy_from);
    m.impl("_copy_from_and_resize", &copy_from_and_resize);
    m.impl("resize_", &resize);
    m.impl("set_.source_Storage_storage_offset", &set_storage);
    m.impl("as_strided", &at::native::as_strided_tensorimpl);
    m.impl("view", &at::native::view);
    m.impl("_reshape_alias", &at::native::_reshape_alias);
    m.impl("unfold", &at::native::unfold);
    m.impl("convolution_overrideable", &convolution);
}

TORCH_LIBRARY_IMPL(_, AutocastPrivateUse1, m) {
    m.fallback(torch::CppFunction::makeFallthrough());
}

/// Operators that the tests' modules use, with autocast as on the CPU.
TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {
    KERNEL_PRIVATEUSEONE(linear, lower_precision_fp)
    KERNEL_PRIVATEUSEONE(mse_loss, fp32)
}

/// Registers the device when the library is loaded, before any other use.
const bool registered = [] {
    c10::register_privateuse1_backend("guarded");
    at::RegisterPrivateUse1HooksInterface(new GuardedHooks);
    return true;
}();

}  // namespace

}  // namespace trainyard::test
