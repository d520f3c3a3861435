// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/launch_environment.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/truth.h"

// A note of the owner kLibraryNote marks programs that contain this library, so that launchers give them the variables
// that it reads (launch/plan/library_program.h): sizes of owner and description, type, owner.
asm(".pushsection .note.trainyard, \"a\", %note\n"
    ".balign 4\n"
    ".long 10, 0, 1\n"
    ".asciz \"Trainyard\"\n"
    ".balign 4\n"
    ".popsection\n");

namespace trainyard::parallel {

namespace {

/// Seconds that an operation waits for the other ranks.
constexpr const char* kEnvGroupTimeout = "TRAINYARD_PROCESS_GROUP_TIMEOUT";

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
                problem(name, Message("'{}' is not a number: give a whole number, or unset it", text));
            else if (*value >= 0)
                return value;
        }
        return std::nullopt;
    }
    bool flag(const char* name) {
        std::string text = variable(name);
        Truth truth = text.empty() ? Truth::no : truth_of(text);
        if (truth == Truth::neither)
            problem(name, Message("'{}' is neither true nor false: write true or false", text));
        return truth == Truth::yes;
    }
    void problem(const char* name, Message message) {
        problems_.push_back({.file = "environment", .key = name, .message = std::move(message)});
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

}  // namespace

LaunchEnvironment read_launch_environment() {
    constexpr int kUsualPort = 29500;  // of torchrun and Accelerate
    EnvironmentReader read;
    LaunchEnvironment environment;
    ProcessPlace& place = environment.place;
    Rendezvous& rendezvous = environment.rendezvous;
    if (std::string address = variable(kEnvMasterAddress); !address.empty())
        rendezvous.address = address;
    place.rank = read.number({kEnvRank, kEnvPmiRank, kEnvOpenMpiRank, kEnvMvapichRank}).value_or(0);
    place.world_size = read.number({kEnvWorldSize, kEnvPmiSize, kEnvOpenMpiSize, kEnvMvapichSize}).value_or(1);
    place.local_world_size =
        read.number({kEnvLocalWorldSize, kEnvMpiLocalRanks, kEnvOpenMpiLocalSize, kEnvMvapichLocalSize})
            .value_or(is_loopback(rendezvous.address) ? place.world_size : 1);
    if (place.world_size < 1)
        read.problem(kEnvWorldSize, "there is at least 1 process");
    else if (place.rank >= place.world_size)
        read.problem(kEnvRank, Message("{} is not below the number of processes, {}", place.rank, place.world_size));
    if (place.local_world_size < 1 || place.local_world_size > std::max(place.world_size, 1))
        read.problem(kEnvLocalWorldSize, Message("{} is not between 1 and the {} processes of all machines",
                                                 place.local_world_size, place.world_size));
    place.local_rank =
        read.number({kEnvLocalRank, "MPI_LOCALRANKID", "OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK"})
            .value_or(place.rank % std::max(place.local_world_size, 1));
    if (place.local_rank > place.rank || place.local_rank >= std::max(place.local_world_size, 1))
        read.problem(kEnvLocalRank, Message("{} is beyond the rank or the number of processes of this "
                                            "machine, {}",
                                            place.local_rank, place.local_world_size));
    if (place.world_size > place.local_world_size && variable(kEnvMasterAddress).empty())
        read.problem(kEnvMasterAddress, "is not set: several machines need the address of rank 0");

    rendezvous.rank = place.rank;
    rendezvous.world_size = place.world_size;
    rendezvous.port = read.number({kEnvMasterPort}).value_or(kUsualPort);
    if (rendezvous.port > 65535)
        read.problem(kEnvMasterPort, Message("{} is not a port: give 1 to 65535", rendezvous.port));
    rendezvous.store_fd = read.number({kEnvStoreFd}).value_or(-1);
    // torchrun counts restarts from 0: keys of an earlier attempt are still in its store.
    rendezvous.generation = read.number({kEnvGeneration}).value_or(read.number({kEnvRestartCount}).value_or(0) + 1);
    rendezvous.store_exists = read.flag(kEnvUseAgentStore);
    rendezvous.verify = read.flag(kEnvDebugMode);
    if (const std::string text = variable(kEnvGroupTimeout); !text.empty()) {
        if (const auto seconds = parse_number<double>(text, 0.001, kLongestTimeoutSeconds))
            rendezvous.timeout = std::chrono::milliseconds(std::llround(*seconds * 1000));
        else
            read.problem(kEnvGroupTimeout,
                         Message("'{}' is not a number of seconds from 0.001 to {}", text, kLongestTimeoutSeconds));
    }
    if (std::string address = variable(kEnvAddress); !address.empty())
        rendezvous.interface_address = address;
    else if (!is_loopback(rendezvous.address))
        rendezvous.interface_address = full_host_name();
    environment.use_cpu = read.flag(kEnvUseCpu);
    environment.cpu_affinity = read.flag(kEnvCpuAffinity);
    environment.device = variable(kEnvTorchDevice);
    read.finish();
    return environment;
}

}  // namespace trainyard::parallel
