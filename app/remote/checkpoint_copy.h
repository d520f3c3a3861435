#pragma once
// The checkpoint that a recipe goes on from (checkpoint.resume_from), where it lies on the machine of the launch and not on a host.

#include <cstdint>
#include <filesystem>
#include <functional>

#include "remote/bundle.h"
#include "remote/session.h"

namespace trainyard::remote {

/// The checkpoint that `from` means on this machine: itself, or of a run folder or its checkpoints the newest that is whole and good. Absolute;
/// empty: there is none here.
std::filesystem::path checkpoint_here(const std::filesystem::path& from);

/// Brings all files of `folder`, a path of this machine, to the same path on the host; files of the same size that are there stay, an
/// interrupted copy goes on where it stopped. Returns the bytes sent. Throws UserError with what to do when the folder cannot be made there or
/// does not fit, ConnectionError(cancelled) when `on_progress` said false.
std::uint64_t copy_checkpoint(Session& session, const std::filesystem::path& folder,
                              const std::function<bool(const CopyProgress&)>& on_progress = {});

}  // namespace trainyard::remote
