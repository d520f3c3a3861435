// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// State of single ranks in a trainer's checkpoints, a file of each (torch.save):
//   comm_hook_<rank>.bin      of a communication hook (PowerSGD: errors to feed back, warm starts), of a rank of the
//                             mesh: {"ranks", "options", "state"}; ranks are those of its data group
//   local_moments_<rank>.bin  moments under Local SGD: {"ranks", "moments": {name: tensor}}. Optimizer files have those
//                             of rank 0, whose file has none.

#include <filesystem>
#include <optional>

#include <trainyard/comm_hook.h>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/communicator.h"
#include "distributed/parallel/mesh.h"
#include "distributed/tensors/tree.h"

namespace trainyard::train {

/// This rank's file. Nothing for a hook without state, on all ranks alike.
std::optional<checkpoint::FileToSave> hook_file(const parallel::CommHook& hook, const config::ParallelRecipe& recipe,
                                                parallel::Mesh& mesh);

/// Gives the hook its state of this rank in `folder`, whose files were verified. Its errors are those of one rank's
/// gradients in one division into buckets: with another number of ranks or other options the hook starts again on all
/// ranks, and the sentence that is returned says why. Empty: it continues, or has no state. Throws UserError: a file
/// that is no such state.
Message load_hook(parallel::CommHook& hook, const std::filesystem::path& folder, const config::ParallelRecipe& recipe,
                  parallel::Mesh& mesh);

checkpoint::FileToSave local_moments_file(const NamedTensors& moments, const parallel::Communicator& ranks);

/// Fills `moments`, which are rank 0's by now, with those of this rank in `folder`, whose files were verified. Of a
/// checkpoint of another number of ranks, or one without Local SGD, nothing fits: all continue with those of rank 0,
/// and the sentence that is returned says why. Empty: each has its own. Throws UserError: a file that is no such state,
/// or of another model.
Message load_local_moments(const NamedTensors& moments, const std::filesystem::path& folder,
                           const parallel::Communicator& ranks);

/// Without Local SGD: what becomes of the moments of the other ranks in such a checkpoint, as a sentence; empty if
/// the checkpoint is not of Local SGD. The weights are the same on all ranks there (a save averages them), the moments
/// are rank 0's from here on.
Message left_local_moments(const std::filesystem::path& folder);

}  // namespace trainyard::train
