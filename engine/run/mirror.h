#pragma once
// mirror.json: this run's folder is a copy that a process keeps current of a run on another machine. All else in the folder is as in any
// run's; what is asked of it (requests/) goes over there.

#include <optional>
#include <string>

#include "base/process.h"
#include "run/paths.h"

namespace trainyard::run {

struct MirrorState {
    std::string host;     ///< as the user calls it
    std::string path;     ///< of the run's folder over there
    std::string program;  ///< `trainyard` over there
    double contact = 0;   ///< wall seconds of the last word from there; 0: never
    bool connected = false;
    bool lost = false;        ///< seen from over there: nobody looks after the run any more
    bool complete = false;    ///< the run is over, and everything of it has come
    std::string message;      ///< why it is not connected; empty otherwise
    double clock_offset = 0;  ///< of the host's wall clock, seconds
    ProcessId process;        ///< the one that keeps it current, on this machine
};

inline fs::path mirror_file(const RunPaths& run) {
    return run.root() / "mirror.json";
}

/// Nothing for a run of this machine, and for a file that cannot be read.
std::optional<MirrorState> read_mirror(const RunPaths& run);
void write_mirror(const RunPaths& run, const MirrorState& mirror);

/// Nothing was heard of the host for longer than is usual.
bool is_unreachable(const MirrorState& mirror, double now);

}  // namespace trainyard::run
