// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A tensor of a model: its name in Hugging Face checkpoints, how it starts, whether it is trained, and where its
// value and gradient lie (views of the flat buffers of its group). Kernels write gradients straight into the flat
// buffer, so that backward neither allocates nor adds what a first contribution can overwrite.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::parallel {

class GradientBuffers;
class MatrixKernel;
struct TensorPart;

/// How a parameter starts.
struct Initialiser {
    /// uniform: of both signs; positive: from 0 on.
    enum class Kind { zeros, ones, normal, uniform, positive, constant } kind = Kind::zeros;
    double deviation = 0.0;  ///< of normal; of uniform and positive the largest value, of constant the value
};

/// What is kept of a parameter: a trainable one has a gradient and optimizer state beside its value, a frozen one has
/// the value alone.
enum class Storage { trainable, frozen };

class Parameter;

/// What is added to a matrix: scale * B A, with A [r, in] and B [out, r]. Experts share both: A then holds the rows
/// of all of them one expert behind the other, [experts * r, in], and B their columns in turns, [out, r * experts],
/// as PEFT's target_parameters have it.
struct LowRank {
    Parameter* a;
    Parameter* b;
    double scale;
    bool of_parameter =
        false;  ///< of target_parameters: B A has the layout of the matrix, also where that is [in, out]
    std::int64_t expert = 0, experts = 1;  ///< which one the matrix is of, and of how many
    std::int64_t first_row = 0, rows = 0;  ///< of B that are for this matrix; 0: all
};

class Parameter {
  public:
    /// Of a Linear: which dimension its input has.
    enum class Product { none, in_out, out_in };

    Parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser)
        : name_(std::move(name)), shape_(std::move(shape)), initialiser_(initialiser) {}
    Parameter(const Parameter&) = delete;
    Parameter& operator=(const Parameter&) = delete;

    const std::string& name() const { return name_; }
    const std::vector<std::int64_t>& shape() const { return shape_; }
    const Initialiser& initialiser() const { return initialiser_; }
    /// Before a FlatArena lays it out: this rank has a part of it (tensor_part.h). shape(), values and gradients are of
    /// the part.
    void divide(std::shared_ptr<const TensorPart> part);
    /// Null: the ranks of no tensor-parallel group share it.
    const TensorPart* part() const { return part_.get(); }
    /// The shape of the model's tensor, also if this rank has a part of it.
    const std::vector<std::int64_t>& whole_shape() const;
    std::int64_t numel() const;
    Storage storage() const { return storage_; }
    bool trains() const { return storage_ == Storage::trainable; }
    /// Before a FlatArena lays it out.
    void freeze() { storage_ = Storage::frozen; }
    /// AdamW's usual rule: matrices and embeddings decay, biases and norms do not.
    bool decays_by_default() const { return shape_.size() >= 2; }

    /// Set by the module that multiplies with it.
    Product product() const { return product_; }
    void set_product(Product product) { product_ = product; }
    /// Adapters, side by side; Linear applies them.
    const std::vector<LowRank>& adapters() const { return adapters_; }
    void add_adapter(const LowRank& adapter) { adapters_.push_back(adapter); }

    /// Computes the products with this matrix instead of the dense kernels (matrix_kernel.h); nullptr: they do.
    MatrixKernel* kernel() const { return kernel_.get(); }
    /// Before a FlatArena lays it out.
    void set_kernel(std::shared_ptr<MatrixKernel> kernel) { kernel_ = std::move(kernel); }
    /// Frozen, with its values in the kernel alone: value() and compute() are on the meta device, in the dtype of
    /// results.
    void pack(std::shared_ptr<MatrixKernel> kernel, at::ScalarType result);
    bool is_packed() const { return is_packed_; }

    /// Set by the module that looks rows of it up and reads no others (an embedding).
    bool is_table() const { return is_table_; }
    void set_table() { is_table_ = true; }

    /// For a model that is used and not trained, instead of a FlatArena: what value() and compute() are from now on,
    /// of this shape, on any device. Without `value` the parameter has no bytes: both are on the meta device.
    void place(at::Tensor value, at::Tensor compute);

    /// fp32 master value. Set by FlatGroup, or by place(): then matrices may have another floating dtype.
    const at::Tensor& value() const { return value_; }
    /// What kernels multiply with: value() itself, or its copy in the compute dtype. Requires grad, so that autograd
    /// visits the kernels; the kernels return no gradient for it.
    const at::Tensor& compute() const { return compute_; }
    /// fp32; undefined where the parameter is frozen. Where gradients are sharded its memory is made here, and lasts
    /// until they are summed.
    const at::Tensor& gradient() const;

    /// Adds `g` (shape of the parameter, any floating dtype) to the gradient. Of a frozen parameter these three do
    /// nothing.
    void add_gradient(const at::Tensor& g);
    /// Adds `a @ b` to the gradient of a matrix, written in place when dtypes allow.
    void add_matmul(const at::Tensor& a, const at::Tensor& b);
    /// Adds the column sums of `g` [rows, numel].
    void add_row_sum(const at::Tensor& g);
    /// The gradient of a trainable parameter as a target to accumulate into; zeroed first when nothing was written in
    /// this step.
    const at::Tensor& gradient_to_accumulate();

    /// The gradient for a kernel that adds to it where `add` says so, and else writes all of it.
    const at::Tensor& gradient_to_write(bool& add) {
        add = !fresh_;
        fresh_ = false;
        return gradient_;
    }

    /// Something has added to the gradient since forget_gradient().
    bool has_gradient() const { return !fresh_; }
    /// Start of a step: the next contribution overwrites.
    void forget_gradient() { fresh_ = true; }
    /// End of backward: a parameter that nothing used has a gradient of zeros.
    void settle_gradient();

  private:
    friend class FlatGroup;
    friend class GradientBuffers;
    std::string name_;
    std::vector<std::int64_t> shape_;
    Initialiser initialiser_;
    Storage storage_ = Storage::trainable;
    Product product_ = Product::none;
    bool is_table_ = false, is_packed_ = false;
    std::shared_ptr<MatrixKernel> kernel_;
    std::vector<LowRank> adapters_;
    std::shared_ptr<const TensorPart> part_;
    at::Tensor value_, compute_, gradient_;
    GradientBuffers* gradient_buffers_ = nullptr;  ///< where gradients are sharded
    std::size_t bucket_ = 0;                       ///< there
    bool fresh_ = true;
};

}  // namespace trainyard::parallel
