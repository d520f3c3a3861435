// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads one file, several files, or the newest profile of a folder in another thread, with progress and a preview of
// the first part.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include <QStringList>

#include "desktop/traces/opened_trace.h"
#include "widgets/job.h"

namespace trainyard::desktop {

/// State shared between the page and the reading thread.
struct TraceReading {
    std::atomic<bool> stop{false};  ///< stop reading and use what has been read
    std::atomic<std::uint64_t> bytes{0}, all_bytes{0};
    std::atomic<int> file{0}, files{0};

    /// Sets `stop` and calls the function set by onStop().
    void end();
    /// Sets a function that interrupts a blocking wait which does not check `stop`, such as a connection. It is called
    /// at once if reading has already been stopped. An empty function removes it.
    void onStop(std::function<void()> act);

    void setPicture(std::shared_ptr<OpenedTrace> picture);
    /// Returns the newest preview, or null if it has not changed since the last call.
    std::shared_ptr<OpenedTrace> takePicture();

  private:
    std::mutex mutex_;
    std::function<void()> on_stop_;
    std::shared_ptr<OpenedTrace> picture_;
};

/// Local copies of files on other machines. The files may be deleted once they have been opened or `keep` is released.
struct FetchedTraces {
    QStringList paths;
    std::shared_ptr<void> keep;
};
using FetchTraces =
    std::function<FetchedTraces(const QStringList& paths, TraceReading& reading, const widgets::Cancelled& cancelled)>;

/// `paths`: files that are ranks of one training, or one file, or one folder. `fetch` may be empty. Throws UserError.
std::shared_ptr<OpenedTrace> readTraces(const QStringList& paths, TraceReading& reading,
                                        const widgets::Cancelled& cancelled, const FetchTraces& fetch = {});

}  // namespace trainyard::desktop
