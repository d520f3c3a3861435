// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// For ranks that do not all see rank 0's disk: what they would write goes through their network to rank 0, which writes the same files.

#include "checkpoint/files_to_save.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::checkpoint {

/// The files of all ranks on rank 0, nothing on the others. Collective.
FilesToSave files_on_first(FilesToSave own, parallel::Communicator& ranks);

}  // namespace trainyard::checkpoint
