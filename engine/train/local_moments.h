#pragma once
// The moments of ranks that train for themselves (Local SGD) in the trainer's checkpoints: optimizer files have those of rank 0, and each other rank
// writes its own, in local_moments_<rank>.bin (torch.save): {"ranks", "moments": {name: tensor}}; rank 0's has no moments.

#include <filesystem>
#include <string>

#include "base/message.h"
#include "checkpoint/files_to_save.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::train {

checkpoint::FileToSave local_moments_file(const NamedTensors& moments, const parallel::Communicator& ranks);

/// Fills `moments`, which are rank 0's by now, with what `folder`, whose files were verified, has of this rank. Of a checkpoint of another number of
/// ranks, or one without Local SGD, nothing fits: all go on with those of rank 0, and the sentence that is returned says why. Empty: each has its
/// own. Throws UserError: a file that is no such state, or of another model.
Message load_local_moments(const NamedTensors& moments, const std::filesystem::path& folder,
                           const parallel::Communicator& ranks);

/// Without Local SGD: what becomes of the moments of the other ranks in such a checkpoint, as a sentence; empty where it is none. The weights are the
/// same on all ranks there (a save averages them), the moments are rank 0's from here on.
Message left_local_moments(const std::filesystem::path& folder);

}  // namespace trainyard::train
