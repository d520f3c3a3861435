// SPDX-License-Identifier: GPL-3.0-or-later
// The device `guarded`: a PrivateUse1 backend of LibTorch whose memory only this library can access. Tests use it as an
// accelerator: code that accesses device memory on the host, which would work by accident on a CPU, crashes with
// SIGSEGV.
//
// Device memory is an in-memory file that is mapped twice: at the addresses of tensors without access rights, and with
// access at addresses that only this file knows. Operators use ATen's CPU fallback, which copies arguments to the host
// and results back. New memory is filled with bytes 0xff, which are NaN in all floating-point formats, so that reading
// uninitialised memory does not give zeros by accident. guarded_graph.h has its graphs.

#include <cstring>

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

#include "guarded_graph.h"
#include "guarded_memory.h"

namespace trainyard::test {

namespace {

constexpr c10::DeviceType kGuarded = c10::DeviceType::PrivateUse1;
constexpr c10::DeviceIndex kGuardedDevices = 4;  // they share the memory; one for each local rank

class GuardedAllocator final : public c10::Allocator {
  public:
    c10::DataPtr allocate(std::size_t bytes) override {
        void* pointer = bytes == 0 ? nullptr : GuardedMemory::get().take(bytes, current_device);
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
    if (GraphCapture* capture = GraphCapture::current()) {
        TORCH_CHECK(!source.is_cpu() && !target.is_cpu(), kNotWhileCapturing, "a copy between device and host");
        capture->add(
            [from = without_owner(source), to = without_owner(target)] { seen_by_host(to).copy_(seen_by_host(from)); });
    }
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
    const auto compute = [=, stride = stride.vec(), padding = padding.vec(), dilation = dilation.vec(),
                          output_padding = output_padding.vec()](const at::Tensor& x, const at::Tensor& w,
                                                                 const std::optional<at::Tensor>& b) {
        return at::convolution(seen_by_host(x), seen_by_host(w),
                               b && b->defined() ? std::optional(seen_by_host(*b)) : std::nullopt, stride, padding,
                               dilation, transposed, output_padding, groups);
    };
    GraphCapture* capture = GraphCapture::current();
    const WithinOperator within;
    const at::Tensor result = compute(input, weight, bias).to(input.device());
    if (capture != nullptr)
        capture->add([compute, x = without_owner(input), w = without_owner(weight),
                      b = bias ? std::optional(without_owner(*bias)) : bias,
                      to = without_owner(result)] { seen_by_host(to).copy_(compute(x, w, b)); });
    return result;
}

void on_the_host(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
    const auto run = [](const c10::OperatorHandle& which, torch::jit::Stack* arguments) {
        const WithinOperator within;
        at::native::cpu_fallback(which, arguments, /*error_on_views=*/true);
    };
    if (GraphCapture* capture = GraphCapture::current())
        capture->run_and_add(op, stack, run);
    else
        run(op, stack);
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
