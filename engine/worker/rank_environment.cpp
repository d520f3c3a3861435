// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/rank_environment.h"

#include <cstdlib>
#include <string_view>
#include <type_traits>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/number.h"

namespace trainyard::worker {

RankEnvironment read_environment() {
    RankEnvironment environment{parallel::read_launch_environment(), -1, {}};
    const auto read_number = [](const char* name, auto& number) {
        const char* text = std::getenv(name);
        if (text == nullptr)
            return;
        const auto read = parse_number<std::decay_t<decltype(number)>>(text);
        if (!read)
            throw UserError("{}={} is not a number: start ranks with `trainyard launch`", name, text);
        number = *read;
    };
    read_number(kEnvControlFd, environment.control_fd);
    read_number(kEnvBatchSize, environment.batch_size);
    const char* folder = std::getenv(kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError("{} is not set: start ranks with `trainyard launch`", kEnvRunDirectory);
    environment.run_directory = folder;
    return environment;
}

}  // namespace trainyard::worker
