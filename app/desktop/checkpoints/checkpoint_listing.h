// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the page lists: the checkpoints of a run or folder of this machine, or one on a host, of which headers are
// brought. For other threads.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "desktop/checkpoints/open_checkpoint.h"
#include "desktop/shell/open_target.h"
#include "formats/events/scalar_folder.h"
#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/prune.h"

namespace trainyard::remote {
class Asker;
class Cancel;
}  // namespace trainyard::remote

namespace trainyard::desktop {

/// The metrics of the run by tag.
using CheckpointCurves = std::map<std::string, std::vector<events::CurvePoint>>;

struct CheckpointListing {
    inspect::CheckpointList checkpoint_list;
    std::vector<inspect::InUse> in_use;
    CheckpointCurves curves;
    OpenCheckpointPointer far;  ///< of a host: the only item, opened
};

/// Throws UserError.
CheckpointListing list_checkpoints(const std::string& place, const std::string& runs_root);
/// Connects. `asker`: for passwords. Throws ConnectionError, UserError.
CheckpointListing list_far_checkpoint(const RemotePlace& place, const std::shared_ptr<remote::Asker>& asker,
                                      const std::shared_ptr<remote::Cancel>& cancel);

}  // namespace trainyard::desktop
