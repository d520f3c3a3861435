// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/low_rank_product.h"

#include <ATen/ops/mm.h>
#include <torch/csrc/autograd/custom_function.h>

#include "distributed/parallel/deferred_gradients.h"
#include "models/nn/kernels/linear.h"
#include "models/nn/kernels/products.h"

namespace trainyard::models {

namespace {

using parallel::LowRank;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The slices of an adapter's tensors that belong to one matrix.
struct Factors {
    at::Tensor a;  ///< [r, in]
    at::Tensor b;  ///< [out, r], with strides
};

at::Tensor own_rows(const LowRank& adapter, const at::Tensor& a) {
    const std::int64_t rank = a.size(0) / adapter.experts;
    return a.narrow(0, adapter.expert * rank, rank);
}

at::Tensor own_columns(const LowRank& adapter, const at::Tensor& b) {
    const at::Tensor columns =
        b.view({b.size(0), b.size(1) / adapter.experts, adapter.experts}).select(2, adapter.expert);
    if (adapter.rows == 0)
        return columns;
    const std::int64_t whole = adapter.b->whole_shape()[0];  // of which this rank may have an even part
    return columns.narrow(0, adapter.first_row * b.size(0) / whole, adapter.rows * b.size(0) / whole);
}

Factors own_factors(const LowRank& adapter, const at::Tensor& a, const at::Tensor& b) {
    return {own_rows(adapter, a), own_columns(adapter, b).contiguous()};
}

/// The product of a matrix that shares its adapter. The leaves are arguments only so that autograd visits the node.
struct SharedLowRankProduct : torch::autograd::Function<SharedLowRankProduct> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute_a,
                              const at::Tensor& compute_b, const LowRank* adapter) {
        const at::Tensor input = x.reshape({-1, x.size(-1)}).to(compute_a.scalar_type());
        const Factors own = own_factors(*adapter, compute_a, compute_b);
        const at::Tensor inner = product(input, own.a.t());
        context->save_for_backward({input, inner});
        context->saved_data["adapter"] = reinterpret_cast<std::int64_t>(adapter);
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["needs_x"] = x.requires_grad();
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape.back() = own.b.size(0);
        return product(inner, own.b.t()).view(shape);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const LowRank& adapter = *reinterpret_cast<const LowRank*>(context->saved_data["adapter"].toInt());
        const variable_list saved = context->get_saved_variables();
        const at::Tensor input = saved[0], inner = saved[1];
        const Factors own = own_factors(adapter, adapter.a->compute().detach(), adapter.b->compute().detach());
        const at::Tensor dy = gradients[0].reshape({-1, own.b.size(0)}).to(input.scalar_type());
        const at::Tensor d_inner = product(dy, own.b);
        parallel::DeferredGradients::make([&adapter, input, inner, dy, d_inner] {
            const auto sum = [](const at::Tensor& a, const at::Tensor& b) {  // in fp32, as gradients are
                return product(a.to(at::kFloat).t(), b.to(at::kFloat));
            };
            if (adapter.b->trains())
                own_columns(adapter, adapter.b->gradient_to_accumulate()).add_(sum(dy, inner));
            if (adapter.a->trains())
                own_rows(adapter, adapter.a->gradient_to_accumulate()).add_(sum(d_inner, input));
        });
        at::Tensor dx;
        if (context->saved_data["needs_x"].toBool()) {
            std::vector<std::int64_t> shape = gradients[0].sizes().vec();
            shape.back() = input.size(1);
            dx = product(d_inner, own.a)
                     .view(shape)
                     .to(static_cast<at::ScalarType>(context->saved_data["dtype"].toInt()));
        }
        return {dx, at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

bool is_in_first(const parallel::Parameter& weight) {
    return weight.product() == parallel::Parameter::Product::in_out;
}

}  // namespace

at::Tensor low_rank_product(const at::Tensor& x, const parallel::Parameter& weight, const LowRank& adapter) {
    if (adapter.experts > 1 || adapter.rows > 0)
        return SharedLowRankProduct::apply(x, adapter.a->compute(), adapter.b->compute(), &adapter);
    if (adapter.of_parameter && is_in_first(weight))
        return linear(linear(x, *adapter.b, nullptr), *adapter.a, nullptr);
    return linear_transposed(linear_transposed(x, *adapter.a, nullptr), *adapter.b, nullptr);
}

at::Tensor low_rank_matrix(const parallel::Parameter& weight, const LowRank& adapter) {
    const Factors own = own_factors(adapter, adapter.a->value(), adapter.b->value());
    const at::Tensor matrix = at::mm(own.b, own.a).mul(adapter.scale);
    return is_in_first(weight) && !adapter.of_parameter ? matrix.t() : matrix;
}

}  // namespace trainyard::models
