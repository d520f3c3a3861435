#pragma once
// A disk that answers when it is told to: what hangs in a test hangs on it.

#include <condition_variable>
#include <mutex>

namespace trainyard::test {

class Disk {
  public:
    void wait() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        answer_.wait(lock, [this] { return answers_; });
    }
    void answer() {
        const std::lock_guard lock(mutex_);
        answers_ = true;
        answer_.notify_all();
    }
    /// How many have come so far.
    int waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable answer_;
    bool answers_ = false;
    int waiting_ = 0;
};

}  // namespace trainyard::test
