#include "desktop/sources/read_pool.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/file.h"

namespace trainyard::desktop {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr auto kWatchAgain = std::chrono::seconds(10);
constexpr std::uint32_t kEvents =
    IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF;

/// Batches on their way to the GUI thread.
class Delivery final : public QObject {
  public:
    static Delivery& instance() {
        static Delivery* delivery = [] {
            auto* made = new Delivery;
            if (QCoreApplication::instance() != nullptr)
                made->moveToThread(QCoreApplication::instance()->thread());
            return made;
        }();
        return *delivery;
    }

    void add(std::weak_ptr<void> alive, std::function<void()> take) {
        std::lock_guard lock(mutex_);
        waiting_.push_back({std::move(alive), std::move(take)});
        if (!posted_) {
            posted_ = true;
            QMetaObject::invokeMethod(
                this, [this] { hand(); }, Qt::QueuedConnection);
        }
    }

  private:
    static constexpr int kAtOnce = 6;  // ms

    void hand() {
        QElapsedTimer timer;
        timer.start();
        for (;;) {
            Parcel parcel;
            {
                std::lock_guard lock(mutex_);
                if (waiting_.empty()) {
                    posted_ = false;
                    return;
                }
                if (timer.elapsed() >= kAtOnce)
                    break;
                parcel = std::move(waiting_.front());
                waiting_.pop_front();
            }
            if (const auto alive = parcel.alive.lock())
                parcel.take();
        }
        // After what the window has to do now: painting, keys.
        QTimer::singleShot(1, this, [this] { hand(); });
    }

    struct Parcel {
        std::weak_ptr<void> alive;
        std::function<void()> take;
    };
    std::mutex mutex_;
    std::deque<Parcel> waiting_;
    bool posted_ = false;
};

}  // namespace

/// Outlives the pool as long as one of its threads does.
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

    explicit State(int usual_threads) : usual(usual_threads) {
        wake_fd = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
        inotify = FileDescriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    }

    mutable std::mutex mutex;
    std::condition_variable work;
    const int usual;
    bool stopping = false;
    int alive = 0, idle = 0;
    std::uint64_t last_number = 0;
    std::map<std::uint64_t, std::shared_ptr<Item>> items;
    std::deque<std::uint64_t> ready;
    std::vector<std::shared_ptr<PooledReader>> ended;  ///< removed; a thread of the pool ends them
    std::multiset<Clock::time_point> running_since;    ///< rounds under way
    std::map<int, std::set<std::uint64_t>> watchers;   ///< inotify's number -> readers
    FileDescriptor wake_fd, inotify;

    void wakeScheduler() {
        const std::uint64_t one = 1;
        (void)!::write(wake_fd.get(), &one, sizeof one);
    }

    void enqueue(std::uint64_t number, Item& item) {
        if (item.queued)
            return;
        if (item.running) {
            item.changed = true;
            return;
        }
        item.queued = true;
        item.due = Clock::time_point::max();
        ready.push_back(number);
        work.notify_one();
    }

    /// Not before a slice has passed since its last round: events come in swarms.
    void soon(std::uint64_t number, Item& item) {
        if (item.queued)
            return;
        if (item.running) {
            item.changed = true;
            return;
        }
        item.due = std::min(item.due, item.ended + milliseconds(kSlice));
        if (item.due <= Clock::now())
            enqueue(number, item);
    }

    int hanging() const {
        const auto late = running_since.lower_bound(Clock::now() - milliseconds(kPatience));
        return static_cast<int>(std::distance(running_since.begin(), late));
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

    static void startThread(const std::shared_ptr<State>& state) {
        ++state->alive;
        std::thread([state] { state->serve(); }).detach();
    }

    void serve() {
        std::unique_lock lock(mutex);
        while (!stopping) {
            if (!ended.empty()) {
                // Closing files of a slow disk takes long, too: in no other's way.
                auto gone = std::exchange(ended, {});
                lock.unlock();
                gone.clear();
                lock.lock();
                continue;
            }
            if (ready.empty()) {
                if (alive > usual + hanging())
                    break;  // it took the place of one that hung
                ++idle;
                work.wait(lock);
                --idle;
                continue;
            }
            const std::uint64_t number = ready.front();
            ready.pop_front();
            const auto found = items.find(number);
            if (found == items.end())
                continue;
            const std::shared_ptr<Item> item = found->second;
            item->queued = false;
            item->running = true;
            const auto begun = running_since.insert(Clock::now());
            lock.unlock();
            const int again = item->reader->read();
            std::optional<std::set<int>> watches;
            if (const auto folders = toWatch(*item))
                watches = watch(number, *item, *folders);
            lock.lock();
            running_since.erase(begun);
            item->running = false;
            item->ended = Clock::now();
            if (!items.contains(number)) {
                if (watches)
                    unwatch(number, *watches);
                ended.push_back(std::move(item->reader));
                continue;
            }
            if (watches) {
                std::erase_if(item->watches, [&](int watch) { return watches->contains(watch); });
                unwatch(number, std::exchange(item->watches, std::move(*watches)));
            }
            if (again <= 0) {
                enqueue(number, *item);
            } else {
                item->due = item->ended + milliseconds(item->changed ? std::min(again, kSlice) : again);
                wakeScheduler();
            }
            item->changed = false;
        }
        --alive;
        work.notify_all();
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
                        soon(number, *item);
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
                        soon(number, *found->second);
                if (event->mask & IN_IGNORED)
                    watchers.erase(place);
            }
        }
    }

    static void schedule(const std::shared_ptr<State>& state) {
        constexpr int kGlance = 100;  // ms between looks at what hangs
        for (;;) {
            int wait = -1;
            {
                std::lock_guard lock(state->mutex);
                if (state->stopping)
                    break;
                const auto now = Clock::now();
                auto next = Clock::time_point::max();
                for (auto& [number, item] : state->items) {
                    if (!item->queued && !item->running && item->due <= now)
                        state->enqueue(number, *item);
                    else
                        next = std::min(next, item->due);
                }
                if (!state->ready.empty() && state->idle == 0 &&
                    state->alive < state->usual + std::min(state->hanging(), kMostHanging))
                    startThread(state);
                if (next != Clock::time_point::max())
                    wait = static_cast<int>(std::chrono::ceil<milliseconds>(next - now).count());
                if (!state->running_since.empty() || !state->ready.empty())
                    wait = wait < 0 ? kGlance : std::min(wait, kGlance);
            }
            pollfd fds[] = {{state->wake_fd.get(), POLLIN, 0}, {state->inotify.get(), POLLIN, 0}};
            ::poll(fds, state->inotify ? 2 : 1, wait < 0 ? -1 : std::max(wait, 1));
            std::uint64_t count = 0;
            (void)!::read(state->wake_fd.get(), &count, sizeof count);
            if (state->inotify)
                state->takeEvents();
        }
        std::lock_guard lock(state->mutex);
        --state->alive;
        state->work.notify_all();
    }
};

ReadPool& ReadPool::instance() {
    static auto* pool = new ReadPool;  // at the end of the program a read may hang: nobody waits for it
    return *pool;
}

ReadPool::ReadPool(int threads) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    state_ = std::make_shared<State>((threads > 0 ? threads : std::clamp(cores, 2, 4)) + 1);  // and the scheduler
    std::lock_guard lock(state_->mutex);
    for (int i = 1; i < state_->usual; ++i)
        State::startThread(state_);
    ++state_->alive;
    std::thread([state = state_] { State::schedule(state); }).detach();
}

ReadPool::~ReadPool() {
    constexpr auto kWait = std::chrono::seconds(2);  // for rounds that do not hang
    std::unique_lock lock(state_->mutex);
    state_->stopping = true;
    state_->work.notify_all();
    state_->wakeScheduler();
    state_->work.wait_for(lock, kWait, [this] { return state_->alive <= state_->hanging(); });
}

std::uint64_t ReadPool::add(std::shared_ptr<PooledReader> reader) {
    std::lock_guard lock(state_->mutex);
    const std::uint64_t number = ++state_->last_number;
    auto item = std::make_shared<State::Item>();
    item->reader = std::move(reader);
    state_->items.emplace(number, item);
    state_->enqueue(number, *item);
    state_->wakeScheduler();
    return number;
}

void ReadPool::wake(std::uint64_t reader) {
    std::lock_guard lock(state_->mutex);
    if (const auto found = state_->items.find(reader); found != state_->items.end())
        state_->soon(reader, *found->second);
    state_->wakeScheduler();
}

void ReadPool::remove(std::uint64_t reader) {
    std::lock_guard lock(state_->mutex);
    const auto found = state_->items.find(reader);
    if (found == state_->items.end())
        return;
    state_->unwatch(reader, found->second->watches);
    state_->ended.push_back(found->second->reader);
    state_->items.erase(found);
    state_->work.notify_one();
}

int ReadPool::threads() const {
    std::lock_guard lock(state_->mutex);
    return state_->alive;
}

void ReadPool::deliver(std::weak_ptr<void> alive, std::function<void()> take) {
    Delivery::instance().add(std::move(alive), std::move(take));
}

}  // namespace trainyard::desktop
