#include "accelerator/prepared_optimizer.h"

namespace trainyard::accelerator {

PreparedOptimizer::PreparedOptimizer(std::unique_ptr<optim::Optimizer> inner, std::shared_ptr<GradientFlow> flow)
    : inner_(std::move(inner)), flow_(std::move(flow)) {
    flow_->add(*this);
}

PreparedOptimizer::~PreparedOptimizer() {
    flow_->remove(*this);
}

void PreparedOptimizer::step() {
    if (!flow_->state().sync_gradients())
        return;
    skipped_ = !flow_->step(*this);
    skipped_steps_ += skipped_ ? 1 : 0;
}

double PreparedOptimizer::step(const std::function<double()>& closure) {
    return flow_->state().sync_gradients() ? inner_->step(closure) : closure();
}

void PreparedOptimizer::zero_grad(bool set_to_none) {
    if (!flow_->state().sync_gradients())
        return;
    flow_->drop_gradients(*this);
    inner_->zero_grad(set_to_none);
}

}  // namespace trainyard::accelerator
