// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which steps are recorded: torch.profiler.schedule.

#include <cstdint>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::profile {

enum class Action { none, warmup, record, record_and_save };
const char* to_string(Action action);

/// The first `skip_first` steps are left out; then a cycle waits, warms up and records, and begins again. Numbers of steps.
struct Schedule {
    std::int64_t wait = 0;
    std::int64_t warmup = 0;  ///< recorded and thrown away: what the profiler itself costs at its start
    std::int64_t active = 1;  ///< recorded
    std::int64_t repeat = 0;  ///< cycles; 0: until the end
    std::int64_t skip_first = 0;
    std::int64_t skip_first_wait = 0;  ///< not 0: the first cycle does not wait

    /// `step`: from 0.
    Action action(std::int64_t step) const;
    /// The last step of the last cycle has been made; never where `repeat` is 0.
    bool is_over(std::int64_t step) const;
    /// Sentences on numbers that are out of range; empty: none.
    std::vector<Message> problems() const;
    bool operator==(const Schedule&) const = default;
};

}  // namespace trainyard::profile
