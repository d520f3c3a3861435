// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A spool with the service that gets it. Inside this library.

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "observe/track/remote_tracker.h"
#include "observe/track/spool.h"

namespace trainyard::track {

struct Outbox {
    explicit Outbox(Spool own) : spool(std::move(own)) {}

    /// Why a delivery failed: the service takes nothing now, or an entry, which was saved in a file, never.
    struct Failure {
        Message message;
        bool refused = false;
    };
    /// Sends the next entries. Returns whether the service took some; else next_try is put off, and `failure` says why
    /// unless there was nothing to send.
    bool deliver(const MakeService& make, const std::stop_token& stop, std::optional<Failure>& failure);

    Spool spool;
    double next_try = 0, pause = 0;  ///< monotonic seconds; seconds
    bool denied = false;             ///< trying again soon is of no use
    bool failing = false;            ///< the failure was reported

  private:
    static constexpr std::size_t kEntries = 2000;
    std::size_t most_ = kEntries;  ///< entries of a delivery; fewer once the service found one too large
    void put_off(const ServiceUnavailable& problem);

    std::unique_ptr<Service> service_;
    Spool::Entries entries_;     ///< of the last reading, so that no entry is parsed twice
    std::size_t delivered_ = 0;  ///< of them
};

}  // namespace trainyard::track
