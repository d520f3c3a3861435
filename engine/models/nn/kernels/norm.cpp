// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/norm.h"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <vector>

#include <ATen/Parallel.h>
#include <ATen/ops/add.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/native_layer_norm.h>
#include <ATen/ops/native_layer_norm_backward.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/nn/kernels/half_bits.h"
#include "models/nn/kernels/saved_parameter.h"
#include "models/nn/kernels/vector_loops.h"

namespace trainyard::models {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows whose sums for scale and shift are computed together, for any number of threads.
constexpr std::int64_t kBlockRows = 64;
constexpr std::int64_t kGrain = 16384;

bool has_loops(const at::Tensor& stream, at::ScalarType type) {
    return stream.is_cpu() && stream.scalar_type() == at::kFloat && has_number_format(type);
}

std::int64_t row_grain(std::int64_t width) {
    return std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, width));
}

/// Elements of a tensor for the loops.
template <class Element>
const Element* read(const at::Tensor& x) {
    if constexpr (std::is_same_v<Element, float>)
        return x.const_data_ptr<float>();
    else
        return bits(x);
}
template <class Element>
Element* write(const at::Tensor& x) {
    if constexpr (std::is_same_v<Element, float>)
        return x.data_ptr<float>();
    else
        return bits_to_write(x);
}

struct Statistics {
    at::Tensor mean, rstd;  ///< [rows], fp32
};

/// Writes `normed` and, if there is a branch, `sum` = stream + branch.
template <class Element>
Statistics norm_rows(const at::Tensor& stream, const at::Tensor& branch, const Parameter& weight,
                     const at::Tensor& bias, double epsilon, const at::Tensor& sum, const at::Tensor& normed) {
    std::int64_t width = stream.size(-1), rows = stream.numel() / std::max<std::int64_t>(1, width);
    Statistics statistics{at::empty({rows}, stream.options()), at::empty({rows}, stream.options())};
    const float *in = stream.const_data_ptr<float>(), *scale = weight.value().const_data_ptr<float>(),
                *shift = bias.const_data_ptr<float>();
    const Element* more = branch.defined() ? read<Element>(branch) : nullptr;
    float *total = branch.defined() ? sum.data_ptr<float>() : nullptr, *mean = statistics.mean.data_ptr<float>(),
          *rstd = statistics.rstd.data_ptr<float>();
    auto* out = write<Element>(normed);
    const HalfLoops& half = vector_loops().half(format_of(normed.scalar_type()));
    at::parallel_for(0, rows, row_grain(width), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> room(std::is_same_v<Element, float> ? 0 : static_cast<std::size_t>(width));
        for (std::int64_t row = begin; row < end; ++row) {
            const float* x = in + row * width;
            if (more != nullptr) {
                if constexpr (std::is_same_v<Element, float>)
                    vector_loops().add(x, more + row * width, total + row * width, width);
                else
                    half.add(x, more + row * width, total + row * width, width);
                x = total + row * width;
            }
            auto norm = [&](float* y) {
                vector_loops().norm_row(x, scale, shift, static_cast<float>(epsilon), y, mean + row, rstd + row, width);
            };
            if constexpr (std::is_same_v<Element, float>) {
                norm(out + row * width);
            } else {
                norm(room.data());
                half.narrow(room.data(), out + row * width, width);
            }
        }
    });
    return statistics;
}

/// The gradient of the stream: the sum of what bypasses the norm (may be undefined) and what passes through it. Adds to
/// the gradients of scale and shift; if `of_branch` is defined, the result is also written to it in its dtype.
template <class Element>
at::Tensor norm_gradients(const at::Tensor& stream, const Statistics& statistics, Parameter& weight, Parameter* bias,
                          const at::Tensor& past, const at::Tensor& through, const at::Tensor& of_branch) {
    std::int64_t width = stream.size(-1), rows = stream.numel() / std::max<std::int64_t>(1, width);
    std::int64_t blocks = (rows + kBlockRows - 1) / kBlockRows;
    at::Tensor dx = at::empty(stream.sizes(), stream.options());
    at::Tensor parts = at::zeros({blocks, 2, width}, stream.options());
    const float *in = stream.const_data_ptr<float>(), *mean = statistics.mean.const_data_ptr<float>(),
                *rstd = statistics.rstd.const_data_ptr<float>(), *scale = weight.value().const_data_ptr<float>();
    const float* beside = past.defined() ? past.const_data_ptr<float>() : nullptr;
    const auto* dy = read<Element>(through);
    const HalfLoops& half = vector_loops().half(format_of(through.scalar_type()));
    float *out = dx.data_ptr<float>(), *part = parts.data_ptr<float>();
    at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> room(std::is_same_v<Element, float> ? 0 : static_cast<std::size_t>(width));
        for (std::int64_t row = begin * kBlockRows; row < std::min(rows, end * kBlockRows); ++row) {
            float *target = out + row * width, *sums = part + row / kBlockRows * 2 * width;
            const float* incoming = nullptr;
            if constexpr (std::is_same_v<Element, float>) {
                incoming = dy + row * width;
            } else {
                half.widen(dy + row * width, room.data(), width);
                incoming = room.data();
            }
            if (beside != nullptr)
                std::copy_n(beside + row * width, width, target);
            else
                std::fill_n(target, width, 0.0f);
            vector_loops().norm_gradient_row(in + row * width, mean[row], rstd[row], scale, incoming, target, sums,
                                             sums + width, width);
            if constexpr (!std::is_same_v<Element, float>) {
                if (of_branch.defined())
                    half.narrow(target, bits_to_write(of_branch) + row * width, width);
            }
        }
    });
    const bool bias_trains = bias != nullptr && bias->trains();
    if (!weight.trains() && !bias_trains)
        return dx;
    at::Tensor sums = parts.sum(0);
    weight.add_gradient(sums.select(0, 0));
    if (bias_trains)
        bias->add_gradient(sums.select(0, 1));
    return dx;
}

/// Outputs: the stream with the branch (if there is one), and the norm. The leaf `compute` is an argument only so that
/// autograd visits the node.
struct NormFunction : torch::autograd::Function<NormFunction> {
    static variable_list forward(AutogradContext* context, const at::Tensor& given,
                                 const std::optional<at::Tensor>& perhaps, const at::Tensor& compute, Parameter* weight,
                                 Parameter* bias, double epsilon) {
        at::ScalarType type = compute.scalar_type();
        at::Tensor branch = perhaps.value_or(at::Tensor());
        at::Tensor stream = given.contiguous(), more = branch.defined() ? branch.contiguous() : branch;
        at::Tensor sum = stream, normed;
        Statistics statistics;
        at::Tensor shift =
            bias != nullptr ? bias->value() : at::zeros(weight->value().sizes(), weight->value().options());
        if (has_loops(stream, type) && (!more.defined() || more.scalar_type() == type)) {
            if (more.defined())
                sum = at::empty(stream.sizes(), stream.options());
            normed = at::empty(stream.sizes(), stream.options().dtype(type));
            statistics = type == at::kFloat
                             ? norm_rows<float>(stream, more, *weight, shift, epsilon, sum, normed)
                             : norm_rows<std::uint16_t>(stream, more, *weight, shift, epsilon, sum, normed);
        } else {
            if (more.defined())
                sum = at::add(stream, more);
            std::array<std::int64_t, 1> shape{sum.size(-1)};
            std::tie(normed, statistics.mean, statistics.rstd) =
                at::native_layer_norm(sum, shape, weight->value(), shift, epsilon);
            normed = normed.to(type);
        }
        context->save_for_backward({sum, statistics.mean, statistics.rstd});
        context->set_materialize_grads(false);
        context->saved_data["has_branch"] = branch.defined();
        if (branch.defined())
            context->saved_data["branch_type"] = static_cast<std::int64_t>(branch.scalar_type());
        keep(context, "weight", *weight);
        keep(context, "bias", bias);
        return {branch.defined() ? sum : given, normed};
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto saved = context->get_saved_variables();
        const at::Tensor& stream = saved[0];
        Statistics statistics{saved[1], saved[2]};
        Parameter &weight = saved_parameter(context, "weight"), *bias = saved_parameter_or_null(context, "bias");
        at::Tensor past = gradients[0].defined() ? gradients[0].contiguous() : at::Tensor(), through = gradients[1];
        bool has_branch = context->saved_data["has_branch"].toBool();
        at::ScalarType branch_type = at::kFloat;
        if (has_branch)
            branch_type = static_cast<at::ScalarType>(context->saved_data["branch_type"].toInt());
        at::Tensor dx = past, dbranch;
        if (through.defined() && has_loops(stream, through.scalar_type())) {
            through = through.contiguous();
            if (has_branch && is_half(branch_type) && through.scalar_type() == branch_type)
                dbranch = at::empty(stream.sizes(), stream.options().dtype(branch_type));
            dx = through.scalar_type() == at::kFloat
                     ? norm_gradients<float>(stream, statistics, weight, bias, past, through, dbranch)
                     : norm_gradients<std::uint16_t>(stream, statistics, weight, bias, past, through, dbranch);
        } else if (through.defined()) {
            std::array<std::int64_t, 1> shape{stream.size(-1)};
            auto [dnorm, dweight, dbias] = at::native_layer_norm_backward(
                through.to(stream.scalar_type()).contiguous(), stream, shape, statistics.mean, statistics.rstd,
                weight.value(), bias != nullptr ? bias->value() : at::zeros_like(weight.value()), {true, true, true});
            weight.add_gradient(dweight);
            if (bias != nullptr)
                bias->add_gradient(dbias);
            dx = past.defined() ? at::add(past, dnorm) : dnorm;
        }
        if (has_branch && !dbranch.defined() && dx.defined())
            dbranch = dx.to(branch_type);
        return {dx, dbranch, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

struct AddBranchFunction : torch::autograd::Function<AddBranchFunction> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& stream, const at::Tensor& branch) {
        context->saved_data["type"] = static_cast<std::int64_t>(branch.scalar_type());
        if (!stream.is_cpu() || !is_half(branch.scalar_type()) || !stream.is_contiguous() || !branch.is_contiguous())
            return at::add(stream, branch);
        const HalfLoops& half = vector_loops().half(format_of(branch.scalar_type()));
        at::Tensor sum = at::empty(stream.sizes(), stream.options());
        at::parallel_for(0, stream.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
            half.add(stream.const_data_ptr<float>() + begin, bits(branch) + begin, sum.data_ptr<float>() + begin,
                     end - begin);
        });
        return sum;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        auto type = static_cast<at::ScalarType>(context->saved_data["type"].toInt());
        return {gradients[0], gradients[0].to(type)};
    }
};

}  // namespace

NormedStream normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, Parameter* bias,
                           double epsilon) {
    auto perhaps = branch.defined() ? std::optional(branch) : std::nullopt;
    variable_list both = NormFunction::apply(stream, perhaps, weight.compute(), &weight, bias, epsilon);
    return {both[0], both[1]};
}

at::Tensor add_branch(const at::Tensor& stream, const at::Tensor& branch) {
    return AddBranchFunction::apply(stream, branch);
}

}  // namespace trainyard::models
