#pragma once
// One rank as a process: started without a shell, with a socket pair to the supervisor, its own process group, and the
// kernel's promise (PR_SET_PDEATHSIG) that it dies with the supervisor.

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/file.h"
#include "run/spec.h"

namespace trainyard::launch {

struct RankStart {
    int rank = 0;
    int generation = 1;
    int port = 0;           ///< of the store that rank 0 serves
    int store_socket = -1;  ///< listening socket for rank 0, else -1
    int threads = 1;        ///< OMP_NUM_THREADS
    std::filesystem::path worker;
};

struct StartedRank {
    pid_t pid = 0;
    FileDescriptor control;  ///< non-blocking
    FileDescriptor output;   ///< read end of stdout and stderr, non-blocking
};

/// NAME=value of everything a rank gets: the caller's environment with the variables of protocol.h set. `control` is the number
/// of the rank's end of the socket pair.
std::vector<std::string> rank_environment(const run::RunPaths& paths, const run::RunSpec& spec, const RankStart& start,
                                          int control);

/// Returns when the worker's image runs. Throws UserError when it cannot be started. To be called from the thread that
/// lives as long as the ranks shall: the death signal follows the thread.
StartedRank start_rank(const run::RunPaths& paths, const run::RunSpec& spec, const RankStart& start);

/// Cores this process may use.
int usable_cores();
/// What OMP_NUM_THREADS becomes: the spec's number, else the user's own variable, else cores / ranks, at least 1.
int threads_per_rank(const run::LaunchSpec& launch);

}  // namespace trainyard::launch
