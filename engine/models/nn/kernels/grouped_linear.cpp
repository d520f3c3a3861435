// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/grouped_linear.h"

#include <algorithm>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/custom_class.h>

#include "distributed/parallel/activation_checkpoint.h"
#include "distributed/parallel/deferred_gradients.h"
#include "distributed/parallel/matrix_kernel.h"
#include "models/nn/kernels/products.h"

namespace trainyard::models {

namespace {

using parallel::Parameter;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// A group that has rows.
struct RowGroup {
    Parameter* weight = nullptr;
    std::int64_t begin = 0, count = 0;
    at::Tensor rows(const at::Tensor& x) const { return x.narrow(0, begin, count); }
};

/// State for backward that is not a tensor.
struct RowGroups : torch::CustomClassHolder {
    std::vector<RowGroup> groups;

    /// Calls `visit` for every group. With as many groups as threads each thread has whole ones, and the products
    /// inside use one thread; with fewer the products use all.
    template <class Visit>
    void for_each(bool on_host, const Visit& visit) const {
        if (!on_host || std::ssize(groups) < at::get_num_threads() || std::ssize(groups) == 1) {
            std::ranges::for_each(groups, visit);
            return;
        }
        at::parallel_for(0, std::ssize(groups), 1, [&](std::int64_t begin, std::int64_t end) {
            const at::NoGradGuard no_grad;  // is of a thread
            for (std::int64_t i = begin; i < end; ++i)
                visit(groups[static_cast<std::size_t>(i)]);
        });
    }
};

struct GroupedLinear : torch::autograd::Function<GroupedLinear> {
    using Groups = c10::intrusive_ptr<RowGroups>;

    /// The leaf `compute` is an argument only so that autograd visits the node.
    static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& compute,
                              std::int64_t out, const Groups& groups) {
        const at::Tensor input = x.to(compute.scalar_type()).contiguous();
        const at::Tensor y = parallel::kept_output([&] {
            const at::Tensor all = at::empty({input.size(0), out}, input.options());
            groups->for_each(all.is_cpu(), [&](const RowGroup& group) {
                if (const parallel::MatrixKernel* kernel = group.weight->kernel())
                    group.rows(all).copy_(kernel->product(group.rows(input)));
                else
                    product_into(group.rows(all), group.rows(input), group.weight->compute().detach().t());
            });
            return all;
        });
        const bool trains =
            std::ranges::any_of(groups->groups, [](const RowGroup& group) { return group.weight->trains(); });
        context->save_for_backward({trains ? input : at::Tensor()});
        context->saved_data["type"] = static_cast<std::int64_t>(input.scalar_type());
        context->saved_data["width"] = input.size(1);
        context->saved_data["groups"] = c10::IValue::make_capsule(groups);
        context->saved_data["dtype"] = static_cast<std::int64_t>(x.scalar_type());
        context->saved_data["needs_x"] = x.requires_grad();
        return y;
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const at::Tensor input = context->get_saved_variables()[0];
        const auto capsule = context->saved_data["groups"].toCapsule();
        const auto groups = Groups::reclaim_copy(static_cast<RowGroups*>(capsule.get()));
        const at::Tensor dy =
            gradients[0].to(static_cast<at::ScalarType>(context->saved_data["type"].toInt())).contiguous();
        parallel::DeferredGradients::make([groups, input, dy] {
            for (const RowGroup& group : groups->groups)  // what several share is allocated by one thread
                if (group.weight->trains())
                    (void)group.weight->gradient();
            groups->for_each(dy.is_cpu(), [&](const RowGroup& group) {
                if (group.weight->trains())
                    add_product(*group.weight, group.rows(dy).t(), group.rows(input));
            });
        });
        at::Tensor dx;
        if (context->saved_data["needs_x"].toBool()) {
            dx = at::empty({dy.size(0), context->saved_data["width"].toInt()}, dy.options());
            groups->for_each(dx.is_cpu(), [&](const RowGroup& group) {
                if (const parallel::MatrixKernel* kernel = group.weight->kernel())
                    group.rows(dx).copy_(kernel->gradient(group.rows(dy)));
                else
                    product_into(group.rows(dx), group.rows(dy), group.weight->compute().detach());
            });
            dx = dx.to(static_cast<at::ScalarType>(context->saved_data["dtype"].toInt()));
        }
        return {dx, at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

}  // namespace

at::Tensor grouped_linear(const at::Tensor& x, const std::vector<std::int64_t>& counts,
                          std::span<Parameter* const> weights) {
    auto groups = c10::make_intrusive<RowGroups>();
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < counts.size(); begin += counts[i], ++i)
        if (counts[i] > 0)
            groups->groups.push_back({weights[i], begin, counts[i]});
    return GroupedLinear::apply(x, weights.front()->compute(), weights.front()->shape()[0], groups);
}

}  // namespace trainyard::models
