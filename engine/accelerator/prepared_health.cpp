// SPDX-License-Identifier: GPL-3.0-or-later
#include <trainyard/prepared_health.h>

#include "accelerator/gradient_flow.h"

namespace trainyard::accelerator {

train::HealthVerdict PreparedHealth::judge(double loss, double gradient_norm, const Message& first_bad) {
    if (!flow_->state().sync_gradients())
        return {};
    // Gradients of fp16 may overflow while the scale is sought: the optimizer leaves that update out, and nothing is wrong.
    if (flow_->update().overflowed(loss, gradient_norm))
        return {};
    train::HealthVerdict verdict =
        flow_->update().judge(monitor_, ++step_, loss, gradient_norm, [&] { return first_bad; });
    if (verdict.action == HealthAction::rollback)
        verdict.problems.push_back(roll_back_(step_));
    return verdict;
}

Tree PreparedHealth::state_dict() const {
    return Tree::dict({{"step", step_}, {"monitor", monitor_.state_dict()}});
}

void PreparedHealth::load_state_dict(const Tree& state) {
    const std::int64_t step = state.at("step").as_integer();
    monitor_.load_state_dict(state.at("monitor"));
    step_ = step;
}

}  // namespace trainyard::accelerator
