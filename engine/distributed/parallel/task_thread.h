// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A thread that runs tasks in the order in which they were posted: transfers that continue while the caller computes.

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

namespace trainyard::parallel {

/// Runs tasks one after the other on a thread of its own. Tasks that have not begun when it is destroyed are dropped.
class TaskThread {
  public:
    TaskThread() = default;
    ~TaskThread();
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;
    /// The future has the exception of the task. What the task held is released before the future is ready.
    std::future<void> post(std::function<void()> task);

  private:
    struct Task {
        std::function<void()> work;
        std::promise<void> done;
    };
    void run();
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> tasks_;
    bool stop_ = false;
    std::thread thread_;  ///< from the first task on
};

}  // namespace trainyard::parallel
