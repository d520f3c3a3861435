#pragma once
// What `trainyard test` lets the ranks do instead of training: stages that each compare what the ranks did with what must come out.
// A stage ends with all ranks telling each other whether they saw anything wrong; rank 0 reports a stage that passed as an event of
// kind "check" (text "<stage>: <what was done>", value seconds), a rank that saw something wrong fails with a sentence naming the
// stage.
//
// Every stage can be made to fail: TRAINYARD_FAILPOINT=selfcheck.<stage>.<rank>:damage spoils that rank's part of it, and
// selfcheck.enter.<stage>.<rank>:kill ends the rank when it begins. The run's recipe names the numbered blocks that the command
// line wrote as its data.

#include <functional>

#include "config/recipe.h"
#include "parallel/mesh.h"
#include "run/journal.h"
#include "worker/environment.h"

namespace trainyard::worker {

struct SelfCheckReport {
    std::function<void(const run::Event&)> event;
    std::function<void(const char*)> phase;  ///< for heartbeats
};

/// Runs all stages. Throws UserError naming the stage that failed; parallel::PeerLost.
void run_selfcheck(const RankEnvironment& environment, const config::Recipe& recipe, parallel::Mesh& mesh,
                   at::Device device, const SelfCheckReport& report);

}  // namespace trainyard::worker
