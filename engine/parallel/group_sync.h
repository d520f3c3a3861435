#pragma once
// GroupSync: sums the gradients of the groups over the data-parallel ranks while backward still runs. A hook: when backward leaves
// a unit, that unit's gradients are complete; when those of all units of a bucket are, it is sent (reducer.h). Always in the order of
// the units, last first, hence the same on every rank. Parameters that nothing used are reduced as zeros, so they need no search.

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "parallel/communicator.h"
#include "parallel/flat_group.h"
#include "parallel/reducer.h"
#include "parallel/unit.h"

namespace trainyard::parallel {

struct GroupSyncOptions {
    std::int64_t bucket_bytes = 4 << 20;       ///< smallest slice worth a message of its own
    std::int64_t first_bucket_bytes = 0;       ///< of the bucket that is sent first; 0: as the others
    std::shared_ptr<CommHook> hook = nullptr;  ///< nullptr: gradients as they are
};

class GroupSync final : public UnitHook {
  public:
    /// `units[i]` owns the parameters of `arena.groups()[i]`. Adds itself to every unit. The last unit's gradients come first.
    GroupSync(FlatArena& arena, const std::vector<Unit*>& units, Communicator& communicator,
              GroupSyncOptions options = {});

    /// Gradients of the micro-batches so far stay local; the next backward reduces.
    void begin_step() { reducing_ = false; }
    void begin_last_micro_batch();
    /// Sends what is left and waits for all buckets. After it gradients are sums over all ranks.
    void finish();
    /// State of the hook belongs in checkpoints.
    CommHook& hook() const { return *reducer_.hook(); }

    void after_backward(Unit& unit) override;

  private:
    /// Settles groups down to `group`, and sends what is complete.
    void complete_down_to(std::size_t group);

    FlatArena& arena_;
    Reducer reducer_;
    std::map<const Unit*, std::size_t> index_;
    std::vector<std::size_t> bucket_of_;  ///< [group]
    std::size_t next_ = 0;                ///< groups [next_, ...) are ready; counts down from groups().size()
    bool reducing_ = false;
};

}  // namespace trainyard::parallel
