#pragma once
// Mixture of experts: a router chooses for each token the experts that compute its feed-forward layers. Jiang et al.,
// "Mixtral of experts", 2024. The load-balancing loss is that of Fedus et al., "Switch transformers", 2021, over all
// blocks together, as transformers computes it.

#include <vector>

#include "models/nn/kernels/dropout.h"
#include "models/nn/modules/table_unit.h"
#include "models/spec/decoder/decoder_options.h"

namespace trainyard::models {

/// What the load-balancing loss sums up over tokens and blocks.
struct RouterSums {
    at::Tensor probabilities;  ///< fp32 [experts]: of every expert
    at::Tensor choices;        ///< fp32 [experts per token, experts]: how often each was chosen
};

/// gate, up and down projection of one expert.
struct Expert {
    Linear gate, up, down;
};

class Experts {
  public:
    Experts(Linear router, std::vector<Expert> experts, const families::DecoderOptions& options)
        : router_(router),
          experts_(std::move(experts)),
          chosen_(options.experts_per_token),
          activation_(options.activation) {}

    /// x [batch, seq, width] -> the same shape. Adds to `sums`, if given: only tokens with a mask other than 0 count.
    at::Tensor operator()(const at::Tensor& x, const at::Tensor& mask, RouterSums* sums) const;

  private:
    Linear router_;
    std::vector<Expert> experts_;
    std::int64_t chosen_;
    families::Activation activation_;
};

/// experts * sum(share of choices * mean probability), 0-dim; `tokens`: those that were counted, over all blocks.
at::Tensor load_balancing_loss(const RouterSums& sums, double tokens);

}  // namespace trainyard::models
