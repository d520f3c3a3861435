// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Profiler traces of a host: brought whole, because their arguments lie all over the file.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "remote/session.h"

namespace trainyard::remote {

struct TraceCopyProgress {
    std::uint64_t done = 0, total = 0;  ///< bytes of all files
    int file = 0, files = 0;            ///< the one that is being brought, from 1
};

/// Brings the files of one profile into the folder `to`: of a folder or run the newest profile in it or in its `traces`; of a file all ranks beside it.
/// Their paths here, by rank. Throws UserError where nothing there is a trace, ConnectionError(cancelled) when `on_progress` said false.
std::vector<std::filesystem::path> copy_traces(Session& session, const std::string& place,
                                               const std::filesystem::path& to,
                                               const std::function<bool(const TraceCopyProgress&)>& on_progress = {});
std::vector<std::filesystem::path> copy_traces(Sftp& sftp, const std::string& place, const std::filesystem::path& to,
                                               const std::function<bool(const TraceCopyProgress&)>& on_progress = {});

}  // namespace trainyard::remote
