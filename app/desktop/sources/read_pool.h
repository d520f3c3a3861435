// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is read again and again for the window, in the threads of widgets/executor.h: woken by inotify, and by a timer where inotify is silent
// (network file systems). A read that hangs (a dead network disk) holds up neither the window nor other sources.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "widgets/executor.h"

namespace trainyard::desktop {

/// Something that is read again and again. Called in other threads, never in two at a time; outlives its owner until the call ends,
/// so it holds nothing of the owner but tokens.
class PooledReader {
  public:
    virtual ~PooledReader() = default;
    /// One round: as much as can be read in some kSlice ms. Returns the milliseconds after which it is to be called again at the latest;
    /// 0: there is more.
    virtual int read() = 0;
    /// Folders in which changes bring the next round forward; asked after each round.
    virtual std::vector<std::filesystem::path> watched() const { return {}; }
    /// Whether writing into files of these folders counts; else only their coming and going does.
    virtual bool hearsWrites() const { return true; }
};

class ReadPool {
  public:
    static constexpr int kSlice =
        50;  ///< ms a round takes, and at least lies between two rounds of a reader that has read all
    static constexpr std::size_t kMostWatches = 4096;

    /// Of this process; never destroyed. Ends with the QCoreApplication.
    static ReadPool& instance();
    /// `executor`: ends later.
    explicit ReadPool(widgets::Executor& executor = widgets::Executor::instance());
    ~ReadPool();  ///< a round that hangs ends when its read does
    ReadPool(const ReadPool&) = delete;
    ReadPool& operator=(const ReadPool&) = delete;

    /// First round at once. Returns a number for wake() and remove(), never 0.
    std::uint64_t add(std::shared_ptr<PooledReader> reader);
    void wake(std::uint64_t reader);
    void remove(std::uint64_t reader);  ///< does not wait for a round under way

  private:
    struct State;
    std::shared_ptr<State> state_;
};

/// The reader of an object, in the pool of the process from start() to the end of the object, which never waits for the disk.
class PooledWork {
  public:
    PooledWork() = default;
    PooledWork(const PooledWork&) = delete;
    PooledWork& operator=(const PooledWork&) = delete;
    ~PooledWork() {
        if (number_ != 0)
            ReadPool::instance().remove(number_);
    }
    /// Once: `make` is not asked again.
    template <class Make>
    void start(const Make& make) {
        if (number_ == 0)
            number_ = ReadPool::instance().add(make());
    }
    void wake() const {
        if (number_ != 0)
            ReadPool::instance().wake(number_);
    }

  private:
    std::uint64_t number_ = 0;
};

}  // namespace trainyard::desktop
