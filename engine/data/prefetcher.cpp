// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/prefetcher.h"

#include <algorithm>
#include <utility>

#include <ATen/Parallel.h>

#include <omp.h>

namespace trainyard::data {

Prefetcher::Prefetcher(std::function<std::optional<BatchJob>()> source, int workers, int capacity, Pin pin)
    : source_(std::move(source)), pin_(std::move(pin)), slots_(static_cast<std::size_t>(std::max(capacity, 1))) {
    for (int i = 0; i < workers; ++i)
        threads_.emplace_back([this] { work(); });
}

Prefetcher::~Prefetcher() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

std::optional<HostBatch> Prefetcher::make(const std::optional<BatchJob>& job) const {
    if (!job)
        return std::nullopt;
    HostBatch batch = (*job)();
    if (pin_)
        batch.batch = batch.batch.map_tensors(pin_);
    return batch;
}

void Prefetcher::work() {
    // One core per worker, as in torch: otherwise large batches would start a thread pool for each worker. The first
    // call initialises LibTorch's number of threads for this thread, so that it cannot overwrite the limit later.
    at::get_num_threads();
    omp_set_num_threads(1);
    while (true) {
        std::unique_lock turn(source_mutex_);
        std::unique_lock lock(mutex_);
        room_.wait(lock,
                   [&] { return stop_ || exhausted_ || given_ - taken_ < static_cast<std::int64_t>(slots_.size()); });
        if (stop_ || exhausted_)
            return;
        Slot& slot = slots_[static_cast<std::size_t>(given_++) % slots_.size()];
        lock.unlock();

        std::optional<HostBatch> batch;
        std::exception_ptr failure;
        try {
            std::optional<BatchJob> job;
            try {
                job = source_();
            } catch (...) {
                failure = std::current_exception();
            }
            if (!job) {
                // Threads that wait for their turn see the end when they get it.
                lock.lock();
                exhausted_ = true;
                lock.unlock();
            }
            turn.unlock();
            batch = make(job);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        slot = {true, std::move(batch), failure};
        ready_.notify_all();
    }
}

std::optional<HostBatch> Prefetcher::next() {
    if (threads_.empty()) {
        if (exhausted_)
            return std::nullopt;
        std::optional<BatchJob> job = source_();
        exhausted_ = !job;
        return make(job);
    }
    std::unique_lock lock(mutex_);
    Slot& slot = slots_[static_cast<std::size_t>(taken_) % slots_.size()];
    ready_.wait(lock, [&] { return slot.ready || (exhausted_ && taken_ == given_); });
    if (!slot.failure && !slot.batch)
        return std::nullopt;  // the slot with the end is kept: later calls return the end again
    Slot taken = std::exchange(slot, {});
    ++taken_;
    lock.unlock();
    room_.notify_one();
    if (taken.failure)
        std::rethrow_exception(taken.failure);
    return std::move(taken.batch);
}

}  // namespace trainyard::data
