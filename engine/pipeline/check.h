#pragma once
// Whether a table of actions can be executed: every micro-batch goes forwards and backwards through every stage once, each message that is
// sent is received by the rank that it is for, in the order in which messages between two ranks travel, and no rank waits for ever.

#include <string>
#include <vector>

#include "pipeline/schedule.h"

namespace trainyard::pipeline {

/// When a send is over for its rank.
enum class Sends {
    buffered,    ///< at once (the executor sends asynchronously)
    rendezvous,  ///< when the other rank receives
};

/// Sentences on everything that is wrong; empty: the table can be executed.
std::vector<std::string> schedule_problems(const Schedule& schedule, Sends sends = Sends::buffered);
/// Throws std::invalid_argument with them.
void check_schedule(const Schedule& schedule, Sends sends = Sends::buffered);

}  // namespace trainyard::pipeline
