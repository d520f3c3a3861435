// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/remote_checkpoint.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "checkpoint/files/staging.h"
#include "run/mirror.h"

namespace trainyard::run {

namespace {

using checkpoint::checkpoint_number;

/// Returns the path without a separator at its end, which a user may have typed.
fs::path plain_path(const fs::path& path) {
    const fs::path normal = fs::absolute(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

bool has_only_manifest(const fs::path& checkpoint) {
    std::error_code error;
    bool manifest = false, more = false;
    for (fs::directory_iterator entry(checkpoint, error), end; !error && entry != end; entry.increment(error)) {
        const fs::path name = entry->path().filename();
        manifest = manifest || name == "manifest.json";
        more = more || (name != "manifest.json" && name != "keep");
    }
    return manifest && !more;
}

}  // namespace

std::string host_of_checkpoint(const fs::path& checkpoint) {
    const fs::path folder = plain_path(checkpoint);
    const RunPaths run(folder.parent_path().parent_path());
    if (checkpoint_number(folder) < 0 || folder.parent_path() != run.checkpoints() || !has_only_manifest(folder))
        return {};
    const std::optional<MirrorState> mirror = read_mirror(run);
    return mirror ? mirror->host : std::string();
}

Message not_fetched(const fs::path& place) {
    fs::path newest;
    const fs::path given = plain_path(place);
    if (checkpoint_number(given) >= 0) {
        newest = given;
    } else {
        std::error_code error;
        for (const fs::path& folder : {given, given / "checkpoints"})
            for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
                if (checkpoint_number(entry->path()) < 0)
                    continue;
                if (!has_only_manifest(entry->path()))
                    return {};
                if (checkpoint_number(entry->path()) > checkpoint_number(newest))
                    newest = entry->path();
            }
    }
    const std::string host = newest.empty() ? std::string() : host_of_checkpoint(newest);
    if (host.empty())
        return {};
    const std::string run = newest.parent_path().parent_path().filename().string();
    return Message("{} of run {} is on {}: `trainyard runs fetch {} {}` copies it to this machine",
                   newest.filename().string(), run, host, run, newest.filename().string());
}

}  // namespace trainyard::run
