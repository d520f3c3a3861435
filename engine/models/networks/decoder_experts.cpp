#include "models/networks/decoder_experts.h"

#include <ATen/ops/index_add.h>
#include <ATen/ops/one_hot.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/topk.h>
#include <ATen/ops/zeros_like.h>

#include "models/nn/kernels/activation_kernel.h"

namespace trainyard::models {

at::Tensor Experts::operator()(const at::Tensor& x, const at::Tensor& mask, RouterSums* sums) const {
    const at::Tensor rows = x.reshape({-1, x.size(-1)});
    const at::Tensor probabilities = at::softmax(router_(rows), -1, at::kFloat);
    auto [weights, indices] = at::topk(probabilities, chosen_, -1);
    weights = weights.div(weights.sum(-1, true));
    if (sums != nullptr) {
        const at::Tensor chosen = at::one_hot(indices, std::ssize(experts_)).to(at::kFloat);
        if (mask.defined()) {
            const at::Tensor counted = mask.ne(0).reshape({-1, 1}).to(at::kFloat);
            sums->probabilities = sums->probabilities.add(probabilities.mul(counted).sum(0));
            sums->choices = sums->choices.add(chosen.mul(counted.unsqueeze(-1)).sum(0));
        } else {
            sums->probabilities = sums->probabilities.add(probabilities.sum(0));
            sums->choices = sums->choices.add(chosen.sum(0));
        }
    }
    at::Tensor out = at::zeros_like(rows);
    for (std::size_t number = 0; number < experts_.size(); ++number) {
        const std::vector<at::Tensor> places =
            indices.eq(static_cast<std::int64_t>(number)).nonzero().unbind(1);  // token, rank of the choice
        if (places[0].numel() == 0)
            continue;
        const Expert& expert = experts_[number];
        const at::Tensor own = rows.index_select(0, places[0]);
        const at::Tensor inner = activate(activation_, expert.gate(own)).mul(expert.up(own));
        const at::Tensor weight = weights.index({places[0], places[1]}).unsqueeze(-1);
        out = at::index_add(out, 0, places[0], expert.down(inner).mul(weight).to(out.scalar_type()));
    }
    return out.view_as(x);
}

at::Tensor load_balancing_loss(const RouterSums& sums, double tokens) {
    const double experts = static_cast<double>(sums.probabilities.size(0));
    return sums.choices.mul(sums.probabilities.unsqueeze(0)).sum().mul(experts / (tokens * tokens));
}

}  // namespace trainyard::models
