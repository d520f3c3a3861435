// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a trace. Nothing is dropped in silence: what has no place in the picture is counted (Reading), what is damaged is named with
// line, column and byte, and everything before it is there.

#include <filesystem>
#include <functional>
#include <memory>

#include "observe/traces/trace.h"

namespace trainyard::traces {

struct ReadProgress {
    std::uint64_t file_bytes = 0, consumed = 0;
    std::uint64_t entries = 0;
    double seconds = 0;
};

struct ReadOptions {
    /// Called every few hundred milliseconds; false ends reading, and what has been read is returned with the remark that it was ended.
    std::function<bool(const ReadProgress&)> progress;
    /// Called once, after `preview_seconds`, with what has been read so far: a picture while the rest is read.
    std::function<void(std::shared_ptr<const Trace>)> preview;
    double preview_seconds = 0.3;
};

/// Throws UserError naming the path if the file cannot be read or is not a trace.
std::shared_ptr<const Trace> read_trace(const std::filesystem::path& path, const ReadOptions& options = {});

}  // namespace trainyard::traces
