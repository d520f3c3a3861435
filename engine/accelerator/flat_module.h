#pragma once
// A module of a program's own on flat groups, as the engine's models are (train/flat_model.h): its parameters become views of one buffer, each
// gradient goes from `.grad` to its bucket as soon as autograd has made it, and the ranks share out gradients and optimizer state by a row of
// distributed/parallel/sharding.h (ZeRO 1 and 2). Between two steps every rank has all values.
//
// Behind a backward `.grad` of the parameters is undefined: Accelerator::clip_grad_norm(model, ...) and the prepared optimizer know where the
// gradients are.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/gradient_arrivals.h"
#include "distributed/parallel/sharding.h"
#include "train/loop/flat_gradients.h"

namespace trainyard::accelerator {

class FlatModule final : public train::FlatGradients {
  public:
    /// Collective. Broadcasts rank 0's values, as parallel::DataParallel does, and checks the same. Throws UserError where a parameter is not
    /// fp32, and for options that `sharding` has no place for.
    FlatModule(const NamedTensors& parameters, NamedTensors buffers, parallel::Communicator& ranks,
               const parallel::Sharding& sharding, const parallel::DataParallelOptions& options);

    /// Before the module's forward: rank 0's buffers after an update, where the options want that.
    void before_forward();
    /// Where the module's parameter lies; null for a tensor that is none of its trained parameters.
    const parallel::Parameter* find(const at::Tensor& parameter) const;
    /// The one optimizer that updates the module. Throws UserError for a second one.
    void set_optimizer(const optim::Optimizer* optimizer);
    bool feeds(const optim::Optimizer& optimizer) const override { return optimizer_ == &optimizer; }
    void publish_values() override;

  private:
    void arrived(std::size_t group);

    NamedTensors buffers_;
    bool broadcast_buffers_;
    bool buffers_stale_ = false;
    std::vector<at::Tensor> leaves_;                              ///< the module's own, by group
    std::vector<std::unique_ptr<parallel::Parameter>> laid_out_;  ///< the same, as the arena knows them
    std::map<const void*, std::size_t> groups_;                   ///< of trained leaves
    const optim::Optimizer* optimizer_ = nullptr;
    parallel::GradientArrivals arrivals_;
};

}  // namespace trainyard::accelerator
