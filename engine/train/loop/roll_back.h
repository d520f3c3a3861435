// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// HealthAction::rollback: a step that went wrong makes no update, and what is trained goes back to the last good
// checkpoint; the batches since then are left out, that of the bad step among them. Data and steps continue, so that the
// same batches are not met again and curves do not go back; weights, optimizer, averages, schedule and loss scale are
// those of the checkpoint. (Chowdhery et al., "PaLM", 2022, section 5.1, restart before a spike and leave out the
// batches around it.)

#include <cstdint>
#include <filesystem>
#include <functional>

#include "base/message.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::train {

/// Calls `load` with the newest checkpoint below `checkpoints` that is whole and good, as rank 0 sees it, if there is
/// one. Returns a sentence on it for the user. Collective; saves in progress must have ended.
Message roll_back(std::int64_t step, const std::filesystem::path& checkpoints, parallel::Communicator& ranks,
                  const std::function<void(const std::filesystem::path& checkpoint)>& load);

}  // namespace trainyard::train
