#pragma once
// Where a training loop stands: does this micro-step end with an update, and is the batch in hand the last of its loader? Loaders tell when
// their passes begin and end; those under way form a stack, so that an evaluation inside a training pass has its own end.

#include <cstdint>
#include <vector>

#include "data/loader.h"

namespace trainyard::accelerator {

class GradientState final : public data::LoaderObserver {
  public:
    bool sync_gradients() const { return sync_gradients_; }
    void set_sync_gradients(bool sync) { sync_gradients_ = sync; }

    /// Of the innermost loader under way: false and -1 when there is none.
    bool end_of_dataloader() const;
    std::int64_t remainder() const;
    bool in_dataloader() const { return !under_way_.empty(); }
    data::Loader* active_dataloader() const { return under_way_.empty() ? nullptr : under_way_.back(); }

    /// A loader that begins anew after its loop was left early takes its old place from the stack.
    void pass_begins(data::Loader& loader) override;
    void pass_ends(data::Loader& loader) override;
    void forget(const data::Loader& loader);

  private:
    bool sync_gradients_ = true;
    std::vector<data::Loader*> under_way_;
};

}  // namespace trainyard::accelerator
