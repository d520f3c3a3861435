#include "worker/environment.h"

#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/number.h"
#include "launch/protocol.h"

namespace trainyard::worker {

RankEnvironment read_environment() {
    RankEnvironment environment{parallel::read_launch_environment(), -1, {}};
    if (const char* text = std::getenv(launch::kEnvControlFd)) {
        const auto number = parse_number<int>(text);
        if (!number)
            throw UserError(std::string(launch::kEnvControlFd) + "=" + text +
                            " is no number: start ranks with `trainyard launch`");
        environment.control_fd = *number;
    }
    const char* folder = std::getenv(launch::kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError(std::string(launch::kEnvRunDirectory) + " is not set: start ranks with `trainyard launch`");
    environment.run_directory = folder;
    return environment;
}

}  // namespace trainyard::worker
