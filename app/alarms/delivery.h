// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One message to one target. Blocks for at most the time limits below; no message contains a secret.

#include <cstdint>
#include <stop_token>
#include <string>

#include "alarms/targets.h"

namespace trainyard::alarms {

struct Alarm {
    std::string kind;   ///< kind_key(), or "test"
    std::string title;  ///< one line
    std::string text;
    std::string run = {};   ///< id; empty: of no run
    std::string name = {};  ///< of the run
    std::string host = {};  ///< that sends it
    std::string folder = {};
    std::int64_t step = -1;
    double time = 0;  ///< wall seconds

    void fields(auto& field) const;
};

/// A message that says who sends it.
Alarm test_alarm();

struct Delivery {
    Message problem;         ///< empty: delivered
    bool may_retry = false;  ///< the target may accept it later
};

/// Time limits in seconds. Tests shorten them.
struct DeliveryLimits {
    double request = 15;
    double command = 30;
};

Delivery deliver(const Target& target, const Alarm& alarm, const DeliveryLimits& limits = {},
                 std::stop_token stop = {});

/// The body of a webhook in its format, and for ntfy the headers. For tests and previews.
std::string webhook_body(const Target& target, const Alarm& alarm);
/// A mail with its headers, lines ended by CR LF.
std::string mail_text(const Target& target, const Alarm& alarm);

}  // namespace trainyard::alarms
