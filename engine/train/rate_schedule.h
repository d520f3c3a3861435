// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The learning rate of the next update, whatever schedule the recipe names: our own formulas (learning_rate_factor())
// or one of optim/schedule.h. From training.swa_start on it goes to training.swa_lr, as torch.optim.swa_utils.SWALR
// does. Counts updates, not steps: a skipped step keeps the rate. The highest rate can be changed on the way.

#include <cstdint>
#include <memory>
#include <optional>

#include "config/recipe/recipe.h"
#include "distributed/tensors/tree.h"
#include "optim/schedule.h"

namespace trainyard::train {

class RateSchedule final : public Stateful {
  public:
    /// Throws InvalidInput with everything that is wrong with schedule.arguments.
    explicit RateSchedule(const config::Recipe& recipe);
    ~RateSchedule() override;

    double lr() const;
    /// First beta of Adam, momentum of others: cyclic schedules turn it. NaN: the optimizer has neither.
    double momentum() const;
    /// After an update.
    void advance();
    /// After an evaluation: schedules that follow the loss (reduce_lr_on_plateau) step here and only here.
    void observe(double validation_loss);
    /// The highest rate is `lr` from now on; the course stays.
    void set_highest(double lr);
    double highest() const;

    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    /// By the schedule alone, which stands still from training.swa_start on where a rate for the average is given.
    double scheduled() const;
    bool is_averaging() const;

    struct Named;
    config::Recipe recipe_;
    std::int64_t updates_ = 0;
    double highest_;
    double momentum_;
    std::unique_ptr<Named> named_;  ///< of optim/schedule.h; nullptr: learning_rate_factor()
};

/// The same for programs: the recipe's schedule, turning the rates of `optimizer`. Throws as RateSchedule.
std::unique_ptr<optim::Schedule> make_schedule(const config::Recipe& recipe, optim::Optimizer& optimizer);

/// Factor of the base rate for update number `step` (from 0): the formulas of transformers'
/// get_{constant,linear,cosine}_schedule_with_warmup, with the end of the decay lifted to min_lr_ratio.
double learning_rate_factor(const config::ScheduleRecipe& schedule, std::int64_t training_steps, std::int64_t step);

/// A YAML table of a recipe as the dictionary that schedules and hooks read. Throws UserError naming `key`.
Tree tree_of_yaml(const std::string& yaml, const std::string& key);

}  // namespace trainyard::train
