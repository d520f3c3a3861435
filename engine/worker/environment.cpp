#include "worker/environment.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "launch/protocol.h"

namespace trainyard::worker {

RankEnvironment read_environment() {
    RankEnvironment environment{parallel::read_launch_environment(), -1, {}};
    if (const char* text = std::getenv(launch::kEnvControlFd)) {
        std::string_view number(text);
        auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), environment.control_fd);
        if (error != std::errc() || end != number.data() + number.size())
            throw UserError(std::string(launch::kEnvControlFd) + "=" + text +
                            " is no number: start ranks with `trainyard launch`");
    }
    const char* folder = std::getenv(launch::kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError(std::string(launch::kEnvRunDirectory) + " is not set: start ranks with `trainyard launch`");
    environment.run_directory = folder;
    return environment;
}

}  // namespace trainyard::worker
