// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies the checkpoint that a recipe resumes from (checkpoint.resume_from) to a host, if it is on the launching
// machine only.

#include <cstdint>
#include <filesystem>
#include <functional>

#include "remote/bundle.h"
#include "remote/session.h"

namespace trainyard::remote {

/// Returns the absolute path of the checkpoint on this machine that `from` refers to: a checkpoint, or a run folder or
/// folder of checkpoints, of which the newest complete and valid one is taken. Empty if this machine has none.
std::filesystem::path checkpoint_here(const std::filesystem::path& from);

/// Copies all files of `folder`, a path of this machine, to the same path on the host. Files that already exist there
/// with the same size are skipped, and an interrupted copy is resumed. Returns the number of bytes sent. Throws
/// UserError with advice if the folder cannot be created there or does not fit, and ConnectionError(cancelled) if
/// `on_progress` returned false.
std::uint64_t copy_checkpoint(Session& session, const std::filesystem::path& folder,
                              const std::function<bool(const CopyProgress&)>& on_progress = {});

}  // namespace trainyard::remote
