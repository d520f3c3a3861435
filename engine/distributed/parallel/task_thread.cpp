// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/task_thread.h"

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
    std::packaged_task<void()> packaged(std::move(task));
    std::future<void> done = packaged.get_future();
    {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(packaged));
        if (!thread_.joinable())
            thread_ = std::thread([this] { run(); });
    }
    wake_.notify_one();
    return done;
}

void TaskThread::run() {
    for (;;) {
        std::packaged_task<void()> task;
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return stop_ || !tasks_.empty(); });
            if (stop_)
                return;
            task = std::move(tasks_.front());
            tasks_.pop_front();
        }
        task();
    }
}

}  // namespace trainyard::parallel
