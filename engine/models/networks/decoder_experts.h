// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The feed-forward layers of a block with experts: a router (expert_router.h) chooses for each token those that
// compute it. Experts may be on other ranks (distributed/parallel/expert_share.h).

#include <vector>

#include "distributed/parallel/expert_share.h"
#include "models/networks/expert_router.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/decoder/decoder_options.h"

namespace trainyard::models {

/// gate, up and down projection of one expert.
struct Expert {
    Linear gate, up, down;
};

class Experts {
  public:
    Experts(Linear router, std::vector<Expert> experts, const families::DecoderOptions& options)
        : router_(router),
          experts_(std::move(experts)),
          options_{.chosen = options.experts_per_token},
          activation_(options.activation) {}

    /// x [batch, seq, width] -> the same shape. `counted` [batch, seq], not 0: tokens that the loss of routers counts;
    /// undefined: all of them. Adds to `sums`, if given. With `share` collective over its ranks.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& counted, RouterSums* sums,
                          const parallel::ExpertShare* share) const;

  private:
    /// [rows, width], sorted by expert, `counts[i]` of expert first + i.
    at::Tensor compute(const at::Tensor& rows, const std::vector<std::int64_t>& counts, std::int64_t first) const;

    Linear router_;
    std::vector<Expert> experts_;
    RouterOptions options_;
    families::Activation activation_;
};

}  // namespace trainyard::models
