// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One rank's part of a run: from the run directory's run.yaml to the last checkpoint.

#include <string>
#include <vector>

#include "run/spec.h"
#include "train/trainer.h"
#include "worker/control_channel.h"
#include "worker/rank_environment.h"

namespace trainyard::worker {

/// Trains to the end, or until asked to stop. Returns the exit code of the rank (0 or 75). Throws UserError, parallel::PeerLost.
int run_job(const RankEnvironment& environment, const run::RunSpec& spec, train::Trainer& trainer,
            ControlChannel& channel);

}  // namespace trainyard::worker
