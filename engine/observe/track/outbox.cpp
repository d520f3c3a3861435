// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/outbox.h"

#include <algorithm>
#include <random>

#include "base/clock.h"

namespace trainyard::track {

namespace {

constexpr double kInterval = 1;       ///< seconds between two deliveries, so that many records go in one request
constexpr double kFirstPause = 0.2;   ///< seconds after the first failure, doubled with each further one
constexpr double kLongestPause = 60;  ///< seconds
constexpr double kDeniedPause = 120;  ///< seconds after wrong credentials

}  // namespace

bool Outbox::deliver(const MakeService& make, const std::stop_token& stop, std::optional<Failure>& failure) {
    std::span<const Value> entries;
    try {
        if (delivered_ == entries_.values.size()) {
            entries_ = spool.next(kEntries);
            delivered_ = 0;
        }
        const std::size_t waiting = entries_.values.size() - delivered_;
        entries = std::span(entries_.values).subspan(delivered_, std::min(waiting, most_));
        if (entries.empty())
            return false;
        if (service_ == nullptr) {  // the first entry is in the memory after its delivery
            if (const Value* opening = entries.front().find("open"))
                set_value(spool.memory, "open", *opening);
            const Entry* known = entry_of(spool.memory, "open");
            service_ = make(known == nullptr ? Value(Values()) : known->value, stop);
        }
        const std::size_t count = service_->deliver(entries, spool.memory);
        pause = 0;
        denied = failing = false;
        next_try = count < waiting ? 0 : monotonic_seconds() + kInterval;
        delivered_ += count;
        try {
            spool.set_delivered(entries_.ends.at(delivered_ - 1));
        } catch (const UserError&) {
            // The service has the entries. The next delivery writes the state again.
        }
        return true;
    } catch (const ServiceUnavailable& problem) {
        put_off(problem);
        failure = Failure{problem.message()};
    } catch (const UserError& problem) {
        next_try = monotonic_seconds() + kFirstPause;
        if (entries.size() > 1 && dynamic_cast<const RequestTooLarge*>(&problem) != nullptr) {
            most_ = entries.size() / 2;
            return deliver(make, stop, failure);
        }
        most_ = kEntries;  // this entry was the reason, alone
        try {
            const fs::path file = spool.refuse(entries_.values.at(delivered_));
            ++delivered_;
            spool.set_delivered(entries_.ends.at(delivered_ - 1));
            failure = Failure{Message("{}; such records are saved in {}", problem.message(), file.string()), true};
        } catch (const std::exception& error) {  // the disk
            failure = Failure{message_of(error), true};
        }
    } catch (const std::exception& error) {  // an answer of another form
        put_off(ServiceUnavailable(message_of(error), true));
        failure = Failure{message_of(error)};
    }
    return false;
}

void Outbox::put_off(const ServiceUnavailable& problem) {
    denied = problem.denied();
    pause = std::min(kLongestPause, std::max(kFirstPause, 2 * pause));
    static thread_local std::minstd_rand random{std::random_device{}()};
    const double share = std::uniform_real_distribution<double>(0.8, 1.2)(random);
    next_try = monotonic_seconds() + std::max(denied ? kDeniedPause : pause * share, problem.retry_after_s());
}

}  // namespace trainyard::track
