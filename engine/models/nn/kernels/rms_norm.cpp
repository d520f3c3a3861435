// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include <ATen/ops/add.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/rsqrt.h>
#include <torch/csrc/autograd/custom_function.h>

#include "models/nn/kernels/norm.h"
#include "models/nn/kernels/saved_parameter.h"

namespace trainyard::models {

namespace {

/// Outputs: the stream with the branch (if there is one), and the norm. Uses LibTorch's operators on every device. The
/// leaf `compute` is an argument only so that autograd visits the node.
struct RmsNormFunction : torch::autograd::Function<RmsNormFunction> {
    using Context = torch::autograd::AutogradContext;
    using Variables = torch::autograd::variable_list;

    static Variables forward(Context* context, const at::Tensor& stream, const std::optional<at::Tensor>& branch,
                             const at::Tensor& compute, Parameter* weight, double epsilon, double offset) {
        at::Tensor sum = branch ? at::add(stream, *branch) : stream;
        at::Tensor inverse_root = at::rsqrt(at::mean(sum.square(), {-1}, true).add(epsilon));
        context->save_for_backward({sum, inverse_root});
        context->set_materialize_grads(false);
        context->saved_data["has_branch"] = branch.has_value();
        if (branch)
            context->saved_data["branch_type"] = static_cast<std::int64_t>(branch->scalar_type());
        context->saved_data["offset"] = offset;
        keep(context, "weight", *weight);
        return {sum, sum.mul(inverse_root).mul(factor(*weight, offset)).to(compute.scalar_type())};
    }

    static Variables backward(Context* context, Variables gradients) {
        Variables saved = context->get_saved_variables();
        Parameter& weight = saved_parameter(context, "weight");
        at::Tensor dx = gradients[0];
        if (gradients[1].defined()) {
            const at::Tensor dy = gradients[1].to(at::kFloat), unit = saved[0].mul(saved[1]);
            if (weight.trains())
                weight.add_gradient(dy.mul(unit).reshape({-1, dy.size(-1)}).sum(0));
            const at::Tensor dunit = dy.mul(factor(weight, context->saved_data["offset"].toDouble()));
            const at::Tensor through = dunit.sub(unit.mul(at::mean(dunit.mul(unit), {-1}, true))).mul(saved[1]);
            dx = dx.defined() ? at::add(dx, through) : through;
        }
        at::Tensor dbranch;
        if (dx.defined() && context->saved_data["has_branch"].toBool())
            dbranch = dx.to(static_cast<at::ScalarType>(context->saved_data["branch_type"].toInt()));
        return {dx, dbranch, at::Tensor(), at::Tensor(), at::Tensor(), at::Tensor()};
    }

    static at::Tensor factor(const Parameter& weight, double offset) {
        return offset == 0 ? weight.value() : weight.value().add(offset);
    }
};

}  // namespace

NormedStream rms_normed_stream(const at::Tensor& stream, const at::Tensor& branch, Parameter& weight, double epsilon,
                               double offset) {
    auto perhaps = branch.defined() ? std::optional(branch) : std::nullopt;
    auto both = RmsNormFunction::apply(stream, perhaps, weight.compute(), &weight, epsilon, offset);
    return {both[0], both[1]};
}

}  // namespace trainyard::models
