// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of what an optimizer has on one rank alone (optim::Optimizer::own_state()), in checkpoints of recipes and of
// programs: error_feedback_<number of the optimizer>_<rank>.bin (torch.save): {"ranks", "state"}.

#include <cstddef>
#include <filesystem>
#include <optional>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "distributed/parallel/communicator.h"
#include "optim/optimizer.h"

namespace trainyard::train {

/// This rank's file. Nothing for an optimizer without such a state, on all ranks alike.
std::optional<checkpoint::FileToSave> error_feedback_file(optim::Optimizer& optimizer, std::size_t number,
                                                          const parallel::Communicator& ranks);

/// Loads the state of this rank from `folder`. The errors of another number of ranks do not fit: they stay zeros on all
/// ranks, and the message that is returned says why. Empty: the rank continues with its own, or has none. Throws
/// UserError for a file without such a state.
Message load_error_feedback(optim::Optimizer& optimizer, std::size_t number, const std::filesystem::path& folder,
                            const parallel::Communicator& ranks);

}  // namespace trainyard::train
