#pragma once
// The rank's end of the socket pair to its supervisor (launch/protocol.h). A thread of its own sends heartbeats and receives requests;
// when the supervisor is gone the process ends at once, so that nothing is orphaned.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "run/journal.h"
#include "run/request.h"

namespace trainyard::worker {

/// What a heartbeat says; asked for by the channel's thread.
struct Heartbeat {
    std::int64_t step = 0;
    std::string phase;
    std::string collective;
    std::string waits_for;  ///< the collective that the rank waits in; empty: in none
    double own_step_s = 0;  ///< of the last step, without waiting; 0: none yet
};

struct ProgressMessage {
    std::int64_t step = 0;
    std::int64_t of = 0;
    double epoch = 0;
    std::int64_t tokens = 0;
    std::int64_t samples = 0;
    std::optional<double> loss;  ///< no step yet: none
    double tokens_per_s = 0;
    double step_s = 0;           ///< median of the last 200 steps
    double validation_loss = 0;  ///< 0: none yet
};

class ControlChannel {
  public:
    /// `fd` < 0: no supervisor (a rank started by hand); everything is dropped. `heartbeat` is called from another thread.
    ControlChannel(int fd, std::function<Heartbeat()> heartbeat);
    ~ControlChannel();

    void send_progress(const ProgressMessage& progress);
    void send_event(const run::Event& event);
    /// Before this rank ends by itself, because of the run's health: why, as the end of a sentence.
    void send_stopping(const std::string& reason);
    void send_outcome(const std::string& id, const std::string& outcome, const std::string& text);
    void send_failure(const std::string& message, const Heartbeat& where, bool secondary);
    /// A heartbeat outside of the rhythm, at a change of phase worth telling.
    void send_heartbeat();
    /// Requests that came since the last call.
    std::vector<run::Request> take_requests();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::worker
