#pragma once
// What a communication hook keeps between steps (PowerSGD: errors to feed back, warm starts), in the trainer's checkpoints: each rank's
// own, in comm_hook_<rank>.bin (torch.save): {"ranks", "options", "state"}.

#include <filesystem>
#include <optional>
#include <string>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "config/recipe/recipe.h"
#include "distributed/parallel/comm_hook.h"

namespace trainyard::train {

/// This rank's file. Nothing for a hook that keeps nothing, on all ranks alike.
std::optional<checkpoint::FileToSave> hook_file(const parallel::CommHook& hook, const config::ParallelRecipe& recipe,
                                                const parallel::Communicator& ranks);

/// Gives the hook what `folder`, whose files were verified, has of this rank. Its errors are those of one rank's gradients in one
/// division into buckets: with another number of ranks or other options the hook starts anew on all ranks, and the sentence that is
/// returned says why. Empty: it goes on, or keeps nothing. Throws UserError: a file that is no such state.
Message load_hook(parallel::CommHook& hook, const std::filesystem::path& folder, const config::ParallelRecipe& recipe,
                  const parallel::Communicator& ranks);

}  // namespace trainyard::train
