// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The step of a plug-in (models/plugins/trainyard/plugin.h) that a recipe names in training.step_function.

#include <memory>
#include <string>

#include "config/recipe/recipe.h"
#include "distributed/parallel/unit.h"
#include "train/data_loader.h"

namespace trainyard::plugin {
class Step;
}

namespace trainyard::train {

class OwnStep {
  public:
    /// Its plug-in is loaded. Throws UserError for an unknown name, and for a second loss.
    explicit OwnStep(const config::Recipe& recipe);
    /// The batch as the step changes it; its targets are not counted. Throws UserError for a batch of other rows, and
    /// with what the step threw.
    Batch prepare(const Batch& batch, std::int64_t step, bool training) const;
    /// Sets StepContext::own_loss where the step has a loss. `batch` is prepared.
    void set_loss(parallel::StepContext& context, const Batch& batch) const;

  private:
    std::string name_;
    std::uint64_t seed_;
    std::shared_ptr<const plugin::Step> step_;
};

}  // namespace trainyard::train
