// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Updates while backward runs, on one rank: as soon as the gradients of a bucket of groups are complete, they are
// applied and released, so that the gradients of the whole model never exist together. Lv et al., "Full parameter
// fine-tuning for large language models with limited resources" (LOMO), ACL 2024.

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/unit.h"

namespace trainyard::train {

/// An optimizer that updates one parameter after the other while backward runs.
class ParameterUpdater {
  public:
    /// Before the first update() of a step.
    virtual void begin_step() = 0;
    /// Updates one parameter by the gradient that it has now, whose values are lost.
    virtual void update(const parallel::Parameter& parameter) = 0;

  protected:
    ~ParameterUpdater() = default;
};

class BackwardUpdate final : public parallel::UnitHook {
  public:
    /// `units` of the arena's groups, as GroupSync has them. The arena must not keep gradients
    /// (ArenaOptions::keeps_gradients). All must outlive this object.
    BackwardUpdate(parallel::FlatArena& arena, const std::vector<parallel::Unit*>& units);
    void set_optimizer(ParameterUpdater& optimizer) { optimizer_ = &optimizer; }

    /// Called before the backward of an update. If `updates` is false, gradients are computed and released, and the
    /// weights stay unchanged.
    void begin(bool updates);
    /// Called after the backward: parameters that it did not reach have gradients of zeros.
    void finish();

    /// Of the newest backward: the norm of each bucket's gradients (of a parameter with others of no bucket: of zeros).
    const std::vector<double>& norms() const { return norms_; }
    /// The first parameter whose gradient was not finite; empty: none. This parameter and
    /// those that follow in backward were not updated.
    const std::string& first_non_finite() const { return first_non_finite_; }

    void after_backward(parallel::Unit& unit, const parallel::Tensors& gradients, int micro_batch) override;

  private:
    void complete_down_to(std::size_t group);
    void use(std::size_t bucket);

    parallel::FlatArena& arena_;
    ParameterUpdater* optimizer_ = nullptr;
    std::map<const parallel::Unit*, std::size_t> index_;
    std::size_t next_ = 0;         ///< groups [next_, ...) are complete
    std::size_t next_bucket_ = 0;  ///< to be used
    bool updates_ = false;
    std::vector<double> norms_;
    std::string first_non_finite_;
};

}  // namespace trainyard::train
