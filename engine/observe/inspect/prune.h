#pragma once
// Which checkpoints of a shelf a policy lets go, and letting them go: into the trash beside them, from which they come
// back. The newest whole one stays, and so do pinned ones,
// those that a live run went on from, what is being written, and broken ones (nobody knows what is in them), unless
// they are asked for.

#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/retention.h"
#include "observe/inspect/shelf.h"

namespace trainyard::inspect {

struct PrunePlan {
    struct Row {
        std::size_t item = 0;  ///< index in Shelf::items
        bool goes = false;
        std::string
            why;  ///< "pinned", "best 3", "the newest", "a run went on from it"; of one that goes: "no rule keeps it"
    };
    std::vector<Row> rows;    ///< one for each item, in their order
    std::uint64_t bytes = 0;  ///< of those that go
    std::size_t count = 0;
};

/// A checkpoint that must stay whatever the policy says, and why.
struct InUse {
    fs::path folder;
    Message why;
};
/// Checkpoints from which runs of this machine that are not over went on.
std::vector<InUse> checkpoints_in_use(const fs::path& runs_root);

/// Throws UserError for a policy that is none ("keep best 0 keeps nothing: use 1 or more"). `broken`: let broken ones
/// go, too.
PrunePlan plan_prune(const Shelf& shelf, const checkpoint::Retention& policy, const std::vector<InUse>& in_use,
                     bool broken = false);

/// Moves what goes into the trash, and nothing else: what has become another checkpoint since, or is in use by now,
/// stays and is told in `problems`. Returns where they lie.
std::vector<fs::path> apply_prune(const Shelf& shelf, const PrunePlan& plan, const std::vector<InUse>& in_use,
                                  std::vector<Message>& problems);

}  // namespace trainyard::inspect
