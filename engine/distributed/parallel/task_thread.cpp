// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/task_thread.h"

#include <exception>
#include <utility>

namespace trainyard::parallel {

TaskThread::~TaskThread() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_one();
    if (thread_.joinable())
        thread_.join();
}

std::future<void> TaskThread::post(std::function<void()> task) {
    std::future<void> done;
    {
        const std::lock_guard lock(mutex_);
        done = tasks_.emplace_back(std::move(task), std::promise<void>()).done.get_future();
        if (!thread_.joinable())
            thread_ = std::thread([this] { run(); });
    }
    wake_.notify_one();
    return done;
}

void TaskThread::run() {
    for (;;) {
        Task task;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
            if (stop_)
                return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        std::exception_ptr failure;
        try {
            task.work();
        } catch (...) {
            failure = std::current_exception();
        }
        task.work = nullptr;
        failure ? task.done.set_exception(failure) : task.done.set_value();
    }
}

}  // namespace trainyard::parallel
