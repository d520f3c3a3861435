// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The clock of the host of a run, as far as its heartbeats tell: clocks of hosts differ, and that of this machine may
// be set, or stand still while it sleeps. Without this, a run of a host whose clock is behind counts as lost.

#include "base/clock.h"

namespace trainyard::desktop {

class HostClock {
  public:
    /// `heartbeat`: of a state that was read now, in seconds of the host's clock.
    void hear(double heartbeat) {
        if (heartbeat == heartbeat_)
            return;
        changed_ = heartbeat_ > 0 && heartbeat > heartbeat_;  // the first one may be old
        heartbeat_ = heartbeat;
        heard_ = monotonic_seconds();
    }
    /// Seconds by the host's clock; by that of this machine until a heartbeat was heard to change.
    double now() const { return changed_ ? heartbeat_ + monotonic_seconds() - heard_ : wall_seconds(); }

  private:
    double heartbeat_ = 0, heard_ = 0;
    bool changed_ = false;
};

}  // namespace trainyard::desktop
