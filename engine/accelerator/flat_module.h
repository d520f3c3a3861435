// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A module of a program's own on flat groups, as the engine's models are (train/flat_model.h): each gradient goes from
// `.grad` to its bucket as soon as autograd has made it, and the ranks share out gradients, optimizer state and weights
// by a row of distributed/parallel/sharding.h (ZeRO 1 to 3). The parameters become views: of one buffer, which every
// rank has, or under stage 3 of rooms that have memory only while the module, or one of its blocks, computes
// (module_rooms.h).
//
// After a backward `.grad` of the parameters is undefined: Accelerator::clip_grad_norm(model, ...) and the prepared
// optimizer know where the gradients are.

#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/prepared_model.h>

#include "accelerator/module_rooms.h"
#include "distributed/parallel/data_parallel.h"
#include "distributed/parallel/gradient_arrivals.h"
#include "train/loop/flat_gradients.h"

namespace trainyard::accelerator {

class FlatModule final : public train::FlatGradients {
  public:
    /// Collective. Broadcasts rank 0's values, as parallel::DataParallel does, and checks the same. `data`: the ranks
    /// that gradients are summed over. Throws UserError where a parameter is not fp32, and for options that the
    /// sharding has no place for.
    FlatModule(const NamedTensors& parameters, NamedTensors buffers, parallel::Communicator& data,
               const ModuleSharding& how, const parallel::DataParallelOptions& options);

    /// Before the module's forward: rank 0's buffers after an update, where the options want that; weights.
    void before_forward();
    void after_forward();
    /// One of several models: it takes part in a backward only where a gradient of it arrives, on all ranks alike,
    /// instead of in every one.
    void set_one_of_several() { one_of_several_ = true; }
    void begin_backward(bool last) override;
    void end_backward() override;
    void finish_gradients() override;
    /// The sums of an update are there, and were not forgotten.
    bool has_gradients() const { return has_gradients_; }
    void forget_gradients();

    /// Returns the arena's parameter for a trained parameter of the module, or null for any other tensor.
    const parallel::Parameter* find(const at::Tensor& parameter) const;

    /// The one optimizer that updates the module. Throws UserError for a second one.
    void set_optimizer(const optim::Optimizer* optimizer);
    bool feeds(const optim::Optimizer& optimizer) const override { return optimizer_ == &optimizer; }
    void publish_values() override;
    /// Where weights are in rooms: these are sent as 8-bit values (ValueRooms::send_as_float8).
    void send_as_float8(const std::vector<at::Tensor>& weights);

  private:
    void lay_out(const NamedTensors& all, const ModuleCut& cut, const ModuleSharding& how,
                 const parallel::DataParallelOptions& options);
    /// Moves the leaves' values into the arena: those of the first rank if they are sent.
    void take_values(bool sent);
    void arrived(std::size_t leaf);
    void take_part();

    NamedTensors buffers_;
    bool broadcast_buffers_;
    bool counts_unused_;  ///< gradients of zeros where none arrive
    bool buffers_stale_ = false;
    std::vector<at::Tensor> leaves_;                  ///< the module's own
    std::vector<parallel::Parameter*> laid_out_;      ///< the same, as the arena knows them
    std::vector<std::size_t> group_of_;               ///< [leaf]
    std::map<const void*, std::size_t> leaf_of_;      ///< of all leaves
    std::vector<std::unique_ptr<ModuleUnit>> units_;  ///< [group]; they own the parameters
    std::vector<std::size_t> trained_, missing_;      ///< [group]: gradients of a backward, and those to come
    std::vector<bool> has_arrived_;                   ///< [leaf], in this backward
    bool one_of_several_ = false, in_backward_ = false;
    bool takes_part_ = false, is_last_ = false;  ///< of this backward
    bool has_gradients_ = false;
    std::unique_ptr<ModuleRooms> rooms_;
    const optim::Optimizer* optimizer_ = nullptr;
    parallel::GradientArrivals arrivals_;
};

}  // namespace trainyard::accelerator
