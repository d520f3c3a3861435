#pragma once
// What a rank of ours is told by whoever started it: what every launcher says (distributed/parallel/launch_environment.h), and the names of
// base/environment_names.h.

#include <filesystem>

#include "distributed/parallel/launch_environment.h"

namespace trainyard::worker {

struct RankEnvironment : parallel::LaunchEnvironment {
    int control_fd = -1;
    std::filesystem::path run_directory;
};

/// Reads the environment. Throws UserError naming a variable that is missing or wrong.
RankEnvironment read_environment();

}  // namespace trainyard::worker
