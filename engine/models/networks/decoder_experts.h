// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The feed-forward layers of a block with experts: a router (expert_router.h) chooses for each token those that
// compute it. Experts may be on other ranks (distributed/parallel/expert_share.h), and ranks may share each of them
// (distributed/parallel/tensor_part.h).

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

/// Settings of the experts for one micro-batch.
struct ExpertStep {
    const parallel::ExpertShare* share = nullptr;    ///< not null: this rank has a part of them
    parallel::Communicator* tensor_ranks = nullptr;  ///< not null: these ranks have a part of each
    double capacity_factor = 0;                      ///< of each sample; 0: no expert is ever full
};

class Experts {
  public:
    Experts(Linear router, std::vector<Expert> experts, const families::DecoderOptions& options);

    /// x [batch, seq, width] -> the same shape. `counted` [batch, seq], not 0: tokens that the loss of routers counts;
    /// undefined: all of them. Adds to `sums`, if given. Collective over the ranks of `step`.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& counted, RouterSums* sums,
                          const ExpertStep& step) const;

  private:
    /// Matrices of the experts for one projection, all of which are multiplied together.
    struct Matrices {
        std::vector<Parameter*> gate, up, down;
    };
    /// [rows, width], sorted by expert, `counts[i]` of expert first + i.
    at::Tensor compute(const at::Tensor& rows, const std::vector<std::int64_t>& counts, std::int64_t first,
                       parallel::Communicator* tensor_ranks) const;
    bool are_grouped() const;

    Linear router_;
    std::vector<Expert> experts_;
    Matrices matrices_;
    RouterOptions options_;
    families::Activation activation_;
};

}  // namespace trainyard::models
