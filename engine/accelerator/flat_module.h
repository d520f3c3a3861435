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
    void begin_backward(bool last) override;
    void end_backward() override;

    /// Returns the arena's parameter for a trained parameter of the module, or null for any other tensor.
    const parallel::Parameter* find(const at::Tensor& parameter) const;
    /// Whole fp32 values by parameter, copied to the host, where `keep` is set; empty elsewhere. Collective where
    /// shares_values().
    std::map<const void*, at::Tensor> whole_values(bool keep) const;
    /// Sets this rank's elements of a parameter from a whole tensor. publish_values() is to follow.
    void set_value(const at::Tensor& parameter, const at::Tensor& whole);
    /// The elements of a parameter of which this rank has the fp32 values, and those values, flat.
    std::pair<parallel::Range, at::Tensor> held(const at::Tensor& parameter) const;
    /// Elements of every parameter of which this rank has the fp32 values, flat.
    NamedTensors held_values() const;
    /// Ranks with the same elements; null: there are none.
    parallel::Communicator* copies() const { return copies_; }

    /// The one optimizer that updates the module. Throws UserError for a second one.
    void set_optimizer(const optim::Optimizer* optimizer);
    bool feeds(const optim::Optimizer& optimizer) const override { return optimizer_ == &optimizer; }
    void publish_values() override;

  private:
    void lay_out(const NamedTensors& all, const ModuleCut& cut, const ModuleSharding& how,
                 const parallel::DataParallelOptions& options);
    void arrived(std::size_t leaf);

    NamedTensors buffers_;
    bool broadcast_buffers_;
    bool buffers_stale_ = false;
    parallel::Communicator* copies_;
    std::vector<at::Tensor> leaves_;                  ///< the module's own
    std::vector<parallel::Parameter*> laid_out_;      ///< the same, as the arena knows them
    std::vector<std::size_t> group_of_;               ///< [leaf]
    std::map<const void*, std::size_t> leaf_of_;      ///< of all leaves
    std::vector<std::unique_ptr<ModuleUnit>> units_;  ///< [group]; they own the parameters
    std::vector<std::size_t> trained_, missing_;      ///< [group]: gradients of a backward, and those to come
    std::vector<bool> has_arrived_;                   ///< [leaf], in this backward
    std::unique_ptr<ModuleRooms> rooms_;
    const optim::Optimizer* optimizer_ = nullptr;
    parallel::GradientArrivals arrivals_;
};

}  // namespace trainyard::accelerator
