// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The router of a mixture of experts: the experts that each token is sent to, what of them is dropped, the order in
// which experts see tokens, and the load-balancing loss. Without ranks, batches or parameters: logits in, tables out.
//
// Choices and loss are those of transformers' Mixtral: Jiang et al., "Mixtral of experts", 2024; Fedus et al., "Switch
// transformers", 2021, over all blocks together. Capacities are those of Lepikhin et al., "GShard", ICLR 2021.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/communicator.h"

namespace trainyard::models {

struct RouterOptions {
    std::int64_t chosen = 1;     ///< experts of each token
    bool normalises = true;      ///< the weights of a token's experts are divided by their sum
    double capacity_factor = 0;  ///< tokens of an expert, as a multiple of an even share; 0: no expert is ever full
    std::int64_t least_capacity = 1;
    std::int64_t group = 0;     ///< consecutive tokens with slots of their own, as those of a sample; 0: all
    bool counts_masked = true;  ///< masked tokens count for the even share
    /// What a token loses: false, the part of the experts that were full; true, nothing: the weights of the others are
    /// divided by their sum.
    bool renormalises = false;
};

/// The experts chosen for each token.
struct Routing {
    at::Tensor probabilities;   ///< fp32 [tokens, experts] (of fp64 logits fp64)
    at::Tensor experts;         ///< int64 [tokens, chosen], most probable first
    at::Tensor weights;         ///< as probabilities, [tokens, chosen]; 0 of a choice that is dropped
    at::Tensor slots;           ///< int64 [tokens, chosen], within a group; -1: dropped; undefined: nothing can be
    std::int64_t capacity = 0;  ///< slots of each expert in the largest group; 0: no limit
};

/// logits [tokens, experts]; `counted` [tokens], 0: this token takes no slot; undefined: all count. Slots are given to
/// the first choices of all tokens in their order, then to their second choices. Probabilities and weights have
/// gradients. Throws std::invalid_argument if a token is to have more experts than there are.
Routing route(const at::Tensor& logits, const RouterOptions& options, const at::Tensor& counted = {});

/// Rows of tokens in the order in which experts compute them: by expert, then token, then choice.
struct ExpertOrder {
    std::int64_t chosen = 1;           ///< experts of each token
    at::Tensor choices;                ///< int64 [rows]: token * chosen + choice
    at::Tensor rows;                   ///< int64 [tokens * chosen]: the row of a choice; the number of rows: dropped
    std::vector<std::int64_t> counts;  ///< rows of each expert
};

ExpertOrder order_by_expert(const Routing& routing);
/// tokens [tokens, width] -> [rows, width]. Has a gradient.
at::Tensor rows_of_experts(const at::Tensor& tokens, const ExpertOrder& order);
/// results [rows, width] -> fp32 [tokens, width]: the sum over the choices of a token, times their weights. Has
/// gradients for both.
at::Tensor weighted_results(const at::Tensor& results, const at::Tensor& weights, const ExpertOrder& order);

/// The sums over tokens and blocks for the load-balancing loss.
struct RouterSums {
    at::Tensor probabilities;  ///< fp32 [experts]: of every expert
    at::Tensor choices;        ///< fp32 [chosen, experts]: how often each was chosen
};

/// Adds those of one block; tokens with `counted` 0 are left out (undefined: all count).
void add_to_sums(RouterSums& sums, const Routing& routing, const at::Tensor& counted);
/// experts * sum(share of choices * mean probability), 0-dim; NaN if nothing was counted.
at::Tensor load_balancing_loss(const RouterSums& sums);

/// The load-balancing loss over all micro-batches of a step on all data ranks, which makes it the same on every layout.
/// Its gradient needs the choices of the whole step. They are known in the first forward of a step of one micro-batch;
/// with several a pass without gradients counts them first.
class RouterStep {
  public:
    enum class Pass {
        learn,     ///< units compute the loss
        count,     ///< they only add what routers choose, and return no loss
        evaluate,  ///< they add it, and return the loss of the head alone
    };
    /// `data`: the ranks whose tokens count together, null: this rank alone. The loss counts `factor` times.
    RouterStep(parallel::Communicator* data, std::int64_t chosen, std::int64_t experts, double factor,
               at::Device device);

    /// Forgets what was added.
    void begin(Pass pass);
    Pass pass() const { return pass_; }
    void set_pass(Pass pass) { pass_ = pass; }
    /// The sums of a micro-batch over all blocks, and how many targets its loss counts.
    void add(const RouterSums& sums, double targets);
    /// Sums over the ranks. Collective.
    void settle();
    bool is_settled() const { return settled_; }
    /// After settle(): some token was counted.
    bool has_choices() const { return sums_.choices.sum().item<double>() > 0; }
    /// After settle(): the part of these probabilities in the loss. Over all micro-batches and ranks the parts sum to
    /// the loss times its factor and the number of targets. 0-dim.
    at::Tensor part_of(const at::Tensor& probabilities) const;
    /// The same of all probabilities that were added on this rank.
    at::Tensor added_part() const { return part_of(sums_.probabilities); }

  private:
    parallel::Communicator* data_;
    double factor_;
    Pass pass_ = Pass::learn;
    bool settled_ = false;
    RouterSums sums_;
    double targets_ = 0;
};

}  // namespace trainyard::models
