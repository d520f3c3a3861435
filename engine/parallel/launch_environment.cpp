#include "parallel/launch_environment.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>

#include <unistd.h>

#include "base/error.h"
#include "base/number.h"
#include "launch/protocol.h"
#include "settings/value.h"

namespace trainyard::parallel {

namespace {

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
}

class EnvironmentReader {
  public:
    /// The first of `names` that is set and not negative.
    std::optional<int> number(std::initializer_list<const char*> names) {
        for (const char* name : names) {
            std::string text = variable(name);
            if (text.empty())
                continue;
            const auto value = parse_number<int>(text);
            if (!value)
                problem(name, "'" + text + "' is no number: give a whole one, or unset it");
            else if (*value >= 0)
                return value;
        }
        return std::nullopt;
    }
    bool flag(const char* name) {
        std::string text = variable(name);
        settings::Truth truth = text.empty() ? settings::Truth::no : settings::truth_of(text);
        if (truth == settings::Truth::neither)
            problem(name, "'" + text + "' is neither true nor false: write true or false");
        return truth == settings::Truth::yes;
    }
    void problem(const char* name, const std::string& message) {
        problems_.push_back({.file = "environment", .key = name, .message = message});
    }
    void finish() {
        if (!problems_.empty())
            throw InvalidInput(std::move(problems_));
    }

  private:
    std::vector<Problem> problems_;
};

bool is_loopback(const std::string& address) {
    return address == "localhost" || address == "::1" || address.starts_with("127.");
}

std::string host_name() {
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? name : "localhost";
}

}  // namespace

LaunchEnvironment read_launch_environment() {
    constexpr int kUsualPort = 29500;  // of torchrun and Accelerate
    EnvironmentReader read;
    LaunchEnvironment environment;
    ProcessPlace& place = environment.place;
    Rendezvous& rendezvous = environment.rendezvous;
    if (std::string address = variable("MASTER_ADDR"); !address.empty())
        rendezvous.address = address;
    place.rank = read.number({"RANK", "PMI_RANK", "OMPI_COMM_WORLD_RANK", "MV2_COMM_WORLD_RANK"}).value_or(0);
    place.world_size =
        read.number({"WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE"}).value_or(1);
    place.local_world_size =
        read.number({"LOCAL_WORLD_SIZE", "MPI_LOCALNRANKS", "OMPI_COMM_WORLD_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE"})
            .value_or(is_loopback(rendezvous.address) ? place.world_size : 1);
    if (place.world_size < 1)
        read.problem("WORLD_SIZE", "there is at least 1 process");
    else if (place.rank >= place.world_size)
        read.problem("RANK", std::to_string(place.rank) + " is not below the number of processes, " +
                                 std::to_string(place.world_size));
    if (place.local_world_size < 1 || place.local_world_size > std::max(place.world_size, 1))
        read.problem("LOCAL_WORLD_SIZE", std::to_string(place.local_world_size) + " is not between 1 and the " +
                                             std::to_string(place.world_size) + " processes of all machines");
    place.local_rank =
        read.number({"LOCAL_RANK", "MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK"})
            .value_or(place.rank % std::max(place.local_world_size, 1));
    if (place.local_rank > place.rank || place.local_rank >= std::max(place.local_world_size, 1))
        read.problem("LOCAL_RANK", std::to_string(place.local_rank) +
                                       " is beyond the rank or the number of processes of this machine, " +
                                       std::to_string(place.local_world_size));
    if (place.world_size > place.local_world_size && variable("MASTER_ADDR").empty())
        read.problem("MASTER_ADDR", "is not set: several machines need the address of rank 0");

    rendezvous.rank = place.rank;
    rendezvous.world_size = place.world_size;
    rendezvous.port = read.number({"MASTER_PORT"}).value_or(kUsualPort);
    if (rendezvous.port > 65535)
        read.problem("MASTER_PORT", std::to_string(rendezvous.port) + " is no port: give 1 to 65535");
    rendezvous.store_fd = read.number({launch::kEnvStoreFd}).value_or(-1);
    // torchrun counts restarts from 0: keys of an earlier attempt are still in its store.
    rendezvous.generation =
        read.number({launch::kEnvGeneration}).value_or(read.number({"TORCHELASTIC_RESTART_COUNT"}).value_or(0) + 1);
    rendezvous.store_exists = read.flag("TORCHELASTIC_USE_AGENT_STORE");
    rendezvous.verify = read.flag("ACCELERATE_DEBUG_MODE");
    if (std::string address = variable(launch::kEnvAddress); !address.empty())
        rendezvous.interface_address = address;
    else if (!is_loopback(rendezvous.address))
        rendezvous.interface_address = host_name();
    environment.use_cpu = read.flag("ACCELERATE_USE_CPU");
    environment.device = variable("ACCELERATE_TORCH_DEVICE");
    read.finish();
    return environment;
}

}  // namespace trainyard::parallel
