// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Environment of a rank: the variables that every launcher sets (distributed/parallel/launch_environment.h), and those
// of base/environment_names.h.

#include <filesystem>

#include "distributed/parallel/launch_environment.h"

namespace trainyard::worker {

struct RankEnvironment : parallel::LaunchEnvironment {
    int control_fd = -1;
    std::filesystem::path run_directory;
    std::int64_t batch_size = 0;  ///< most samples of a micro-batch; 0: those of the recipe
};

/// Reads the environment. Throws UserError naming a variable that is missing or wrong.
RankEnvironment read_environment();

}  // namespace trainyard::worker
