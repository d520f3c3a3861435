// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/unsent.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "base/error.h"
#include "observe/track/outbox.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

namespace {

/// The folders of spools of a folder and of those below it.
std::vector<fs::path> spool_folders(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error))
        if (entry->path().filename() == kUnsentFolder && entry->is_directory(error)) {
            found.push_back(entry->path());
            entry.disable_recursion_pending();
        }
    return found;
}

/// Names of spools with records, oldest first.
std::vector<std::string> full_spools(const fs::path& folder) {
    std::vector<std::string> names;
    for (const std::string& name : Spool::names(folder, ""))
        if (fs::exists(folder / (name + ".jsonl")))
            names.push_back(name);
    return names;
}

/// Requests a stop when another one is requested, or after some seconds.
class TimeLimit {
  public:
    TimeLimit(double seconds, const std::stop_token& stop)
        : seconds_(seconds),
          end_(monotonic_seconds() + seconds),
          forwards_(stop, [this] { source_.request_stop(); }),
          timer_([this](const std::stop_token& over) {
              constexpr double kLongest = 1e8;  // what clocks can add
              std::mutex mutex;
              std::unique_lock lock(mutex);
              std::condition_variable_any wake;
              wake.wait_for(lock, over, std::chrono::duration<double>(std::min(seconds_, kLongest)),
                            [] { return false; });
              if (!over.stop_requested())
                  source_.request_stop();
          }) {}

    std::stop_token token() const { return source_.get_token(); }
    bool stopped() const { return source_.stop_requested(); }
    double seconds() const { return seconds_; }
    double end() const { return end_; }  ///< monotonic
    bool is_over() const { return monotonic_seconds() >= end_; }

  private:
    const double seconds_, end_;
    std::stop_source source_;
    std::stop_callback<std::function<void()>> forwards_;
    std::jthread timer_;
};

SentRecords send_spool(const fs::path& folder, const std::string& name, const TimeLimit& limit) {
    SentRecords result{name.substr(0, name.find('-')), folder / (name + ".jsonl")};
    try {
        const TrackerKind kind = tracker_kind(result.tracker);
        if (!kind.make_service)
            throw UserError("the tracker '{}' sends nothing", result.tracker);
        std::optional<Spool> spool = Spool::open(folder, name);
        if (!spool)
            throw UserError("{} is in use by another process, which sends it", result.file.string());
        Outbox outbox(std::move(*spool));
        const std::size_t all = outbox.spool.count_left();
        result.left = all;
        while (outbox.spool.has_more() && !limit.stopped()) {
            std::optional<Outbox::Failure> failure;
            const bool delivered = outbox.deliver(kind.make_service, limit.token(), failure);
            result.left = outbox.spool.count_left();
            if (delivered)
                continue;
            if (limit.stopped() && failure && !failure->refused)  // it was interrupted
                break;
            const bool again = failure && !outbox.denied && outbox.next_try < limit.end();
            if (failure && (failure->refused || !again))
                result.problems.push_back(failure->message);
            if (!again)
                break;
            while (monotonic_seconds() < outbox.next_try && !limit.stopped())
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        if (outbox.spool.has_more() && limit.is_over() && result.problems.empty())
            result.problems.push_back(
                Message("the records could not be sent within {} s: the server may be slow, or an artifact large; try "
                        "again with more time",
                        limit.seconds()));
        result.sent = all - result.left;
        if (!outbox.spool.has_more())
            outbox.spool.discard_entries();
    } catch (const UserError& error) {
        result.problems.push_back(error.message());
    } catch (const std::exception& error) {
        result.problems.push_back(message_of(error));
    }
    return result;
}

}  // namespace

bool has_unsent_records(const fs::path& folder) {
    return std::ranges::any_of(spool_folders(folder),
                               [](const fs::path& spools) { return !full_spools(spools).empty(); });
}

std::vector<SentRecords> send_unsent_records(const fs::path& folder, double limit_s, const std::stop_token& stop) {
    std::vector<SentRecords> results;
    const TimeLimit limit(limit_s, stop);
    for (const fs::path& spools : spool_folders(folder))
        for (const std::string& name : full_spools(spools))
            results.push_back(send_spool(spools, name, limit));
    return results;
}

}  // namespace trainyard::track
