// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where a training loop stands: does this micro-step end with an update, and is the batch in hand the last of its loader? Loaders tell when
// their passes begin and end; those under way form a stack, so that an evaluation inside a training pass has its own end.

#include <cstdint>
#include <vector>

#include "data/loader.h"

namespace trainyard::accelerator {

/// Whether the present micro-step ends with an update, and which loaders are being read. They form a stack, so that an
/// evaluation inside a training pass has its own end.
class GradientState final : public data::LoaderObserver {
  public:
    /// Returns whether the present micro-step ends with an update.
    bool sync_gradients() const { return sync_gradients_; }
    /// Decides whether the present micro-step ends with an update.
    void set_sync_gradients(bool sync) { sync_gradients_ = sync; }

    /// Of the innermost loader under way: false and -1 when there is none.
    bool end_of_dataloader() const;
    /// Returns data::Loader::remainder() of the innermost loader that is being read, and -1 without one.
    std::int64_t remainder() const;
    /// Returns whether a loader is being read.
    bool in_dataloader() const { return !under_way_.empty(); }
    /// Returns the innermost loader that is being read, or null. Not owned.
    data::Loader* active_dataloader() const { return under_way_.empty() ? nullptr : under_way_.back(); }

    /// Pushes the loader on the stack. Its earlier entry, from a loop that was left early, is removed.
    void pass_begins(data::Loader& loader) override;
    /// Removes the loader from the stack.
    void pass_ends(data::Loader& loader) override;
    /// Removes a loader that is destroyed from the stack.
    void forget(const data::Loader& loader);

  private:
    bool sync_gradients_ = true;
    std::vector<data::Loader*> under_way_;
};

}  // namespace trainyard::accelerator
