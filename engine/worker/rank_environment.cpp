// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/rank_environment.h"

#include <cstdlib>
#include <string_view>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"

namespace trainyard::worker {

RankEnvironment read_environment() {
    RankEnvironment environment{parallel::read_launch_environment(), -1, {}};
    if (const char* text = std::getenv(kEnvControlFd)) {
        const auto number = parse_number<int>(text);
        if (!number)
            throw UserError("{}={} is not a number: start ranks with `trainyard launch`", kEnvControlFd, text);
        environment.control_fd = *number;
    }
    const char* folder = std::getenv(kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError("{} is not set: start ranks with `trainyard launch`", kEnvRunDirectory);
    environment.run_directory = folder;
    return environment;
}

}  // namespace trainyard::worker
