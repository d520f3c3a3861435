// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_experts.h"

#include <ATen/ops/cat.h>

#include "models/nn/kernels/activation_kernel.h"

namespace trainyard::models {

at::Tensor Experts::compute(const at::Tensor& rows, const std::vector<std::int64_t>& counts, std::int64_t first) const {
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
                               const parallel::ExpertShare* share) const {
    const at::Tensor tokens = x.reshape({-1, x.size(-1)});
    const Routing routing = route(router_(tokens), options_, counted.defined() ? counted.reshape({-1}) : counted);
    if (sums != nullptr)
        add_to_sums(*sums, routing, counted);
    const ExpertOrder order = order_by_expert(routing);
    at::Tensor rows = rows_of_experts(tokens, order);
    if (share == nullptr) {
        rows = compute(rows, order.counts, 0);
    } else {
        const parallel::ExpertExchange exchange(*share, order.counts);
        rows = exchange.bring_back(compute(exchange.send(rows), exchange.counts(), share->first));
    }
    return weighted_results(rows, routing.weights, order).to(x.scalar_type()).view_as(x);
}

}  // namespace trainyard::models
