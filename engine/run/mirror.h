// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// mirror.json: this run's folder is a copy of a run on another machine. The file has what readers show; whom to connect
// to and what to start there is in the program's own state (run/folder_record.h). Everything else in the folder is as
// in any run's; requests are sent to the host.

#include <optional>
#include <string>

#include "base/message.h"
#include "base/process.h"
#include "run/folder_record.h"
#include "run/paths.h"

namespace trainyard::run {

struct MirrorState {
    std::string host;    ///< as the user calls it; to show
    std::string path;    ///< of the run's folder on the host; to show
    double contact = 0;  ///< wall seconds of the last message of the host; 0: never
    bool connected = false;
    bool lost = false;        ///< seen from over there: nobody looks after the run any more
    bool complete = false;    ///< the run is over, and everything of it has come
    Message message;          ///< why it is not connected; empty otherwise
    double clock_offset = 0;  ///< of the host's wall clock, seconds
    ProcessId process;        ///< the one that keeps it current, on this machine
    /// Whom to connect to, from this program's own state; not part of the file. Empty: the folder came from elsewhere,
    /// and nothing follows it.
    std::optional<MirrorSource> source = {};

    void fields(auto& field) const {
        field("host", host)("path", path);
        field("contact", contact).time().null_if_default();
        field("connected", connected)("lost", lost)("complete", complete);
        field("message", message).lines();
        field("clock_offset", clock_offset)("pid", process.pid)("start_time", process.start_time);
    }
};

inline fs::path mirror_file(const RunPaths& run) {
    return run.root() / "mirror.json";
}

/// Nothing for a run of this machine, and for a file that cannot be read. Host and path are those of the record where
/// it has some.
std::optional<MirrorState> read_mirror(const RunPaths& run);
void write_mirror(const RunPaths& run, const MirrorState& mirror);

/// Nothing was heard of the host for longer than is usual.
bool is_unreachable(const MirrorState& mirror, double now);

}  // namespace trainyard::run
