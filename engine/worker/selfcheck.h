// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What `trainyard test` lets the ranks do instead of training: stages that each compare what the ranks did with what
// must come out.
// A stage ends with all ranks telling each other whether they saw anything wrong; rank 0 reports a stage that passed as
// an event of kind "check" (text "<stage>: <what was done>", value seconds), a rank that saw something wrong fails with
// a sentence naming the stage.
// Before the ranks connect, those of several machines try whether every machine reaches every other; a pair that does
// not is named by all ranks, instead of a wait until the connections time out.
//
// What is measured comes as events of rank 0: "all_reduce", and "pair" (rank and step: the two ranks). Their text is
// JSON, {"latency_s":0.0001,"least_latency_s":0.00009,"sizes":[{"bytes":1024,"seconds":0.0001}, ...]} (seconds of one
// message; of one all-reduce of all ranks; of the middle round, and of the fastest one), their value the highest bytes
// per second (of a ring's traffic of each rank where it is an all-reduce). Sizes 1 KiB to 64 MiB, as far as they fit
// into the time that a link gets.
//
// Every stage can be made to fail: TRAINYARD_FAILPOINT=selfcheck.<stage>.<rank>:damage spoils that rank's part of it,
// and selfcheck.enter.<stage>.<rank>:kill ends the rank when it begins; selfcheck.reach.<rank>:damage lets a machine
// reach nobody. Each rank writes the numbered blocks that are the data into the run's folder of its machine, and
// removes them: nothing but the recipe has to be there.

#include <functional>
#include <memory>

#include "config/recipe/recipe.h"
#include "distributed/parallel/mesh.h"
#include "run/journal.h"
#include "worker/rank_environment.h"

namespace trainyard::worker {

struct SelfCheckReport {
    std::function<void(const run::Event&)> event;
    std::function<void(const char*)> phase;  ///< for heartbeats
};

/// Runs all stages. Throws UserError naming the stage that failed; parallel::PeerLost.
void run_selfcheck(const RankEnvironment& environment, const config::Recipe& recipe,
                   const std::shared_ptr<parallel::World>& world, parallel::Mesh& mesh, at::Device device,
                   const SelfCheckReport& report);

}  // namespace trainyard::worker
