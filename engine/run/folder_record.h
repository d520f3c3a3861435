// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Records about folders of runs, in $XDG_STATE_HOME/trainyard/folders and not in the folder: a folder from an
// untrusted archive cannot change them. A folder that was moved or copied has no record; then the user is asked again.

#include <optional>
#include <string>

#include "run/paths.h"

namespace trainyard::run {

/// Where a mirror is copied from. Commands and connections use these values only, never those of mirror.json.
struct MirrorSource {
    std::string host;     ///< as the user calls it
    std::string path;     ///< of the run's folder on the host
    std::string program;  ///< `trainyard` on the host
    bool operator==(const MirrorSource&) const = default;

    void fields(auto& field) const {
        field("host", host).required();
        field("path", path).required();
        field("program", program);
    }
};

/// `$XDG_STATE_HOME/trainyard/folders`, else `~/.local/state/trainyard/folders`.
fs::path folder_records();

/// The source of a mirror that this program made or that the user confirmed; nothing for every other folder.
std::optional<MirrorSource> mirror_source(const RunPaths& run);
/// Throws UserError if the record cannot be written.
void record_mirror_source(const RunPaths& run, const MirrorSource& source);

/// The user does not want a folder that says it is a mirror to be followed; it is not asked about again. Throws
/// UserError.
void record_refused_mirror(const RunPaths& run);
bool is_refused_mirror(const RunPaths& run);

enum class RunOrigin {
    own,      ///< a launch of this account made the folder
    mirror,   ///< a copy of a run on another machine, or a folder that says so (mirror.json)
    foreign,  ///< everything else: received, restored from a backup, moved, or made by a version without records
};
RunOrigin origin_of(const RunPaths& run);
/// After a launch has written run.yaml: the folder is our own, and its run.yaml is trusted. Best effort: without a
/// record the user is asked.
void record_own_run(const RunPaths& run) noexcept;

/// True if the user started or confirmed exactly this content of the folder's run.yaml, whose program, plug-ins and
/// environment run on this machine.
bool is_trusted(const RunPaths& run);
/// The user has seen `run_yaml` and wants to run it. `run_yaml` is what was shown, not what is in the file by now.
/// Throws UserError.
void trust(const RunPaths& run, const std::string& run_yaml);

}  // namespace trainyard::run
