#include "worker/environment.h"

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
            throw UserError(std::string(kEnvControlFd) + "=" + text +
                            " is no number: start ranks with `trainyard launch`");
        environment.control_fd = *number;
    }
    const char* folder = std::getenv(kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError(std::string(kEnvRunDirectory) + " is not set: start ranks with `trainyard launch`");
    environment.run_directory = folder;
    return environment;
}

}  // namespace trainyard::worker
