// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/step_schedule.h"

#include <array>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::profile {

const char* to_string(Action action) {
    constexpr std::array<const char*, 4> kNames{"none", "warmup", "record", "record_and_save"};
    return kNames[static_cast<std::size_t>(action)];
}

Action Schedule::action(std::int64_t step) const {
    if (step < skip_first)
        return Action::none;
    step -= skip_first;
    if (skip_first_wait != 0)
        step += wait;
    const std::int64_t cycle = wait + warmup + active;
    if (repeat > 0 && step >= repeat * cycle)
        return Action::none;
    const std::int64_t place = step % cycle;
    if (place < wait)
        return Action::none;
    if (place < wait + warmup)
        return Action::warmup;
    return place < cycle - 1 ? Action::record : Action::record_and_save;
}

bool Schedule::is_over(std::int64_t step) const {
    if (repeat == 0)
        return false;
    return step - skip_first + (skip_first_wait != 0 ? wait : 0) >= repeat * (wait + warmup + active);
}

std::vector<Message> Schedule::problems() const {
    std::vector<Message> found;
    const auto need = [&](const char* name, std::int64_t value, std::int64_t least) {
        if (value < least)
            found.push_back(Message("{} is {}: it must be {} or more", name, value, least));
        else if (value > 1'000'000'000)
            found.push_back(Message("{} is {}: at most 1000000000 steps can be named", name, value));
    };
    need("wait", wait, 0);
    need("warmup", warmup, 0);
    need("active", active, 1);
    need("repeat", repeat, 0);
    need("skip_first", skip_first, 0);
    need("skip_first_wait", skip_first_wait, 0);
    return found;
}

}  // namespace trainyard::profile
