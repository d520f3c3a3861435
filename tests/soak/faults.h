// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of faults that the soak injects. A row has the fault and the ways in which a run may end after it.

#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "run/state.h"
#include "soak/place.h"

namespace trainyard::soak {

using Dice = std::mt19937_64;

/// Uniform in [low, high]; the same on every machine, which std::uniform_int_distribution does not promise.
inline std::int64_t roll(Dice& dice, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(dice() % static_cast<std::uint64_t>(high - low + 1));
}

/// How a leg ended: as its state says, or without its supervisor having said anything.
enum class Ending { finished, failed, stopped, lost };
const char* name_of(Ending ending);

struct Struck {
    Place& place;
    const Shape& shape;
    Dice& dice;
    run::RunState state;  ///< just before
    double seconds = 0;   ///< duration of the whole run without a fault
};

struct Fault {
    const char* name;
    bool (*fits)(const Shape&);
    void (*strike)(const Struck&);
    std::set<Ending> endings;        ///< besides `finished`, which a fault that came too late leads to as well
    std::set<Ending> with_restarts;  ///< the same where the run may start its ranks again
    bool may_lose_the_last_save =
        false;  ///< a fault that lasts may outlast the training: the run then fails in the save of its last step
};

const std::vector<Fault>& faults();

/// Damage to the newest checkpoint of a run, done between two legs.
struct Damage {
    const char* name;
    void (*strike)(const fs::path& checkpoint, Dice& dice);
};

const std::vector<Damage>& damages();

}  // namespace trainyard::soak
