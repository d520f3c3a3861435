// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_experts.h"

#include <algorithm>
#include <array>

#include <ATen/ops/cat.h>

#include "distributed/parallel/matrix_kernel.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/kernels/activation_kernel.h"
#include "models/nn/kernels/grouped_linear.h"
#include "models/nn/kernels/products.h"

namespace trainyard::models {

Experts::Experts(Linear router, std::vector<Expert> experts, const families::DecoderOptions& options)
    : router_(router),
      experts_(std::move(experts)),
      options_{.chosen = options.experts_per_token, .normalises = options.normalises_experts},
      activation_(options.activation) {
    for (const Expert& expert : experts_) {
        matrices_.gate.push_back(&expert.gate.weight());
        matrices_.up.push_back(&expert.up.weight());
        matrices_.down.push_back(&expert.down.weight());
    }
}

/// Neither adapters nor kernels that multiply one matrix at a time.
bool Experts::are_grouped() const {
    return !InUse::is_set() && std::ranges::all_of(experts_, [](const Expert& expert) {
        return std::ranges::all_of(std::array{&expert.gate, &expert.up, &expert.down}, [](const Linear* one) {
            const parallel::MatrixKernel* kernel = one->weight().kernel();
            return (kernel == nullptr || kernel->has_products()) && one->weight().adapters().empty();
        });
    });
}

at::Tensor Experts::compute(const at::Tensor& rows, const std::vector<std::int64_t>& counts, std::int64_t first,
                            parallel::Communicator* tensor_ranks) const {
    if (are_grouped()) {
        constexpr const char* kName = "experts";
        const auto multiply = [&](const at::Tensor& x, const std::vector<Parameter*>& matrices) {
            return grouped_linear(x, counts, {matrices.begin() + first, counts.size()});
        };
        const at::Tensor x = tensor_ranks != nullptr ? parallel::share_input(rows, *tensor_ranks, kName) : rows;
        const at::Tensor inner = activate(activation_, multiply(x, matrices_.gate)).mul(multiply(x, matrices_.up));
        const at::Tensor out = multiply(inner, matrices_.down);
        return tensor_ranks != nullptr ? parallel::sum_outputs(out, *tensor_ranks, kName) : out;
    }
    // An empty part of `rows`: backward comes by on a rank whose experts have no rows, too.
    std::vector<at::Tensor> results{rows.narrow(0, 0, 0)};
    std::int64_t begin = 0;
    for (std::size_t number = 0; number < counts.size(); ++number) {
        if (counts[number] == 0)
            continue;
        const Expert& expert = experts_[static_cast<std::size_t>(first) + number];
        const at::Tensor own = rows.narrow(0, begin, counts[number]);
        results.push_back(expert.down(activate(activation_, expert.gate(own)).mul(expert.up(own))));
        begin += counts[number];
    }
    return at::cat(results);
}

at::Tensor Experts::operator()(const at::Tensor& x, const at::Tensor& counted, RouterSums* sums,
                               const ExpertStep& step) const {
    const at::Tensor tokens = x.reshape({-1, x.size(-1)});
    RouterOptions options = options_;
    options.capacity_factor = step.capacity_factor;
    options.group = x.size(1);
    const Routing routing = route(router_(tokens), options, counted.defined() ? counted.reshape({-1}) : counted);
    if (sums != nullptr)
        add_to_sums(*sums, routing, counted);
    const ExpertOrder order = order_by_expert(routing);
    at::Tensor rows = rows_of_experts(tokens, order);
    if (step.share == nullptr) {
        rows = compute(rows, order.counts, 0, step.tensor_ranks);
    } else {
        const parallel::ExpertExchange exchange(*step.share, order.counts);
        rows =
            exchange.bring_back(compute(exchange.send(rows), exchange.counts(), step.share->first, step.tensor_ranks));
    }
    return weighted_results(rows, routing.weights, order).to(x.scalar_type()).view_as(x);
}

}  // namespace trainyard::models
