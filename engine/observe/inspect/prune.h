// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Selects the checkpoints of a list that a retention policy removes, and moves them into the trash next to them, from
// which they can be restored. The newest complete checkpoint stays, and so do pinned ones, those that an active run was
// resumed from, and those that are being written. Broken ones stay, too, unless the caller asks for their removal.

#include <string>
#include <vector>

#include "base/message.h"
#include "checkpoint/files/retention.h"
#include "observe/inspect/checkpoint_list.h"

namespace trainyard::inspect {

struct PrunePlan {
    struct Row {
        std::size_t item = 0;  ///< index in CheckpointList::items
        bool goes = false;
        std::string
            why;  ///< "pinned", "best 3", "the newest", "run x was resumed from it"; if removed: "no rule keeps it"
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
/// Returns the checkpoints that runs of this machine which have not ended were resumed from.
std::vector<InUse> checkpoints_in_use(const fs::path& runs_root);

/// Throws UserError for an invalid policy ("keep best 0 keeps nothing: use 1 or more"). `broken`: removes broken
/// checkpoints, too.
PrunePlan plan_prune(const CheckpointList& checkpoint_list, const checkpoint::Retention& policy,
                     const std::vector<InUse>& in_use, bool broken = false);

/// Moves the checkpoints that the plan removes into the trash. One that has been replaced since, or is in use by now,
/// stays and is reported in `problems`. Returns the folders in the trash.
std::vector<fs::path> apply_prune(const CheckpointList& checkpoint_list, const PrunePlan& plan,
                                  const std::vector<InUse>& in_use, std::vector<Message>& problems);

}  // namespace trainyard::inspect
