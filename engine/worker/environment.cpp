#include "worker/environment.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "launch/protocol.h"

namespace trainyard::worker {

namespace {

int number(const char* name, int fallback) {
    const char* text = std::getenv(name);
    if (text == nullptr || *text == '\0')
        return fallback;
    int value = 0;
    auto [end, error] = std::from_chars(text, text + std::strlen(text), value);
    if (error != std::errc() || *end != '\0')
        throw UserError(std::string(name) + "=" + text + " is no number: start ranks with `trainyard launch`");
    return value;
}

}  // namespace

RankEnvironment read_environment() {
    RankEnvironment environment;
    environment.rank = number("RANK", 0);
    environment.local_rank = number("LOCAL_RANK", environment.rank);
    environment.world_size = number("WORLD_SIZE", 1);
    environment.master_port = number("MASTER_PORT", 0);
    environment.store_fd = number(launch::kEnvStoreFd, -1);
    environment.control_fd = number(launch::kEnvControlFd, -1);
    environment.generation = number(launch::kEnvGeneration, 1);
    if (const char* address = std::getenv("MASTER_ADDR"))
        environment.master_address = address;
    const char* folder = std::getenv(launch::kEnvRunDirectory);
    if (folder == nullptr)
        throw UserError(std::string(launch::kEnvRunDirectory) + " is not set: start ranks with `trainyard launch`");
    environment.run_directory = folder;
    if (environment.rank < 0 || environment.rank >= environment.world_size)
        throw UserError("RANK=" + std::to_string(environment.rank) +
                        " is not below WORLD_SIZE=" + std::to_string(environment.world_size));
    return environment;
}

}  // namespace trainyard::worker
