// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One rank as a process: started without a shell, with a socket pair to its supervisor, its own process group, and the kernel's
// promise (PR_SET_PDEATHSIG) that it dies with the supervisor.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/file_descriptor.h"

namespace trainyard::launch {

/// For a single interactive rank: its streams are a terminal where ours are one, and it inherits the standard input.
struct RankStreams {
    int terminal = -1;                                  ///< the rank's end; -1: none
    int ours = -1;                                      ///< the other end
    bool input = false, output = false, error = false;  ///< which streams are that terminal
    bool keep_input = false;                            ///< else it has none
};

struct RankStart {
    int rank = 0;  ///< for sentences
    std::vector<std::string> command;
    std::map<std::string, std::string> environment;  ///< on top of the caller's
    std::filesystem::path directory;                 ///< empty: the caller's
    int store_socket = -1;                           ///< handed over as $TRAINYARD_STORE_FD; -1: none
    std::vector<int> cores;                          ///< to run on; empty: the caller's
    RankStreams streams;
};

struct StartedRank {
    pid_t pid = 0;
    FileDescriptor exited;   ///< readable once it has ended; invalid on a kernel before 5.3
    FileDescriptor control;  ///< non-blocking, as are the next two
    FileDescriptor output;
    FileDescriptor error;
};

/// Returns when the program's image runs. Throws UserError when it cannot be started. Call it from a thread that lives
/// as long as the ranks: the parent-death signal is sent when that thread ends.
StartedRank start_rank(const RankStart& start);

/// Returns the cores that this process may use.
int usable_cores();

}  // namespace trainyard::launch
