// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an optimizer computes: from a parameter, its gradient and its states the new ones. Rules follow the order of
// operations of torch's single-tensor implementations, so that results agree to the last bits of the number format,
// on every device. On the CPU the rules whose kind is element_wise (config/recipe/optimizer_kinds.h) run piece by
// piece: the operations of a piece find it in the cache, threads share the pieces.
//
// Kingma & Ba, "Adam", ICLR 2015; Loshchilov & Hutter, AdamW, ICLR 2019; Dozat, NAdam, 2016; Liu et al., RAdam, ICLR
// 2020; Duchi et al., Adagrad, 2011; Zeiler, Adadelta, 2012; Riedmiller & Braun, Rprop, 1993; Polyak & Juditsky,
// averaged SGD, 1992; Shazeer & Stern, Adafactor, ICML 2018; Jordan et al., Muon, 2024; Chen et al., Lion, 2023;
// Defazio et al., schedule-free, 2024; Dettmers et al., 8-bit optimizers, ICLR 2022; Lv et al., LOMO and AdaLomo,
// 2024; Tang et al., 1-bit Adam, ICML 2021; Lu et al., 0/1 Adam, ICLR 2023.

#include <map>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "config/recipe/optimizer_kinds.h"

namespace trainyard::optim {

/// State that is one number, under torch's names; "step" counts the updates of every kind.
using Scalars = std::map<std::string, double, std::less<>>;

/// A parameter, or elements of one, and what is kept of it; all without autograd.
struct Slot {
    at::Tensor value, gradient;
    std::vector<at::Tensor> states;  ///< in the order of config::states_of()
};

/// Of optimizers whose ranks send signs of momenta instead of gradients. An update is prepare(), the mean over the
/// ranks of what is exchanged, and the rule's update().
struct ExchangeRule {
    /// Number of a state among Slot::states, or one of these.
    static constexpr int kNothing = -1, kGradient = -2;
    /// Returns whether the gradients of the update that comes next must be sums over the ranks; else they are each
    /// rank's own.
    bool (*sums_gradients)(const config::OptimizerSettings&, const Scalars&);
    /// Returns what the ranks average in this update.
    int (*exchanged)(const config::OptimizerSettings&, const Scalars&);
    /// Returns whether errors of earlier exchanges are of another quantity.
    bool (*forgets_errors)(const config::OptimizerSettings&, const Scalars&);
    /// Returns whether this update is AdamW's, of sums of gradients: then nothing is prepared.
    bool (*is_adamw)(const config::OptimizerSettings&, const Scalars&);
    void (*prepare)(const config::OptimizerSettings&, const Scalars&, Slot&);
    /// Between updates: the state to average so that the weights of ranks that differ become equal, or kNothing; what
    /// follows for each slot; then for the scalars. Null: they never differ.
    int (*unsettled)(const Scalars&) = nullptr;
    void (*settle)(const config::OptimizerSettings&, const Scalars&, Slot&) = nullptr;
    void (*end_settle)(Scalars&) = nullptr;
};

struct UpdateRule {
    const char* kind;
    /// Of the states, which are zeros, in the first update; null: they stay so.
    void (*start)(const config::OptimizerSettings&, Slot&);
    /// Numbers of this update, behind the count of the step; of the next one. Null: none.
    void (*begin)(const config::OptimizerSettings&, Scalars&);
    void (*update)(const config::OptimizerSettings&, const Scalars&, Slot&);
    void (*end)(const config::OptimizerSettings&, Scalars&);
    const ExchangeRule* exchange = nullptr;  ///< null: gradients are sums over the ranks in every update
};

const UpdateRule& rule_of(const config::OptimizerKind& kind);

/// States of a parameter before its first update: zeros.
std::vector<at::Tensor> new_states(const config::OptimizerSettings& settings, const at::Tensor& value);
/// Scalars of a group or parameter before its first update.
Scalars new_scalars(const config::OptimizerSettings& settings);

/// One update of parameters with the same settings and scalars: begin_update, update_slots, end_update. Gradients are
/// divided by `divisor` first; what they hold afterwards is not said.
void begin_update(const config::OptimizerSettings& settings, Scalars& scalars);
void update_slots(const config::OptimizerSettings& settings, const Scalars& scalars, std::span<Slot> slots,
                  double divisor = 1);
void end_update(const config::OptimizerSettings& settings, Scalars& scalars);
/// Of optimizers with an exchange rule: what comes before the exchange; update_slots() has no divisor then.
void prepare_slots(const config::OptimizerSettings& settings, const Scalars& scalars, std::span<Slot> slots,
                   double divisor = 1);
/// The tensor that ExchangeRule::exchanged() names, flat.
at::Tensor exchanged_tensor(const Slot& slot, int exchanged);
/// The state that ranks with different weights average to settle; ExchangeRule::kNothing: they have the same.
int unsettled_state(const config::OptimizerSettings& settings, const Scalars& scalars);
/// What follows the exchange of ExchangeRule::unsettled().
void settle_slots(const config::OptimizerSettings& settings, const Scalars& scalars, std::span<Slot> slots);

/// Elements of a piece.
inline constexpr std::int64_t kUpdatePiece = 1 << 14;
/// The slot cut into pieces, where that is possible; else itself.
void add_pieces(const Slot& slot, bool element_wise, std::vector<Slot>& pieces);

/// The weights to evaluate and to use, of an optimizer that trains at another point (schedule-free): of the same shape.
at::Tensor averaged_value(const config::OptimizerSettings& settings, const Slot& slot);

}  // namespace trainyard::optim
