#pragma once
// Learning rate as a function of the update. Formulas of transformers' get_{constant,linear,cosine}_schedule_with_warmup, with the
// end of the decay lifted to min_lr_ratio.

#include <cstdint>

#include "config/recipe/recipe.h"

namespace trainyard::train {

/// Factor of the base rate for update number `step` (from 0).
double learning_rate_factor(const config::ScheduleRecipe& schedule, std::int64_t training_steps, std::int64_t step);

}  // namespace trainyard::train
