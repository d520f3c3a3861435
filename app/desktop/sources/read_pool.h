#pragma once
// Threads that read for the window: one small pool for all logs, woken by inotify and by a timer where inotify is silent (network file
// systems). A read that hangs (a dead network disk) costs one thread, which is replaced, so that neither the window nor other sources wait
// for it; nobody waits for it at the end either. What was read is handed over in the GUI thread, a few milliseconds at a time.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace trainyard::desktop {

/// Something that is read again and again. Called in threads of the pool, never in two at a time; outlives its owner until the call ends,
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
    static constexpr int kPatience = 500;    ///< ms after which a round counts as hanging and its thread is replaced
    static constexpr int kMostHanging = 64;  ///< threads beyond the usual ones
    static constexpr std::size_t kMostWatches = 4096;

    /// Of this process; never destroyed.
    static ReadPool& instance();
    /// `threads` 0: as many as the machine has cores, at least 2, at most 4.
    explicit ReadPool(int threads = 0);
    ~ReadPool();  ///< ends threads; one that hangs ends when its read does
    ReadPool(const ReadPool&) = delete;
    ReadPool& operator=(const ReadPool&) = delete;

    /// First round at once. Returns a number for wake() and remove(), never 0.
    std::uint64_t add(std::shared_ptr<PooledReader> reader);
    void wake(std::uint64_t reader);
    void remove(std::uint64_t reader);  ///< does not wait for a round under way

    int threads() const;  ///< alive now
    /// Calls `take` in the GUI thread unless `alive` has ended by then; in order, and not so many at once that the window stalls.
    static void deliver(std::weak_ptr<void> alive, std::function<void()> take);

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace trainyard::desktop
