// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/trace_reading.h"

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "observe/traces/trace_reader.h"

namespace trainyard::desktop {

void TraceReading::end() {
    stop = true;
    std::function<void()> act;
    {
        const std::lock_guard lock(mutex_);
        act = std::exchange(on_stop_, nullptr);
    }
    if (act)
        act();
}

void TraceReading::onStop(std::function<void()> act) {
    if (act && stop) {
        act();
        return;
    }
    const std::lock_guard lock(mutex_);
    on_stop_ = std::move(act);
}

void TraceReading::setPicture(std::shared_ptr<OpenedTrace> picture) {
    const std::lock_guard lock(mutex_);
    picture_ = std::move(picture);
}

std::shared_ptr<OpenedTrace> TraceReading::takePicture() {
    const std::lock_guard lock(mutex_);
    return std::exchange(picture_, nullptr);
}

std::shared_ptr<OpenedTrace> readTraces(const QStringList& paths, TraceReading& reading,
                                        const widgets::Cancelled& cancelled, const FetchTraces& fetch) {
    const FetchedTraces here = fetch ? fetch(paths, reading, cancelled) : FetchedTraces{paths, nullptr};
    reading.bytes = 0;
    reading.file = 0;
    std::vector<std::filesystem::path> files;
    for (const QString& path : here.paths)
        for (const std::filesystem::path& file : traces::rank_files(path.toStdString()))
            files.push_back(file);
    std::uint64_t all = 0;
    for (const std::filesystem::path& file : files) {
        std::error_code error;
        const std::uintmax_t size = std::filesystem::file_size(file, error);
        all += error ? 0 : size;
    }
    reading.all_bytes = all;
    reading.files = static_cast<int>(files.size());
    std::vector<std::shared_ptr<const traces::Trace>> read;
    std::uint64_t before = 0;
    for (const std::filesystem::path& file : files) {
        if (cancelled || (reading.stop && !read.empty()))
            break;
        ++reading.file;
        traces::ReadOptions options;
        options.progress = [&](const traces::ReadProgress& progress) {
            reading.bytes = before + progress.consumed;
            return !cancelled && !reading.stop;
        };
        options.preview = [&](std::shared_ptr<const traces::Trace> part) {
            std::vector<std::shared_ptr<const traces::Trace>> until_now = read;
            until_now.push_back(std::move(part));
            reading.setPicture(std::make_shared<OpenedTrace>(traces::join_ranks(std::move(until_now))));
        };
        read.push_back(traces::read_trace(file, options));
        before += read.back()->reading.file_bytes;
        reading.bytes = before;
    }
    return std::make_shared<OpenedTrace>(traces::join_ranks(std::move(read)));
}

}  // namespace trainyard::desktop
