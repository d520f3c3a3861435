// SPDX-License-Identifier: GPL-3.0-or-later
// fabricate_runs FOLDER SUPERVISOR_PID: the runs that packaging/screenshots shows. Live ones claim the given process.

#include <cstdio>
#include <cstdlib>

#include "fabricated_runs.h"

int main(int argc, char** argv) {
    using namespace trainyard;
    if (argc != 3) {
        std::fprintf(stderr, "usage: fabricate_runs FOLDER SUPERVISOR_PID\n");
        return 2;
    }
    const pid_t pid = std::atoi(argv[2]);
    for (const std::filesystem::path& run : test::fabricate_gallery(argv[1], {pid, process_start_time(pid)}))
        std::printf("%s\n", run.filename().c_str());
    return 0;
}
