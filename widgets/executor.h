// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The threads of all background work. As many tasks run at a time as the machine has cores. A task that hangs (for
// example on a dead network disk) does not count: its thread is replaced, and the program exits without waiting for it.
// Tasks with the same key run in the order of submission. This is the layer below widgets/job.h, which delivers results
// to an object, and it also runs tasks that outlive their owner.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

namespace trainyard::widgets {

class Executor {
  public:
    using Work = std::function<void()>;
    enum class Kind {
        Computes,    ///< reads, writes, calculates: waits for its turn
        Background,  ///< like Computes, when no other task waits for its turn
        Waits,       ///< waits for a network, a process or the user: runs on its own thread at once
    };
    static constexpr std::chrono::milliseconds kPatience{500};  ///< after which a computing task counts as hanging
    static constexpr int kMostHanging = 64;                     ///< tasks whose threads are replaced
    static constexpr int kMostWaiting = 64;                     ///< tasks at a time

    /// The instance of this process; never destroyed. When the QCoreApplication ends, tasks get kLeave to finish.
    static Executor& instance();
    static constexpr std::chrono::milliseconds kLeave{5000};  ///< time for connections to close
    /// `threads`: 0 means the number of cores, at least 2, at most 4.
    explicit Executor(int threads = 0);
    ~Executor();  ///< calls finish(kLeave); tasks that have not started by then never run
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Runs a task. `work` must not throw and must own everything it uses, since no caller waits for it. With a `key`,
    /// it starts after all tasks submitted before with that key.
    void run(Work work, Kind kind = Kind::Computes, const std::string& key = {});
    /// Waits at most `limit` until all tasks are done, except those that hang or wait for hanging ones. Returns whether
    /// all are done.
    bool finish(std::chrono::milliseconds limit);
    int threads() const;  ///< number of running threads

  private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace trainyard::widgets
