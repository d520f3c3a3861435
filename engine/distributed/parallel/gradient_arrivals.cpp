// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/gradient_arrivals.h"

#include <utility>

#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

namespace trainyard::parallel {

namespace {

/// Runs after a gradient was accumulated into its parameter. A post hook, since a node can have several of them.
class ArrivalHook final : public torch::autograd::FunctionPostHook {
  public:
    explicit ArrivalHook(std::function<void()> arrived) : arrived_(std::move(arrived)) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& outputs,
                                              const torch::autograd::variable_list&) override {
        arrived_();
        return outputs;
    }

  private:
    std::function<void()> arrived_;
};

}  // namespace

GradientArrivals::~GradientArrivals() {
    for (Watched& watched : watched_)
        watched.accumulator->del_post_hook(watched.hook);
}

void GradientArrivals::watch(const at::Tensor& leaf, std::function<void()> arrived) {
    Watched watched;
    watched.accumulator = torch::autograd::impl::grad_accumulator(leaf);
    watched.hook = watched.accumulator->add_post_hook(std::make_unique<ArrivalHook>(std::move(arrived)));
    watched_.push_back(std::move(watched));
}

}  // namespace trainyard::parallel
