#pragma once
// What a rank is told by whoever started it: torchrun's variables and the names of launch/protocol.h.

#include <filesystem>
#include <string>

namespace trainyard::worker {

struct RankEnvironment {
    int rank = 0;
    int local_rank = 0;
    int world_size = 1;
    std::string master_address = "127.0.0.1";
    int master_port = 0;
    int store_fd = -1;
    int control_fd = -1;
    int generation = 1;
    std::filesystem::path run_directory;
};

/// Reads the environment. Throws UserError naming a variable that is missing or no number.
RankEnvironment read_environment();

}  // namespace trainyard::worker
