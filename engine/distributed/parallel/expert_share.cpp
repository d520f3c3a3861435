// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/expert_share.h"

#include <numeric>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/tensor.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/error.h"

namespace trainyard::parallel {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;
using Plan = ExpertExchange::Plan;

at::Tensor exchange(const at::Tensor& rows, Communicator& ranks, const std::vector<std::int64_t>& got,
                    const std::vector<std::int64_t>& given, const char* name) {
    const at::Tensor from = rows.contiguous();
    const at::Tensor to =
        at::empty({std::accumulate(got.begin(), got.end(), std::int64_t{0}), rows.size(1)}, rows.options());
    ranks.all_to_all(to, from, name, got, given).wait();
    return to;
}

at::Tensor to_experts(const at::Tensor& rows, const Plan& plan, const char* name) {
    return exchange(rows, *plan.ranks, plan.got, plan.given, name).index_select(0, plan.by_expert);
}

at::Tensor from_experts(const at::Tensor& rows, const Plan& plan, const char* name) {
    return exchange(rows.index_select(0, plan.by_arrival), *plan.ranks, plan.given, plan.got, name);
}

/// Communicators outlive the graphs whose nodes use them.
void keep_plan(AutogradContext* context, const Plan& plan, bool back) {
    context->saved_data["ranks"] = reinterpret_cast<std::int64_t>(plan.ranks);
    context->saved_data["given"] = plan.given;
    context->saved_data["got"] = plan.got;
    context->saved_data["by_expert"] = plan.by_expert;
    context->saved_data["by_arrival"] = plan.by_arrival;
    context->saved_data["back"] = back;
}

Plan saved_plan(AutogradContext* context) {
    return {reinterpret_cast<Communicator*>(context->saved_data["ranks"].toInt()),
            context->saved_data["given"].toIntVector(), context->saved_data["got"].toIntVector(),
            context->saved_data["by_expert"].toTensor(), context->saved_data["by_arrival"].toTensor()};
}

/// `anchor` requires a gradient, so that backward comes by on every rank, also on one whose rows depend on nothing
/// that is trained.
struct Exchange : torch::autograd::Function<Exchange> {
    static at::Tensor forward(AutogradContext* context, const at::Tensor& rows, const at::Tensor& /*anchor*/,
                              const Plan& plan, bool back) {
        keep_plan(context, plan, back);
        return back ? from_experts(rows, plan, "results of experts") : to_experts(rows, plan, "rows for experts");
    }
    static variable_list backward(AutogradContext* context, variable_list gradients) {
        const Plan plan = saved_plan(context);
        const bool back = context->saved_data["back"].toBool();
        return {back ? to_experts(gradients[0], plan, "gradients of results of experts")
                     : from_experts(gradients[0], plan, "gradients of rows for experts"),
                at::Tensor(), at::Tensor(), at::Tensor()};
    }
};

at::Tensor apply_exchange(const at::Tensor& rows, const Plan& plan, bool back) {
    at::Tensor anchor = at::empty({0}, at::TensorOptions().dtype(at::kFloat));
    anchor.set_requires_grad(at::GradMode::is_enabled());
    return Exchange::apply(rows, anchor, plan, back);
}

}  // namespace

std::optional<ExpertShare> expert_share(Mesh& mesh, std::int64_t ranks, std::int64_t experts) {
    if (ranks == 1)
        return std::nullopt;
    if (experts % ranks != 0 || experts == 0)
        throw UserError(
            "parallel.ep_size: {}",
            Message("{}: {} experts do not divide among the ranks: take a divisor of {}", ranks, experts, experts));
    ExpertShare share;
    share.ranks = &mesh.expert_ranks(static_cast<int>(ranks));
    share.copies = &mesh.expert_copies(static_cast<int>(ranks));
    share.shards = &mesh.expert_shards(static_cast<int>(ranks));
    share.count = experts / ranks;
    share.first = share.ranks->rank() * share.count;
    return share;
}

ExpertExchange::ExpertExchange(const ExpertShare& share, const std::vector<std::int64_t>& counts) {
    at::NoGradGuard no_grad;
    const std::int64_t ranks = share.ranks->size(), own = share.count;
    const auto numbers = at::TensorOptions().dtype(at::kLong).device(share.ranks->device());
    const at::Tensor mine = at::tensor(counts, at::kLong).to(numbers.device());
    const at::Tensor theirs = at::empty_like(mine);  // [ranks, own experts]
    share.ranks->all_to_all(theirs, mine, "numbers of rows for experts").wait();
    const at::Tensor arrived = theirs.cpu();
    const std::int64_t* rows = arrived.const_data_ptr<std::int64_t>();
    plan_.ranks = share.ranks;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        const auto begin = counts.begin() + rank * own;
        plan_.given.push_back(std::accumulate(begin, begin + own, std::int64_t{0}));
        plan_.got.push_back(std::accumulate(rows + rank * own, rows + (rank + 1) * own, std::int64_t{0}));
    }
    std::vector<std::int64_t> begins(static_cast<std::size_t>(ranks * own));  // among the rows as they arrive
    std::exclusive_scan(rows, rows + ranks * own, begins.begin(), std::int64_t{0});
    std::vector<std::int64_t> places;
    for (std::int64_t expert = 0; expert < own; ++expert) {
        const std::size_t before = places.size();
        for (std::int64_t rank = 0; rank < ranks; ++rank)
            for (std::int64_t row = 0; row < rows[rank * own + expert]; ++row)
                places.push_back(begins[static_cast<std::size_t>(rank * own + expert)] + row);
        counts_.push_back(static_cast<std::int64_t>(places.size() - before));
    }
    plan_.by_expert = at::tensor(places, at::kLong).to(numbers.device());
    plan_.by_arrival = at::empty_like(plan_.by_expert);
    plan_.by_arrival.index_copy_(0, plan_.by_expert, at::arange(std::ssize(places), numbers));
}

at::Tensor ExpertExchange::send(const at::Tensor& rows) const {
    return apply_exchange(rows, plan_, false);
}

at::Tensor ExpertExchange::bring_back(const at::Tensor& rows) const {
    return apply_exchange(rows, plan_, true);
}

}  // namespace trainyard::parallel
