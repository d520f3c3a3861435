// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/offloaded_state.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <future>
#include <string>

#include <ATen/ops/from_blob.h>

#include "base/error.h"
#include "distributed/parallel/task_thread.h"

namespace trainyard::train {

namespace {

constexpr std::size_t kMostBehind = 2;                         ///< slices that wait to be written
constexpr auto kSweepInterval = std::chrono::milliseconds(5);  ///< at 2 GB/s, 10 MB

}  // namespace

OffloadedState::OffloadedState(const StateOffload& offload, std::int64_t elements, std::size_t buffers,
                               parallel::OffloadedArena* arena)
    : offload_(offload),
      arena_(arena),
      stride_(files::ScratchFile::aligned(static_cast<std::size_t>(elements) * sizeof(float))),
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
void OffloadedState::each_buffer(const parallel::Range& slice, Action action) {
    for (std::size_t i = 0; i < buffers_.size(); ++i)
        action(file_, i * stride_ + static_cast<std::size_t>(slice.begin) * sizeof(float),
               i * stride_ + static_cast<std::size_t>(slice.end) * sizeof(float), true);
    if (arena_ != nullptr)
        arena_->each_buffer(slice, [&](std::size_t begin, std::size_t end, bool changes) {
            action(arena_->file(), begin, end, changes);
        });
}

void OffloadedState::let_go() const {
    file_.let_go();
    if (arena_ != nullptr)
        arena_->file().let_go();
}

void OffloadedState::choose_cached(const std::vector<parallel::Range>& slices) {
    const auto ranks = static_cast<std::uint64_t>(std::max(1, offload_.ranks_here));
    const std::uint64_t room =
        offload_.memory_room ? *offload_.memory_room : (offload_.free_memory() / ranks + cached_) / 2;
    // Memory that programs take for a moment must not move slices in every step.
    const std::uint64_t difference = std::max(room, room_) - std::min(room, room_);
    if (stays_.size() == slices.size() && difference <= room_ / 8)
        return;
    room_ = room;
    std::uint64_t left = room;
    stays_.clear();
    loaded_ = false;
    cached_ = 0;
    const std::size_t buffers = buffers_.size() + (arena_ != nullptr ? 2 : 0);
    for (const parallel::Range& slice : slices) {
        const std::uint64_t bytes = static_cast<std::uint64_t>(slice.size()) * sizeof(float) * buffers;
        stays_.push_back(bytes <= left);
        if (!stays_.back())
            continue;
        left -= bytes;
        cached_ += bytes;
    }
}

/// Runs up to three threads besides the caller: two read the next slice, one writes the slices that were changed.
class OffloadedState::Walk {
  public:
    Walk(OffloadedState& state, const std::vector<parallel::Range>& slices) : state_(state), slices_(slices) {
        writes_ = std::ranges::find(state.stays_, false) != state.stays_.end();
        if (state.loaded_ && !writes_)
            return;
        reader_ = std::thread([this] { guarded([this] { read_ahead(); }); });
        if (writes_)
            writer_ = std::thread([this] { guarded([this] { write_behind(); }); });
    }
    ~Walk() {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        changed_.notify_all();
        for (std::thread* thread : {&reader_, &writer_})
            if (thread->joinable())
                thread->join();
    }

    void run(const std::function<void(std::size_t)>& update) {
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            if (reader_.joinable() && !wait([&] { return read_ > i && (!writes_ || i - written_ <= kMostBehind); }))
                throw_failure();
            update(i);
            advance(updated_);
        }
        if (writes_ && !wait([&] { return written_ == slices_.size(); }))
            throw_failure();
        state_.loaded_ = true;
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
    /// Two buffers at a time: while the disk reads one, the system clears the pages of the other.
    void read_ahead() {
        parallel::TaskThread second;
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            if (!wait([&] { return read_ <= updated_ + 1; }))
                return;
            std::future<void> other;
            state_.each_buffer(slices_[i], [&](files::ScratchFile& file, std::size_t begin, std::size_t end, bool) {
                if (!other.valid()) {
                    other = second.post([&file, begin, end] { file.load(begin, end); });
                    return;
                }
                file.load(begin, end);
                other.get();
            });
            if (other.valid())
                other.get();
            advance(read_);
        }
    }
    void write_behind() {
        for (std::size_t i = 0; i < slices_.size(); ++i) {
            if (!wait([&] { return updated_ > i; }))
                return;
            if (!state_.stays_[i])
                state_.each_buffer(slices_[i],
                                   [](files::ScratchFile& file, std::size_t begin, std::size_t end, bool changes) {
                                       changes ? file.store(begin, end) : file.discard(begin, end);
                                   });
            advance(written_);
        }
    }

    OffloadedState& state_;
    const std::vector<parallel::Range>& slices_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::size_t read_ = 0, updated_ = 0, written_ = 0;
    bool writes_ = false, stop_ = false;
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
