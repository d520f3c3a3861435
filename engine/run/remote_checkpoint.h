// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checkpoints of a mirror (mirror.h): of those that were not fetched only the manifest is on this machine.

#include <string>

#include "base/message.h"
#include "run/paths.h"

namespace trainyard::run {

/// The host that has the files of this checkpoint of a mirror; empty if they are on this machine.
std::string host_of_checkpoint(const fs::path& checkpoint);

/// Why nothing can be read from or resumed from `place`, a checkpoint, a run or a folder of checkpoints: all of its
/// checkpoints are on another machine. Names the command that copies the newest. Empty if some files are here.
Message not_fetched(const fs::path& place);

}  // namespace trainyard::run
