// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The process that sends the alarms of one run (`trainyard alarms watch RUN`), whether a window is open or not. It
// reads the run's folder as the window does, so the run's supervisor and ranks never wait for it; it outlives the
// supervisor, so it reports one that was killed. Each target has a thread and a queue: a webhook that does not answer
// delays no other target.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "alarms/delivery.h"
#include "run/paths.h"

namespace trainyard::alarms {

struct WatchOptions {
    double look_s = 2;         ///< between two looks at an active run
    double queued_s = 10;      ///< ... at one that waits for its turn
    double first_retry_s = 5;  ///< after a delivery that failed, doubled each time
    double last_retry_s = 300;
    double hour_s = 3600;      ///< in which Target::per_hour messages are sent
    double after_end_s = 600;  ///< for deliveries after the end of the run
    DeliveryLimits limits = {};
};

/// Sends alarms to one target in the order of their arrival, and retries.
class Courier {
  public:
    /// `report`: called from its thread with a sentence about the target, when it stops answering and when alarms are
    /// dropped.
    Courier(Target target, const WatchOptions& options, std::function<void(const Message&)> report);
    ~Courier();
    void send(const Alarm& alarm);
    /// Waits until everything was sent, at most so long. Returns the number of alarms that were not.
    std::size_t finish(double seconds);
    const Target& target() const { return target_; }

  private:
    void work(const std::stop_token& stop);
    bool wait(const std::stop_token& stop, double seconds);

    const Target target_;
    const WatchOptions options_;
    const std::function<void(const Message&)> report_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Alarm> queue_;
    std::deque<double> sent_;   ///< monotonic times of the last hour
    std::size_t left_out_ = 0;  ///< alarms over the limit since the last message
    bool is_working_ = false;
    std::jthread thread_;  ///< last: it uses the others
};

/// Watches a run until it is over and its alarms are sent. Returns false at once if another process watches it. Reports
/// of targets become events of the run.
bool watch_run(const run::RunPaths& run, const WatchOptions& options = {});

}  // namespace trainyard::alarms
