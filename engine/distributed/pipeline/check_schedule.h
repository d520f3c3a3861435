// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks whether a schedule can be executed: every micro-batch passes forward and backward through every stage exactly
// once, each sent message is received by the right rank, in the order in which messages between two ranks arrive, and
// there is no deadlock.

#include <string>
#include <vector>

#include "distributed/pipeline/pipeline_schedule.h"

namespace trainyard::pipeline {

/// When a send completes on the sending rank.
enum class Sends {
    buffered,    ///< immediately (the executor sends asynchronously)
    rendezvous,  ///< when the other rank receives
};

/// One sentence for each problem; empty if the schedule can be executed.
std::vector<std::string> schedule_problems(const Schedule& schedule, Sends sends = Sends::buffered);
/// Throws std::invalid_argument with all problems.
void check_schedule(const Schedule& schedule, Sends sends = Sends::buffered);
/// The same of a table of computations, which has no messages yet (make_table()).
void check_table(const Schedule& table);

}  // namespace trainyard::pipeline
