// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rank's end of the socket pair to its supervisor (launch/supervisor/messages.h). A thread of its own sends
// heartbeats and receives requests; when the supervisor is gone the process ends at once, so that nothing is orphaned.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/supervisor/messages.h"

namespace trainyard::worker {

using launch::Heartbeat;

class ControlChannel {
  public:
    /// `fd` < 0: no supervisor (a rank started by hand); everything is dropped. `heartbeat` is called from another
    /// thread; the channel adds the memory.
    ControlChannel(int fd, std::function<Heartbeat()> heartbeat);
    ~ControlChannel();

    void send_progress(const launch::ProgressReport& progress);
    void send_event(const run::Event& event);
    /// Sent before this rank ends because of the run's health. `reason`: completes a sentence.
    void send_stopping(const Message& reason);
    void send_outcome(const std::string& id, const std::string& outcome, const Message& text);
    void send_failure(const Message& message, const Heartbeat& where, bool secondary, bool out_of_memory);
    /// A heartbeat outside of the rhythm, at a change of phase worth telling.
    void send_heartbeat();
    /// Requests that came since the last call.
    std::vector<run::Request> take_requests();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::worker
