// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Requests of users to a running rank. The ranks agree on a request with the next step, and it is answered once it has
// been fulfilled; one that cannot be fulfilled is refused at once.

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "run/request_body.h"
#include "train/loop/step_control.h"
#include "worker/control_channel.h"
#include "worker/reports.h"

namespace trainyard::worker {

enum class Ask { stop, checkpoint, evaluate, pause, rate, profile };

class Requests {
  public:
    Requests(const config::Recipe& recipe, int rank, ControlChannel& channel, Reports& reports);

    /// Takes what came since the last call, and the signal that this machine is going away. Returns what this rank requests.
    train::StepRequests take();
    /// Training is paused: rank 0 requests the pause with every step until a request ends it.
    void stand_still() { still_ = paused_ = true; }
    void go_on() { still_ = paused_ = false; }
    /// The recipe's own profile is being recorded: others are refused.
    void set_profiling(bool profiling) { profiling_ = profiling; }
    /// Answers all open requests of this kind.
    void answer(Ask kind, bool done, const Message& text);
    /// Returns the open requests of this kind; the caller must answer them.
    std::vector<std::string> hand_over(Ask kind) { return std::exchange(open(kind), {}); }
    void answer(const std::vector<std::string>& requests, bool done, const Message& text);

  private:
    std::vector<std::string>& open(Ask kind) { return open_[static_cast<std::size_t>(kind)]; }
    void take_signal();
    // `id`: of the request
    void take(const std::string& id, const run::StopRequest& stop);
    void take(const std::string& id, const run::CheckpointRequest&);
    void take(const std::string& id, const run::EvaluateRequest&);
    void take(const std::string& id, const run::PauseRequest&);
    void take(const std::string& id, const run::ResumeRequest&);
    void take(const std::string& id, const run::RateRequest& rate);
    void take(const std::string& id, const run::ProfileRequest& profile);
    template <typename Other>
    void take(const std::string& id, const Other& other);
    void refuse(const std::string& id, const Message& reason);

    const config::Recipe& recipe_;
    int rank_;
    ControlChannel& channel_;
    Reports& reports_;
    train::StepRequests requested_;
    std::array<std::vector<std::string>, 6> open_;  ///< by Ask: names of requests
    bool preempted_ = false, profiling_ = false;
    bool still_ = false, paused_ = false;  ///< training stands still; nobody has ended the pause
};

}  // namespace trainyard::worker
