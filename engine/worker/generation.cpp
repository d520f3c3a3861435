// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/generation.h"

#include <fstream>

#include "base/error.h"
#include "run/paths.h"

namespace trainyard::worker {

void check_generation(const std::filesystem::path& run_directory, int own) {
    int newest = 0;
    std::ifstream(run::RunPaths(run_directory).generation()) >> newest;
    if (newest > own)
        throw UserError("the ranks of this run have been restarted: this one is of generation {}, the run is at {}",
                        own, newest);
}

}  // namespace trainyard::worker
