// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/executor.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <QCoreApplication>

namespace trainyard::widgets {

/// The state shared with the threads; it outlives the executor while any of them runs.
struct Executor::State {
    using Clock = std::chrono::steady_clock;
    struct Task {
        Work work;
        Kind kind = Kind::Computes;
        std::string key;
    };

    explicit State(int usual_threads) : usual(usual_threads) {}

    mutable std::mutex mutex;
    std::condition_variable given, ended;
    const int usual;
    bool stopping = false;
    int alive = 0, idle = 0, waiting = 0;
    std::deque<Task> computing_next, background_next, waiting_next;
    std::multiset<Clock::time_point> computing;     ///< start times
    std::map<std::string, std::deque<Task>> lines;  ///< for keys in use: the tasks waiting for their turn

    int hanging() const {
        const auto late = computing.lower_bound(Clock::now() - kPatience);
        return static_cast<int>(std::distance(computing.begin(), late));
    }

    bool isTurnAwaited() const { return !computing_next.empty() || !background_next.empty(); }
    bool canCompute() const {
        return isTurnAwaited() && static_cast<int>(computing.size()) < usual + std::min(hanging(), kMostHanging);
    }
    bool canWait() const { return !waiting_next.empty() && waiting < kMostWaiting; }

    void give(Task task, const std::shared_ptr<State>& self) {
        auto& next = task.kind == Kind::Waits      ? waiting_next
                     : task.kind == Kind::Computes ? computing_next
                                                   : background_next;
        next.push_back(std::move(task));
        needThread(self);
    }

    /// Wakes an idle thread, or starts one if there is none. It takes new tasks and checks whether running ones hang.
    void needThread(const std::shared_ptr<State>& self) {
        const bool more = isTurnAwaited() || canWait();
        if (more && idle == 0 && alive < usual + kMostHanging + kMostWaiting + 1) {
            ++alive;
            ++idle;  // until it checks
            std::thread([self] { self->serve(self); }).detach();
        }
        given.notify_one();
    }

    void serve(const std::shared_ptr<State>& self) {
        constexpr std::chrono::milliseconds kGlance(100);
        std::unique_lock lock(mutex);
        while (!stopping) {
            if (canWait() || canCompute()) {
                --idle;
                one(lock, self);
                ++idle;
            } else if (isTurnAwaited()) {
                given.wait_for(lock, kGlance);
            } else if (idle > usual) {
                break;  // it replaced a thread that hung or waited
            } else {
                given.wait(lock);
            }
        }
        --idle;
        --alive;
        ended.notify_all();
    }

    void one(std::unique_lock<std::mutex>& lock, const std::shared_ptr<State>& self) {
        auto& next = canWait() ? waiting_next : !computing_next.empty() ? computing_next : background_next;
        Task task = std::move(next.front());
        next.pop_front();
        needThread(self);
        const bool waits = task.kind == Kind::Waits;
        std::multiset<Clock::time_point>::iterator since;
        if (waits)
            ++waiting;
        else
            since = computing.insert(Clock::now());
        lock.unlock();
        task.work();
        task.work = nullptr;  // closing files on a slow disk also takes long
        lock.lock();
        if (waits)
            --waiting;
        else
            computing.erase(since);
        if (const auto line = lines.find(task.key); line != lines.end()) {
            if (line->second.empty()) {
                lines.erase(line);
            } else {
                Task after = std::move(line->second.front());
                line->second.pop_front();
                give(std::move(after), self);
            }
        }
        ended.notify_all();
    }
};

Executor& Executor::instance() {
    static auto* executor = [] {
        qAddPostRoutine([] { instance().finish(kLeave); });
        return new Executor;  // never deleted: tasks may hang at the end of the program
    }();
    return *executor;
}

Executor::Executor(int threads) {
    const int cores = static_cast<int>(std::thread::hardware_concurrency());
    state_ = std::make_shared<State>(threads > 0 ? threads : std::clamp(cores, 2, 4));
}

Executor::~Executor() {
    finish(kLeave);
    const std::lock_guard lock(state_->mutex);
    state_->stopping = true;
    state_->given.notify_all();
}

void Executor::run(Work work, Kind kind, const std::string& key) {
    State::Task task{std::move(work), kind, key};
    const std::lock_guard lock(state_->mutex);
    if (!key.empty()) {
        const auto [line, first] = state_->lines.try_emplace(key);
        if (!first) {
            line->second.push_back(std::move(task));
            return;
        }
    }
    state_->give(std::move(task), state_);
}

bool Executor::finish(std::chrono::milliseconds limit) {
    State& state = *state_;
    const auto all = [&state] {
        return state.computing.empty() && state.waiting == 0 && !state.isTurnAwaited() && state.waiting_next.empty();
    };
    const auto enough = [&state] {
        return state.waiting == 0 && state.waiting_next.empty() && !state.isTurnAwaited() &&
               static_cast<int>(state.computing.size()) <= state.hanging();
    };
    const auto until = State::Clock::now() + limit;
    constexpr std::chrono::milliseconds kGlance(50);  // polled, since a task starts to count as hanging silently
    std::unique_lock lock(state.mutex);
    while (!enough() && State::Clock::now() < until)
        state.ended.wait_until(lock, std::min(until, State::Clock::now() + kGlance));
    return all();
}

int Executor::threads() const {
    const std::lock_guard lock(state_->mutex);
    return state_->alive;
}

}  // namespace trainyard::widgets
