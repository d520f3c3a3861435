// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/offloaded_state.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <string>

#include <ATen/ops/from_blob.h>

#include "base/error.h"
#include "base/free_memory.h"

namespace trainyard::train {

namespace {

constexpr std::size_t kStrideAlignment = 4096;                 ///< bytes: buffers share no page
constexpr std::size_t kMostBehind = 8;                         ///< slices that wait to be written
constexpr auto kSweepInterval = std::chrono::milliseconds(5);  ///< at 2 GB/s, 10 MB

std::size_t aligned_stride(std::int64_t elements) {
    const auto bytes = static_cast<std::size_t>(elements) * sizeof(float);
    return (bytes + kStrideAlignment - 1) / kStrideAlignment * kStrideAlignment;
}

}  // namespace

OffloadedState::OffloadedState(const StateOffload& offload, std::int64_t elements, std::size_t buffers,
                               parallel::OffloadedArena* arena)
    : offload_(offload),
      arena_(arena),
      stride_(buffers > 1 ? aligned_stride(elements) : static_cast<std::size_t>(elements) * sizeof(float)),
      file_(offload.folder.empty()
                ? files::ScratchFile()
                : files::ScratchFile(
                      offload.folder,
                      buffers == 0 ? 0 : (buffers - 1) * stride_ + static_cast<std::size_t>(elements) * sizeof(float),
                      Message("the optimizer state of rank {}", offload.rank))) {
    for (std::size_t i = 0; i < buffers && !offload.folder.empty(); ++i)
        buffers_.push_back(
            at::from_blob(file_.bytes().data() + i * stride_, {elements}, at::TensorOptions().dtype(at::kFloat)));
}

template <class Action>
void OffloadedState::each_buffer(const parallel::Range& slice, Action action) const {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        action(file_, i * stride_ + static_cast<std::size_t>(slice.begin) * sizeof(float),
               i * stride_ + static_cast<std::size_t>(slice.end) * sizeof(float));
    if (arena_ != nullptr)
        arena_->each_buffer(slice, [&](std::size_t begin, std::size_t end) { action(arena_->file(), begin, end); });
}

void OffloadedState::let_go() const {
    file_.let_go();
    if (arena_ != nullptr)
        arena_->file().let_go();
}

void OffloadedState::choose_cached(const std::vector<parallel::Range>& slices) {
    if (stays_.size() == slices.size())
        return;
    std::uint64_t left = offload_.page_room.value_or(available_memory() / 2 /
                                                     static_cast<std::uint64_t>(std::max(1, offload_.ranks_here)));
    stays_.clear();
    cached_ = 0;
    const std::size_t buffers = buffers_.size() + (arena_ != nullptr ? 2 : 0);
    std::int64_t stay_until = 0;  // elements from the first one on that all stay
    for (const parallel::Range& slice : slices) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(slice.size()) * sizeof(float) * buffers;
        stays_.push_back(bytes <= left);
        if (!stays_.back())
            continue;
        left -= bytes;
        cached_ += bytes;
        if (std::ranges::find(stays_, false) == stays_.end())
            stay_until = std::max(stay_until, slice.end);
    }
    if (arena_ != nullptr && std::ranges::find(stays_, false) != stays_.end())
        arena_->set_cached(stay_until);
}

/// Runs two threads besides the caller: one prefetches the next slice, one writes the slices that were changed.
class OffloadedState::Walk {
  public:
    Walk(OffloadedState& state, const std::vector<parallel::Range>& slices) : state_(state), slices_(slices) {
        reader_ = std::thread([this] { guarded([this] { read_ahead(); }); });
        if (std::ranges::find(state.stays_, false) != state.stays_.end())
            writer_ = std::thread([this] { guarded([this] { write_behind(); }); });
    }
    ~Walk() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        reader_.join();
        if (writer_.joinable())
            writer_.join();
    }

    void run(const std::function<void(std::size_t)>& update) {
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            if (!wait([&] { return fetched_ > i && (!writer_.joinable() || i - written_ <= kMostBehind); }))
                throw_failure();
            update(i);
            state_.each_buffer(slices_[i], [](const files::ScratchFile& file, std::size_t begin, std::size_t end) {
                file.let_go(begin, end);
            });
            advance(updated_);
        }
        if (writer_.joinable() && !wait([&] { return written_ == slices_.size(); }))
            throw_failure();
    }

  private:
    /// False: another thread has failed, or the walk is over.
    template <class Condition>
    bool wait(Condition condition) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stop_ || failure_ || condition(); });
        return !stop_ && !failure_;
    }
    [[noreturn]] void throw_failure() {
        const std::lock_guard lock(mutex_);
        std::rethrow_exception(failure_);
    }
    void advance(std::size_t& count) {
        {
            const std::lock_guard lock(mutex_);
            ++count;
        }
        changed_.notify_all();
    }
    template <class Work>
    void guarded(Work work) {
        try {
            work();
        } catch (...) {
            {
                const std::lock_guard lock(mutex_);
                if (!failure_)
                    failure_ = std::current_exception();
            }
            changed_.notify_all();
        }
    }
    void read_ahead() {
        for (const parallel::Range& slice : slices_) {
            if (!wait([&] { return fetched_ <= updated_ + 1; }))
                return;
            state_.each_buffer(slice, [](const files::ScratchFile& file, std::size_t begin, std::size_t end) {
                file.fetch(begin, end);
            });
            advance(fetched_);
        }
    }
    /// A slice is on its way to the disk while the next one is updated, and its pages are given up then.
    void write_behind() {
        for (std::size_t i = 0; i <= slices_.size(); ++i) {
            if (!wait([&] { return updated_ > i || i == slices_.size(); }))
                return;
            if (i < slices_.size() && !state_.stays_[i])
                state_.each_buffer(slices_[i], [](const files::ScratchFile& file, std::size_t begin, std::size_t end) {
                    file.begin_write(begin, end);
                });
            if (i == 0)
                continue;
            if (!state_.stays_[i - 1])
                state_.each_buffer(slices_[i - 1], [](const files::ScratchFile& file, std::size_t begin,
                                                      std::size_t end) { file.finish_write(begin, end); });
            advance(written_);
        }
    }

    OffloadedState& state_;
    const std::vector<parallel::Range>& slices_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t fetched_ = 0, updated_ = 0, written_ = 0;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::thread reader_, writer_;
};

void OffloadedState::walk(const std::vector<parallel::Range>& slices, const std::function<void(std::size_t)>& update) {
    choose_cached(slices);
    Walk(*this, slices).run(update);
    let_go();
    file_.check();
    if (arena_ != nullptr)
        arena_->file().check();
}

OffloadedState::Passing::Passing(OffloadedState* state) : state_(state) {
    if (state_ != nullptr)
        sweeper_ = std::thread([this] {
            std::unique_lock lock(mutex_);
            while (!wake_.wait_for(lock, kSweepInterval, [this] { return over_; }))
                state_->let_go();
        });
}

OffloadedState::Passing::~Passing() {
    if (state_ == nullptr)
        return;
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    wake_.notify_one();
    sweeper_.join();
    state_->let_go();
}

}  // namespace trainyard::train
