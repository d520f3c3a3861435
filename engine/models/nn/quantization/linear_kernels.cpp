// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/quantization/linear_kernels.h"

#include <map>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <utility>

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/grad_mode.h>
#include <ATen/core/stack.h>
#include <ATen/ops/addmm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/library.h>

namespace trainyard::models {

namespace {

/// The kernels of all models of the program by their weights.
class Registry {
  public:
    static Registry& get() {
        static auto* const registry = new Registry;
        return *registry;
    }
    void add(const std::shared_ptr<KernelOfWeight>& entry) {
        const std::unique_lock lock(mutex_);
        entries_[entry->weight().unsafeGetTensorImpl()] = {entry->weight(), entry};
    }
    void remove(const at::Tensor& weight) {
        const std::unique_lock lock(mutex_);
        if (const auto found = entries_.find(weight.unsafeGetTensorImpl());
            found != entries_.end() && found->second.kernel.expired())
            entries_.erase(found);
    }
    std::shared_ptr<KernelOfWeight> find(const at::Tensor& weight) const {
        const std::shared_lock lock(mutex_);
        const auto found = entries_.find(weight.unsafeGetTensorImpl());
        return found == entries_.end() ? nullptr : found->second.kernel.lock();
    }
    /// The entry whose weight this is the transpose of: torch::nn::Linear multiplies with weight.t().
    std::shared_ptr<KernelOfWeight> find_transposed(const at::Tensor& matrix) const {
        // Weights that are divided have no memory between their uses.
        const auto start_of = [](const at::Tensor& tensor) {
            return std::pair(tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset());
        };
        if (matrix.dim() != 2 || !matrix.has_storage())
            return nullptr;
        const std::shared_lock lock(mutex_);
        for (const auto& [tensor, entry] : entries_)
            if (const at::Tensor& weight = entry.weight;
                weight.dim() == 2 && weight.has_storage() && start_of(weight) == start_of(matrix) &&
                weight.size(0) == matrix.size(1) && weight.stride(0) == matrix.stride(1) &&
                weight.stride(1) == matrix.stride(0))
                return entry.kernel.lock();
        return nullptr;
    }

  private:
    struct Entry {
        at::Tensor weight;
        std::weak_ptr<KernelOfWeight> kernel;
    };
    mutable std::shared_mutex mutex_;
    std::map<const c10::TensorImpl*, Entry> entries_;
};

/// A key above those of automatic casting and autograd that nothing else uses. It is in use from the first scope on.
constexpr auto kKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

/// Returns a tensor that is stored in another format as it is used in computations; others unchanged.
at::Tensor as_computed(const at::Tensor& tensor) {
    if (!tensor.defined() || !at::isFloatingType(tensor.scalar_type()))
        return tensor;
    const std::shared_ptr<KernelOfWeight> entry = Registry::get().find(tensor);
    const auto* cast = entry != nullptr ? dynamic_cast<const CastWeight*>(&entry->kernel()) : nullptr;
    return cast != nullptr ? tensor.to(cast->compute()) : tensor;
}

at::Tensor linear_in_scope(const at::Tensor& x, const at::Tensor& weight, const std::optional<at::Tensor>& bias) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (const std::shared_ptr<KernelOfWeight> entry = Registry::get().find(weight))
        return entry->kernel().multiply(x, weight, bias.value_or(at::Tensor()));
    return at::linear(x, weight, bias);
}

at::Tensor matmul_in_scope(const at::Tensor& x, const at::Tensor& matrix) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (const std::shared_ptr<KernelOfWeight> entry = Registry::get().find_transposed(matrix))
        return entry->kernel().multiply(x, entry->weight(), {});
    return at::matmul(x, matrix);
}

at::Tensor addmm_in_scope(const at::Tensor& bias, const at::Tensor& x, const at::Tensor& matrix, const at::Scalar& beta,
                          const at::Scalar& alpha) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    if (beta.toDouble() == 1 && alpha.toDouble() == 1)
        if (const std::shared_ptr<KernelOfWeight> entry = Registry::get().find_transposed(matrix))
            return entry->kernel().multiply(x, entry->weight(), bias);
    return at::addmm(bias, x, matrix, beta, alpha);
}

/// torch::nn::Linear adds its bias in place where x has more than two dimensions.
at::Tensor& add_in_scope(at::Tensor& result, const at::Tensor& bias, const at::Scalar& alpha) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    return result.add_(as_computed(bias), alpha);
}

/// Convolutions with the weights and biases that theirs are stored as.
void convolve_in_scope(const c10::OperatorHandle& convolution, torch::jit::Stack* stack) {
    const c10::impl::ExcludeDispatchKeyGuard below(kKey);
    const std::size_t count = convolution.schema().arguments().size();
    for (std::size_t i = stack->size() - count; i < stack->size(); ++i)
        if ((*stack)[i].isTensor())
            (*stack)[i] = as_computed((*stack)[i].toTensor());
    convolution.callBoxed(stack);
}

void register_key() {
    static auto* const others = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "_", kKey, __FILE__, __LINE__);
        library->fallback(torch::CppFunction::makeFallthrough());
        return library;
    }();
    static auto* const products = [] {
        auto* library = new torch::Library(torch::Library::IMPL, "aten", kKey, __FILE__, __LINE__);
        library->impl("linear", linear_in_scope);
        library->impl("matmul", matmul_in_scope);
        library->impl("addmm", addmm_in_scope);
        library->impl("add_.Tensor", add_in_scope);
        for (const char* convolution :
             {"conv1d", "conv2d", "conv3d", "conv1d.padding", "conv2d.padding", "conv3d.padding", "conv_transpose1d",
              "conv_transpose2d.input", "conv_transpose3d.input"})
            library->impl(convolution, torch::CppFunction::makeFromBoxedFunction<&convolve_in_scope>());
        return library;
    }();
    (void)others;
    (void)products;
}

/// x W^T with W cast from the format in which it is stored, or x W (`transposed`). Each is the backward of the other.
struct StoredProduct : torch::autograd::Function<StoredProduct> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& rows,
                              const at::Tensor& weight, bool transposed) {
        context->saved_data["weight"] = weight;
        context->saved_data["transposed"] = transposed;
        const at::Tensor matrix = weight.to(rows.scalar_type());
        return at::mm(rows, transposed ? matrix : matrix.t());
    }
    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const bool transposed = context->saved_data["transposed"].toBool();
        return {StoredProduct::apply(gradients[0], context->saved_data["weight"].toTensor(), !transposed), at::Tensor(),
                at::Tensor()};
    }
};

}  // namespace

KernelOfWeight::KernelOfWeight(at::Tensor weight, std::shared_ptr<LinearKernel> kernel)
    : weight_(std::move(weight)), kernel_(std::move(kernel)) {}

KernelOfWeight::~KernelOfWeight() {
    Registry::get().remove(weight_);
}

std::shared_ptr<KernelOfWeight> set_kernel(const at::Tensor& weight, std::shared_ptr<LinearKernel> kernel) {
    register_key();
    auto entry = std::make_shared<KernelOfWeight>(weight, std::move(kernel));
    Registry::get().add(entry);
    return entry;
}

std::shared_ptr<KernelOfWeight> kernel_of(const at::Tensor& weight) {
    return weight.defined() ? Registry::get().find(weight) : nullptr;
}

bool is_stored_weight(const at::Tensor& tensor) {
    const std::shared_ptr<KernelOfWeight> entry = kernel_of(tensor);
    return entry != nullptr && entry->kernel().stores_weight();
}

std::shared_ptr<void> linear_kernel_scope() {
    return std::make_shared<c10::impl::IncludeDispatchKeyGuard>(kKey);
}

PackedLinear::PackedLinear(std::shared_ptr<const quantization::PackedMatrix> weight,
                           std::optional<at::ScalarType> compute, double threshold)
    : weight_(std::move(weight)), threshold_(threshold), compute_(compute) {}

at::Tensor PackedLinear::multiply(const at::Tensor& x, const at::Tensor&, const at::Tensor& bias) {
    const c10::impl::ExcludeDispatchKeyGuard no_casting(c10::autocast_dispatch_keyset);
    if (weight_->is_int8())
        return Int8Linear(weight_, threshold_)(x, bias, at::GradMode::is_enabled());
    return FourBitLinear(weight_, compute_)(x, bias);
}

at::Tensor CastWeight::multiply(const at::Tensor& x, const at::Tensor& weight, const at::Tensor& bias) {
    const c10::impl::ExcludeDispatchKeyGuard no_casting(c10::autocast_dispatch_keyset);
    const at::Tensor rows = x.reshape({-1, x.size(-1)}).to(compute_);
    at::Tensor y = StoredProduct::apply(rows, weight, false);
    if (bias.defined())
        y = y.add(bias.to(compute_));
    std::vector<std::int64_t> shape = x.sizes().vec();
    shape.back() = y.size(1);
    return y.view(shape);
}

}  // namespace trainyard::models
