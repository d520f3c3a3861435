// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The fence between the generations of a run (run/README.md, `generation`): a rank that was considered dead and wakes
// up after the ranks have been restarted must not touch the run any more.

#include <filesystem>

namespace trainyard::worker {

/// Throws UserError when the run has gone on to a later generation than `own`. A run without the file has but one.
void check_generation(const std::filesystem::path& run_directory, int own);

}  // namespace trainyard::worker
