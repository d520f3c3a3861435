// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Progress and cancellation of long operations. An operation that takes a progress object calls add() at least every
// few megabytes, from any thread.

#include <atomic>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/error.h"

namespace trainyard {

/// Thrown when the caller cancels an operation. The code that writes files removes its incomplete ones.
class Cancelled : public UserError {
  public:
    Cancelled() : UserError("cancelled: nothing was changed") {}
};

class Progress {
  public:
    /// Gets the bytes done and the total; false: end the work. Called from the threads that work, several at a time.
    using Report = std::function<bool(std::uint64_t done, std::uint64_t total)>;

    Progress() = default;
    explicit Progress(Report report) : report_(std::move(report)) {}

    void begin(std::uint64_t total) {
        total_ = total;
        done_ = 0;
        add(0);
    }
    /// Throws Cancelled.
    void add(std::uint64_t bytes) {
        const std::uint64_t done = done_ += bytes;
        if (report_ && !report_(done, total_))
            throw Cancelled();
    }
    std::uint64_t total() const { return total_; }

  private:
    Report report_;
    std::atomic<std::uint64_t> done_ = 0, total_ = 0;
};

}  // namespace trainyard
