// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/read_pool.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include <QCoreApplication>

#include <malloc.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file_descriptor.h"

namespace trainyard::desktop {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kPauseBeforeTrim = std::chrono::seconds(1);
constexpr auto kWatchAgain = std::chrono::seconds(10);
constexpr std::uint32_t kEvents =
    IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF;

}  // namespace

/// Outlives the pool as long as one of its rounds does.
struct ReadPool::State {
    struct Item {
        std::shared_ptr<PooledReader> reader;
        bool queued = false, running = false;
        bool changed = false;  ///< while it ran
        Clock::time_point due = Clock::time_point::max(), ended;
        std::vector<std::filesystem::path> folders;  ///< that are watched; touched by its round alone
        Clock::time_point watched_at;                ///< when they were asked for; touched by its round alone
        bool lost = false;                           ///< one is not watched: missing, or moved away since
        std::set<int> watches;
    };

    explicit State(widgets::Executor& threads) : executor(threads) {
        wake_fd = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        inotify = FileDescriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    }

    widgets::Executor& executor;
    std::weak_ptr<State> self;
    std::mutex mutex;
    bool stopping = false;
    Clock::time_point trim_due = Clock::time_point::max();  ///< set while long histories are read
    std::uint64_t last_number = 0;
    std::map<std::uint64_t, std::shared_ptr<Item>> items;
    std::map<int, std::set<std::uint64_t>> watchers;  ///< inotify's number -> readers
    FileDescriptor wake_fd, inotify;

    void wakeScheduler() {
        const std::uint64_t one = 1;
        (void)!::write(wake_fd.get(), &one, sizeof one);
    }

    void enqueue(std::uint64_t number, const std::shared_ptr<Item>& item) {
        if (item->queued || stopping)
            return;
        if (item->running) {
            item->changed = true;
            return;
        }
        item->queued = true;
        item->due = Clock::time_point::max();
        executor.run([state = self.lock(), number, item] { state->round(number, item); },
                     widgets::Executor::Kind::Background);
    }

    /// Not before a slice has passed since its last round: events come in swarms.
    void soon(std::uint64_t number, const std::shared_ptr<Item>& item) {
        if (!item->queued && !item->running)
            item->due = std::min(item->due, item->ended + milliseconds(kSlice));
        if (item->due <= Clock::now() || item->running)
            enqueue(number, item);
    }

    /// Folders of `item` that are to be watched now, or nothing when that holds already. A path may come to name another folder without a
    /// word (when one above is moved), so that all of them are asked for again from time to time.
    std::optional<std::vector<std::filesystem::path>> toWatch(Item& item) {
        std::vector<std::filesystem::path> folders = item.reader->watched();
        const auto now = Clock::now();
        std::lock_guard lock(mutex);
        if (!item.lost && folders == item.folders && now - item.watched_at < kWatchAgain)
            return std::nullopt;
        item.lost = false;
        item.folders = folders;
        item.watched_at = now;
        return folders;
    }

    void unwatch(std::uint64_t number, const std::set<int>& watches) {
        for (const int watch : watches) {
            auto place = watchers.find(watch);
            if (place == watchers.end())
                continue;
            place->second.erase(number);
            if (place->second.empty()) {
                ::inotify_rm_watch(inotify.get(), watch);
                watchers.erase(place);
            }
        }
    }

    void round(std::uint64_t number, const std::shared_ptr<Item>& item) {
        {
            const std::lock_guard lock(mutex);
            item->queued = false;
            if (!items.contains(number))
                return;
            item->running = true;
        }
        const int again = item->reader->read();
        std::optional<std::set<int>> watches;
        if (const auto folders = toWatch(*item))
            watches = watch(number, *item, *folders);
        const std::lock_guard lock(mutex);
        if (again == 0)
            trim_due = Clock::now() + kPauseBeforeTrim;
        item->running = false;
        item->ended = Clock::now();
        if (!items.contains(number)) {
            if (watches)
                unwatch(number, *watches);
            return;
        }
        if (watches) {
            std::erase_if(item->watches, [&](int watch) { return watches->contains(watch); });
            unwatch(number, std::exchange(item->watches, std::move(*watches)));
        }
        if (again <= 0) {
            enqueue(number, item);
        } else {
            item->due = item->ended + milliseconds(item->changed ? std::min(again, kSlice) : again);
            wakeScheduler();
        }
        item->changed = false;
    }

    /// Watches the folders of a reader, in its thread: on a slow disk this takes long, too.
    std::set<int> watch(std::uint64_t number, Item& item, const std::vector<std::filesystem::path>& folders) {
        std::set<int> watches;
        for (const std::filesystem::path& folder : folders) {
            {
                std::lock_guard lock(mutex);
                if (watchers.size() >= kMostWatches)
                    break;
            }
            const int watch = ::inotify_add_watch(inotify.get(), folder.c_str(), kEvents);
            std::lock_guard lock(mutex);
            if (watch < 0) {
                item.lost = true;
                continue;
            }
            watchers[watch].insert(number);
            watches.insert(watch);
        }
        return watches;
    }

    void takeEvents() {
        alignas(inotify_event) char buffer[16384];
        for (;;) {
            const ssize_t length = ::read(inotify.get(), buffer, sizeof buffer);
            if (length <= 0)
                return;
            std::lock_guard lock(mutex);
            for (ssize_t at = 0; at < length;) {
                const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
                at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
                const auto place = watchers.find(event->wd);
                if (event->mask & IN_Q_OVERFLOW)
                    for (auto& [number, item] : items)
                        soon(number, item);
                if (place == watchers.end())
                    continue;
                if (event->mask & (IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF))
                    for (const std::uint64_t number : place->second)
                        if (const auto found = items.find(number); found != items.end())
                            found->second->lost = true;
                const bool written = (event->mask & ~(IN_MODIFY | IN_CLOSE_WRITE)) == 0;
                for (const std::uint64_t number : place->second)
                    if (const auto found = items.find(number);
                        found != items.end() && (!written || found->second->reader->hearsWrites()))
                        soon(number, found->second);
                if (event->mask & IN_IGNORED)
                    watchers.erase(place);
            }
        }
    }

    /// Until the pool ends.
    void schedule() {
        for (;;) {
            int wait = -1;
            {
                const std::lock_guard lock(mutex);
                if (stopping)
                    return;
                const auto now = Clock::now();
                auto next = Clock::time_point::max();
                for (auto& [number, item] : items) {
                    if (!item->queued && !item->running && item->due <= now)
                        enqueue(number, item);
                    else
                        next = std::min(next, item->due);
                }
                if (trim_due <= now) {
                    trim_due = Clock::time_point::max();
                    executor.run(trim);
                }
                next = std::min(next, trim_due);
                if (next != Clock::time_point::max())
                    wait = std::max(1, static_cast<int>(std::chrono::ceil<milliseconds>(next - now).count()));
            }
            pollfd fds[] = {{wake_fd.get(), POLLIN, 0}, {inotify.get(), POLLIN, 0}};
            ::poll(fds, inotify ? 2 : 1, wait);
            std::uint64_t count = 0;
            (void)!::read(wake_fd.get(), &count, sizeof count);
            if (inotify)
                takeEvents();
        }
    }

    /// What reading a long history needed for a moment lies scattered over the heaps of several threads; free() does not give it back by
    /// itself (malloc_trim(3)).
    static void trim() {
#ifdef __GLIBC__
        ::malloc_trim(0);
#endif
    }

    void stop() {
        const std::lock_guard lock(mutex);
        stopping = true;
        wakeScheduler();
    }
};

ReadPool& ReadPool::instance() {
    static auto* pool = [] {
        auto* made = new ReadPool;  // at the end of the program a read may hang: nobody waits for it
        qAddPostRoutine([] { instance().state_->stop(); });
        return made;
    }();
    return *pool;
}

ReadPool::ReadPool(widgets::Executor& executor) : state_(std::make_shared<State>(executor)) {
    state_->self = state_;
    executor.run([state = state_] { state->schedule(); }, widgets::Executor::Kind::Waits);
}

ReadPool::~ReadPool() {
    state_->stop();
}

std::uint64_t ReadPool::add(std::shared_ptr<PooledReader> reader) {
    const std::lock_guard lock(state_->mutex);
    const std::uint64_t number = ++state_->last_number;
    auto item = std::make_shared<State::Item>();
    item->reader = std::move(reader);
    state_->items.emplace(number, item);
    state_->enqueue(number, item);
    return number;
}

void ReadPool::wake(std::uint64_t reader) {
    const std::lock_guard lock(state_->mutex);
    if (const auto found = state_->items.find(reader); found != state_->items.end())
        state_->soon(reader, found->second);
    state_->wakeScheduler();
}

void ReadPool::remove(std::uint64_t reader) {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->items.find(reader);
    if (found == state_->items.end())
        return;
    state_->unwatch(reader, found->second->watches);
    // Closing files of a slow disk takes long, too: not here.
    state_->executor.run([item = std::move(found->second)] {});
    state_->items.erase(found);
}

}  // namespace trainyard::desktop
