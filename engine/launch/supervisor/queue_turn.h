// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run that waits in the queue of its machine (run/queue.h). It has no ranks, no port of theirs and no GPU.

#include <optional>

#include "run/queue.h"
#include "run/request_body.h"

namespace trainyard::launch {

class QueueTurn {
  public:
    /// `look_s`: seconds between two looks.
    QueueTurn(run::RunPaths paths, double look_s) : paths_(std::move(paths)), look_s_(look_s) {}

    void enter(const run::RunSpec& spec) { watch_.emplace(paths_, spec); }
    void leave();
    bool waits() const { return watch_.has_value(); }

    /// Monotonic seconds of the next look.
    double due() const { return looked_ + look_s_; }
    /// Looks at the queue if the next look is due, and calls `start` when the turn has come (run::QueueWatch). Returns
    /// nothing if nothing has changed.
    std::optional<run::QueueWatch::Look> look(double now, const std::function<void()>& start);

    struct Answer {
        const char* outcome;
        Message text;
    };
    /// Carries out `start` and `move`; refuses others.
    Answer take(const run::RequestBody& request);

  private:
    run::RunPaths paths_;
    double look_s_;
    std::optional<run::QueueWatch> watch_;
    run::QueueWatch::Look last_;
    bool start_asked_ = false;  ///< whatever its place is
    double looked_ = 0;         ///< monotonic
};

}  // namespace trainyard::launch
