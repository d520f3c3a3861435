// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/deferred_gradients.h"

namespace trainyard::parallel {

namespace {
thread_local DeferredGradients* deferred_gradients = nullptr;
}

void DeferredGradients::make(std::function<void()> work) {
    if (deferred_gradients == nullptr)
        work();
    else
        deferred_gradients->work_.push_back(std::move(work));
}

void DeferredGradients::run() {
    for (const std::function<void()>& work : std::exchange(work_, {}))
        work();
}

DeferredGradients::Scope::Scope(DeferredGradients& target) : before_(std::exchange(deferred_gradients, &target)) {}

DeferredGradients::Scope::~Scope() {
    deferred_gradients = before_;
}

}  // namespace trainyard::parallel
