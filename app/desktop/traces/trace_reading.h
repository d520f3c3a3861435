#pragma once
// Reading of a file, of several, or of a folder's newest profile, in another thread: how far it is, and a picture of the first part meanwhile.

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include <QStringList>

#include "desktop/traces/opened_trace.h"
#include "widgets/job.h"

namespace trainyard::desktop {

/// Shared between the page and the thread that reads.
struct TraceReading {
    std::atomic<bool> stop{false};  ///< what has been read is enough
    std::atomic<std::uint64_t> bytes{0}, all_bytes{0};
    std::atomic<int> file{0}, files{0};

    /// Sets `stop`, and ends what `onStop` was told of.
    void end();
    /// For what waits without looking at `stop`, such as a connection. Called at once where reading has been ended. Empty: nothing any more.
    void onStop(std::function<void()> act);

    void setPicture(std::shared_ptr<OpenedTrace> picture);
    /// Null: no other one since it was asked.
    std::shared_ptr<OpenedTrace> takePicture();

  private:
    std::mutex mutex_;
    std::function<void()> on_stop_;
    std::shared_ptr<OpenedTrace> picture_;
};

/// Files of this machine in the place of paths that lie on others. They may go when `keep` does, and when they have been opened.
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
