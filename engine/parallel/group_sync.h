#pragma once
// GroupSync: sums the gradients of the groups over the data-parallel ranks while backward still runs. A hook: when backward leaves
// a unit, that unit's gradients are complete and its group joins the open bucket; a bucket is sent when it is large enough. Always
// in the order of the units, last first, hence the same on every rank. Parameters that nothing used are reduced as zeros, so
// they need no search.
//
// Bucketing and overlap follow Li et al., "PyTorch Distributed", VLDB 2020.

#include <cstdint>
#include <map>
#include <vector>

#include "parallel/communicator.h"
#include "parallel/flat_group.h"
#include "parallel/unit.h"

namespace trainyard::parallel {

struct GroupSyncOptions {
    std::int64_t bucket_bytes = 4 << 20;  ///< smallest slice worth a message of its own
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

    void after_backward(Unit& unit) override;

  private:
    void send_open_bucket();

    FlatArena& arena_;
    Communicator& communicator_;
    GroupSyncOptions options_;
    std::map<const Unit*, std::size_t> index_;
    std::size_t next_ = 0;  ///< groups [next_, ...) are ready; counts down from groups().size()
    Range open_;
    std::vector<Pending> sent_;
    bool reducing_ = false;
};

}  // namespace trainyard::parallel
