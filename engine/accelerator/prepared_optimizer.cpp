// SPDX-License-Identifier: GPL-3.0-or-later
#include <trainyard/prepared_optimizer.h>

#include "accelerator/gradient_flow.h"

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
    if (!inner_->traits().needs_closure) {
        const double loss = closure();
        step();
        return loss;
    }
    return flow_->state().sync_gradients() ? flow_->step(*this, closure) : closure();
}

void PreparedOptimizer::settle() {
    inner_->settle();
    flow_->publish(*this);
}

void PreparedOptimizer::eval() {
    flow_->wait_for_readers(*this);
    inner_->eval();
    flow_->publish(*this);
}

void PreparedOptimizer::train() {
    flow_->wait_for_readers(*this);
    inner_->train();
    flow_->publish(*this);
}

void PreparedOptimizer::zero_grad(bool set_to_none) {
    if (!flow_->state().sync_gradients())
        return;
    flow_->drop_gradients(*this);
    inner_->zero_grad(set_to_none);
}

}  // namespace trainyard::accelerator
