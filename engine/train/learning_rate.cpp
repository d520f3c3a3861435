#include "train/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard::train {

double learning_rate_factor(const config::ScheduleRecipe& schedule, std::int64_t training_steps, std::int64_t step) {
    if (step < schedule.warmup_steps)
        return static_cast<double>(step) / static_cast<double>(std::max<std::int64_t>(1, schedule.warmup_steps));
    if (schedule.name == "constant")
        return 1.0;
    std::int64_t end = schedule.decay_steps > 0 ? schedule.decay_steps : training_steps;
    double progress = static_cast<double>(step - schedule.warmup_steps) /
                      static_cast<double>(std::max<std::int64_t>(1, end - schedule.warmup_steps));
    progress = std::min(progress, 1.0);
    double share = schedule.name == "linear" ? 1.0 - progress : 0.5 * (1.0 + std::cos(std::numbers::pi * progress));
    return schedule.min_lr_ratio + (1.0 - schedule.min_lr_ratio) * share;
}

}  // namespace trainyard::train
