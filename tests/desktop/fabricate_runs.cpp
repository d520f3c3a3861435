// fabricate_runs FOLDER SUPERVISOR_PID: the runs that packaging/screenshots shows. Live ones claim the given process.

#include <cstdio>
#include <cstdlib>

#include "fabricated_runs.h"

int main(int argc, char** argv) {
    using namespace trainyard;
    using run::Status;
    if (argc != 3) {
        std::fprintf(stderr, "usage: fabricate_runs FOLDER SUPERVISOR_PID\n");
        return 2;
    }
    const std::filesystem::path root = argv[1];
    const pid_t pid = std::atoi(argv[2]);
    const ProcessId supervisor{pid, process_start_time(pid)};
    const test::FabricatedRun runs[] = {
        {.name = "perldoc-1m",
         .status = Status::running,
         .step = 690,
         .of = 1500,
         .age_s = 24,
         .tokens_per_s = 28100,
         .start_loss = 5.6,
         .end_loss = 1.61,
         .tags = {"perldoc"}},
        {.name = "perldoc-10m-2ranks",
         .status = Status::running,
         .step = 3240,
         .of = 4000,
         .ranks = 2,
         .age_s = 3300,
         .tokens_per_s = 4620,
         .start_loss = 5.7,
         .end_loss = 1.22,
         .tags = {"perldoc", "large"}},
        {.name = "books-1m-lr4e-3",
         .age_s = 7200,
         .tokens_per_s = 27600,
         .end_loss = 1.74,
         .lr = 4e-3,
         .tags = {"books", "lr-sweep"}},
        {.name = "books-1m-lr2e-3",
         .age_s = 9100,
         .tokens_per_s = 27900,
         .end_loss = 1.68,
         .tags = {"books", "lr-sweep"},
         .note = "best of the sweep"},
        {.name = "books-1m-lr1e-3",
         .age_s = 12900,
         .tokens_per_s = 27400,
         .end_loss = 1.83,
         .lr = 1e-3,
         .tags = {"books", "lr-sweep"}},
        {.name = "notes-bf16",
         .status = Status::failed,
         .step = 412,
         .of = 2000,
         .ranks = 2,
         .age_s = 26000,
         .tokens_per_s = 31200,
         .end_loss = 2.1,
         .failure = "Rank 1 was killed by signal 9 (SIGKILL) at step 412 in backward.",
         .bf16 = true,
         .tags = {"notes"}},
        {.name = "perldoc-warmup",
         .status = Status::stopped,
         .step = 820,
         .of = 1500,
         .age_s = 92000,
         .tokens_per_s = 26800,
         .end_loss = 1.9},
        {.name = "first-try", .step = 600, .of = 600, .age_s = 180000, .tokens_per_s = 24300, .end_loss = 2.35},
        {.name = "overnight",
         .status = Status::running,
         .step = 2210,
         .of = 9000,
         .age_s = 200000,
         .silent_s = 150000,
         .tokens_per_s = 4400,
         .end_loss = 1.4},
    };
    for (const test::FabricatedRun& run : runs) {
        const bool lost = run.name == "overnight";
        std::printf("%s\n", test::fabricate(root, run, lost ? ProcessId{1, 1} : supervisor).filename().c_str());
    }
    return 0;
}
