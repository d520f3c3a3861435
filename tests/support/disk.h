// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A fake disk whose operations block until the test calls answer().

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
    /// Returns the number of calls to wait() so far.
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
