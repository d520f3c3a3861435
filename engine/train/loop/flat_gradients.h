// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The gradients of a model with parameters in flat groups, and the steps of an update that act on them. Shared by the
// engine's models (flat_model.h) and the modules of a program (accelerator/flat_module.h).

#include <functional>
#include <memory>

#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/group_sync.h"
#include "train/loop/backward_update.h"
#include "train/loop/gradient_store.h"

namespace trainyard::train {

class FlatGradients : public GradientStore {
  public:
    parallel::FlatArena& arena() { return *arena_; }
    const parallel::FlatArena& arena() const { return *arena_; }
    /// Null on one data rank, and where the ranks are local.
    parallel::GroupSync* sync() const { return sync_.get(); }

    /// Not null where every bucket's gradients are used while backward runs, and kept no longer.
    BackwardUpdate* backward_update() const { return backward_update_.get(); }

    /// Forgets what was under way. Called by the first begin_backward() of an update that does not begin so.
    void begin_update();
    void begin_backward(bool last) override;
    void end_backward() override;
    bool is_under_way() const override { return under_way_; }
    bool is_complete() const override { return last_backward_; }
    void finish_gradients() override;
    GradientPieces pieces() const override;
    void scale_gradients(double factor) override;
    bool is_local() const override { return holds_; }
    /// From the next update on gradients are not summed over the ranks, or are again: what an optimizer exchanges
    /// instead is its own (Optimizer::sums_gradients()). One data rank: nothing changes.
    void hold_gradients(bool holds) { holds_ = holds && data_.size() > 1; }
    bool is_sharded() const override { return arena_->sharding().any(); }
    /// No rank has the values whole: they are gathered for a unit at a time.
    bool shares_values() const { return arena_->sharding().values; }
    /// The ranks that divide sharded buffers; all data ranks where nothing is sharded.
    parallel::Communicator& shards() const { return shards_; }
    /// The ranks that the gradients are summed over.
    parallel::Communicator& data_ranks() const { return data_; }
    /// Ranks with the same shares; null: there are none.
    parallel::Communicator* copies() const { return sync_ ? sync_->copies() : nullptr; }
    /// Calls `visit` with every parameter and its whole fp32 value, one at a time. Collective where shares_values(),
    /// and where ranks have parts of parameters.
    void visit_values(const std::function<void(const parallel::Parameter&, const at::Tensor&)>& visit) const;
    void wait_for_readers() override;
    void publish_values() override;
    void average_values() override {}

  protected:
    /// `data`: the ranks that the gradients are summed over; `shards`: those of them that divide sharded buffers. The
    /// constructor of the model makes the arena, and the sync if the gradients travel.
    FlatGradients(parallel::Communicator& data, parallel::Communicator& shards) : data_(data), shards_(shards) {}

    parallel::Communicator& data_;
    parallel::Communicator& shards_;
    std::unique_ptr<parallel::FlatArena> arena_;
    std::unique_ptr<parallel::GroupSync> sync_;
    std::unique_ptr<BackwardUpdate> backward_update_;

  private:
    bool holds_ = false;          ///< gradients are each rank's own
    bool begun_ = false;          ///< begin_update() was called for the update that comes
    bool under_way_ = false;      ///< an update has had a backward
    bool last_backward_ = false;  ///< its newest was the last that adds to the gradients
};

}  // namespace trainyard::train
